package plan

import (
	"io/fs"
	"testing"
)

func TestMethod(t *testing.T) {
	const elsewhere = true
	inPlace := Policy{Sync: true, InPlace: true}
	for _, tt := range []struct {
		name      string
		policy    Policy
		action    Action
		src, dst  fs.FileMode
		elsewhere bool
		want      Method
	}{
		{"new file", Policy{}, Create, file, Absent, false, Direct},
		{"new file, sync", Policy{Sync: true}, Create, file, Absent, false, Direct},
		{"new file, -c", Policy{Sync: true, Checksum: true}, Create, file, Absent, false, Direct},
		{"new file, --inplace", inPlace, Create, file, Absent, false, Direct},
		{"new file, --append -u -b", Policy{Append: true, Update: true, BacksUp: true}, Create, file, Absent, false, Direct},
		{"new file, --append --ignore-existing", Policy{Append: true, IgnoreExisting: true}, Create, file, Absent, false, Temporary},
		{"new file, --existing", Policy{Existing: true}, Create, file, Absent, false, Direct},
		{"new file, written elsewhere", Policy{}, Create, file, Absent, elsewhere, Temporary},
		{"new file, -u", Policy{Update: true}, Create, file, Absent, false, Temporary},
		{"new file, --ignore-existing", Policy{IgnoreExisting: true}, Create, file, Absent, false, Temporary},
		{"new file, -b", Policy{BacksUp: true}, Create, file, Absent, false, Temporary},
		{"new file, --size-only", Policy{Sync: true, SizeOnly: true}, Create, file, Absent, false, Temporary},
		{"existing file", Policy{}, Replace, file, file, false, Temporary},
		{"existing file, --inplace", inPlace, Replace, file | 0o644, file | 0o600, false, Rewrite},
		{"existing file, --inplace, written elsewhere", inPlace, Replace, file, file, elsewhere, Rewrite},
		{"file over link, --inplace", inPlace, Replace, file, link, false, Temporary},
		{"file over fifo, --inplace", inPlace, Replace, file, fifo, false, Temporary},
		{"file over directory, --inplace", inPlace, ReplaceDir, file, dir, false, Temporary},
		{"new link", Policy{}, Create, link, Absent, false, Direct},
		{"new link, -u", Policy{Update: true}, Create, link, Absent, false, Direct},
		{"new link, --size-only", Policy{Sync: true, SizeOnly: true}, Create, link, Absent, false, Direct},
		{"new link, --ignore-existing", Policy{IgnoreExisting: true}, Create, link, Absent, false, Temporary},
		{"link over link, --inplace", inPlace, Replace, link, link, false, Temporary},
		{"link over file", Policy{}, Replace, link, file, false, Temporary},
		{"new fifo", Policy{}, Create, fifo, Absent, false, Temporary},
		{"new device", Policy{}, Create, disk, Absent, false, Temporary},
		{"fifo over file, --inplace", inPlace, Replace, fifo, file, false, Temporary},
	} {
		if got := tt.policy.Method(tt.action, tt.src, tt.dst, tt.elsewhere); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

package plan

import (
	"testing"

	"psync/internal/vfs"
)

func TestAfterCopy(t *testing.T) {
	for _, tt := range []struct {
		name   string
		policy Policy
		change Change
		again  int
		want   Outcome
	}{
		{"as it was", Policy{}, Unchanged, 0, Complete},
		{"as it was, at last", Policy{}, Unchanged, 2, Complete},
		{"as it was, -u", Policy{Update: true}, Unchanged, 0, Complete},
		{"perhaps changed", Policy{}, CtimeChanged, 0, CopyAgain},
		{"perhaps changed again", Policy{}, CtimeChanged, 1, CopyAgain},
		{"perhaps changed all the time", Policy{}, CtimeChanged, 2, KeepStale},
		{"changed", Policy{}, ContentsChanged, 0, KeepStale},
		{"changed, -c", Policy{Sync: true, Checksum: true}, ContentsChanged, 0, KeepStale},
		{"changed, -u", Policy{Update: true}, ContentsChanged, 0, KeepStale},
		{"changed, --size-only", Policy{Sync: true, SizeOnly: true}, ContentsChanged, 0, Discard},
		{"changed, --ignore-existing", Policy{IgnoreExisting: true}, ContentsChanged, 0, Discard},
		{"perhaps changed, --ignore-existing", Policy{IgnoreExisting: true}, CtimeChanged, 0, CopyAgain},
	} {
		if got := tt.policy.AfterCopy(tt.change, tt.again); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestChangeOf(t *testing.T) {
	was := vfs.Attr{Size: 3, Mtime: now, Ctime: vfs.StampOf(now), Nlink: 2}
	for _, tt := range []struct {
		name   string
		change func(*vfs.Attr)
		want   Change
	}{
		{"as it was", func(*vfs.Attr) {}, Unchanged},
		{"another zone", func(a *vfs.Attr) { a.Mtime = a.Mtime.Local() }, Unchanged},
		{"read", func(a *vfs.Attr) { a.Atime = now }, Unchanged},
		{"another mode", func(a *vfs.Attr) { a.Mode, a.Ctime = 0o600, a.Ctime+1 }, CtimeChanged},
		{"rewritten", func(a *vfs.Attr) { a.Mtime, a.Ctime = now.Add(1), a.Ctime+1 }, ContentsChanged},
		{"longer", func(a *vfs.Attr) { a.Size++ }, ContentsChanged},
	} {
		now := was
		tt.change(&now)
		if got := ChangeOf(was, now); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

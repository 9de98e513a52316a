package engine

import (
	"testing"

	"psync/internal/report"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
)

// TestDirectoryThatCannotBeOpened expects the destination to get what is known about the source, its mode and time,
// as with rsync.
func TestDirectoryThatCannotBeOpened(t *testing.T) {
	const src = "a/d/ 311 @2001-02-03T04:05:06Z\na/ 755 @2002-02-03T04:05:06Z\n"
	for _, tt := range []struct {
		name, dst string
		dryRun    bool
		want      string
	}{
		{"new", "a/ 755\n", false, "a/ 755 @2002-02-03T04:05:06Z\na/d/ 311 @2001-02-03T04:05:06Z\n"},
		{"there", "a/d/f 644 @2020-01-01T00:00:00Z x\na/d/ 700\n", false, "a/ 755 @2002-02-03T04:05:06Z\na/d/ 311 @2001-02-03T04:05:06Z\na/d/f 644 @2020-01-01T00:00:00Z x\n"},
		{"a dry run", "a/ 755 @2003-02-03T04:05:06Z\n", true, "a/ 755 @2003-02-03T04:05:06Z\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newSync(t, src, tt.dst)
			b.job.DryRun = tt.dryRun
			b.job.Keep.Perms = true
			b.job.Delete.On = true
			b.job.Sources[0].Dir = faultfs.Inject(b.job.Sources[0].Dir, `(op opendir, path "d", err EACCES)`)
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			b.wantEvents(t, []string{"fail SRC/a/d"}, report.Fail, report.Vanish, report.Unkept)
			b.wantTree(t, tt.want, fstest.WithMtimes)
		})
	}
}

package engine

import (
	"sync/atomic"
	"syscall"
	"testing"

	"psync/internal/report"
	"psync/internal/vfs/faultfs"
)

// TestOnlyWhatIsGoneHasVanished makes operations on the source report that a file does not exist. If that concerns
// something other than an entry that is gone, the entry fails, and the journal does not call its directory done.
func TestOnlyWhatIsGoneHasVanished(t *testing.T) {
	const src = "d/f 644 @user.a=1 text\nd/e/ 755\nd/l -> f\n"
	for _, op := range []string{"open", "opendir", "lstat", "readlink", "xattrs", "readdir", "read", "stat"} {
		for _, name := range []string{"d", "d/f", "d/e", "d/l", "."} {
			b := newLinked(t, src, "")
			j := newJournaled(t, b)
			from := b.job.Sources[0].Dir
			var failed atomic.Bool // since a directory's attributes may be read while another is listed
			b.job.Sources[0].Dir = faultfs.New(from, func(o, n string) error {
				if o != op || n != name || failed.Swap(true) {
					return nil
				}
				return syscall.ENOENT
			})
			a, err := j.run(t.Context(), t)
			vanished := b.record.lines(report.Vanish)
			if err != nil || vanished != nil || failed.Load() && a.Complete() && len(b.record.lines(report.Fail)) > 0 {
				t.Errorf("%s of %s: Run = %v; vanished %q, audit %+v", op, name, err, vanished, a)
			}
			if src, dst := b.trees(t); a.Complete() && src != dst {
				t.Errorf("%s of %s: the journal is complete, and the destination has\n%s", op, name, dst)
			}
			b.job.Sources[0].Dir = from
			j.wantComplete(t, 3)
			b.wantEqual(t)
		}
	}
}

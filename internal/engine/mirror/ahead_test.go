package mirror

import (
	"sync/atomic"
	"syscall"
	"testing"

	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/volume"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/memfs"
)

// TestAskAheadListedTwice checks entries that the destination lists twice, before any worker processes them.
func TestAskAheadListedTwice(t *testing.T) {
	var asked atomic.Int64
	j := newWorker(nil, func(*job.Run) {})
	info := &job.Dir{SrcVolume: &volume.Volume{Volume: vfs.Volume{Network: true}}}
	d := info.Open(pairs.Pair{Src: faultfs.New(memfs.New().Root(), func(string, string) error {
		asked.Add(1)
		return syscall.EIO
	})})
	a := NewAsker(j, d)
	a.Ask(j.Run, []vfs.Entry{{Name: "a"}, {Name: "b"}, {Name: "a"}})
	a.Ask(j.Run, []vfs.Entry{{Name: "b"}})
	a.work.Wait()
	a.Stop()
	if n := asked.Load(); n != 2 {
		t.Errorf("the source was asked %d times for 2 names", n)
	}
	for _, name := range []string{"a", "b", "a"} {
		if p := a.Premise(d, name); p.Name != name {
			t.Errorf("the premise of %s is about %q", name, p.Name)
		}
	}
}

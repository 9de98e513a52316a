package mirror

import (
	"errors"
	"sync/atomic"
	"testing"

	"psync/internal/vfs"
)

// TestAskAheadListedTwice checks entries that the destination lists twice, before any worker processes them.
func TestAskAheadListedTwice(t *testing.T) {
	var asked atomic.Int64
	d := &Dir{FarSource: true, Counterpart: &Counterpart{Open: func() (vfs.Dir, func(), bool, error) {
		asked.Add(1)
		return nil, nil, true, errors.New("no answer")
	}}}
	r := &Remover{Config: new(Config)}
	r.AskAhead(d, []vfs.Entry{{Name: "a"}, {Name: "b"}, {Name: "a"}})
	r.AskAhead(d, []vfs.Entry{{Name: "b"}})
	d.asker.work.Wait()
	d.StopAsking()
	if n := asked.Load(); n != 2 {
		t.Errorf("the source was asked %d times for 2 names", n)
	}
	for _, name := range []string{"a", "b", "a"} {
		if p := d.asker.premise(name); p.Name != name {
			t.Errorf("the premise of %s is about %q", name, p.Name)
		}
	}
}

package mirror

import (
	"errors"
	"sync/atomic"
	"testing"

	"psync/internal/vfs"
)

// countingCounterpart is a counterpart that does not answer, and counts the checks.
type countingCounterpart struct{ asked atomic.Int64 }

func (c *countingCounterpart) Use() (Source, bool, error) {
	c.asked.Add(1)
	return Source{}, true, errors.New("no answer")
}

func (c *countingCounterpart) Done() {}

// TestAskAheadListedTwice checks entries that the destination lists twice, before any worker processes them.
func TestAskAheadListedTwice(t *testing.T) {
	var c countingCounterpart
	d := &Dir{FarSource: true, Counterpart: &c}
	r := &Remover{Config: new(Config)}
	r.AskAhead(d, []vfs.Entry{{Name: "a"}, {Name: "b"}, {Name: "a"}})
	r.AskAhead(d, []vfs.Entry{{Name: "b"}})
	d.asker.work.Wait()
	d.StopAsking()
	if n := c.asked.Load(); n != 2 {
		t.Errorf("the source was asked %d times for 2 names", n)
	}
	for _, name := range []string{"a", "b", "a"} {
		if p := d.asker.premise(name); p.Name != name {
			t.Errorf("the premise of %s is about %q", name, p.Name)
		}
	}
}

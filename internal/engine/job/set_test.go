package job

import (
	"errors"
	"testing"

	"psync/internal/vfs"
)

func TestSet(t *testing.T) {
	var s Set[vfs.ID]
	added, made, failed := vfs.ID{Dev: 1, Ino: 1}, vfs.ID{Dev: 1, Ino: 2}, vfs.ID{Dev: 2, Ino: 1}
	if s.Has(added) {
		t.Error("an empty set has an entry")
	}
	s.Add(added)
	asked := make(chan bool)
	err := s.AddNew(func() (vfs.ID, error) {
		go func() { asked <- s.Has(made) }() // waits
		return made, nil
	})
	if err != nil || !<-asked {
		t.Errorf("AddNew: %v, or it was not waited for", err)
	}
	why := errors.New("by the test")
	if err := s.AddNew(func() (vfs.ID, error) { return failed, why }); !errors.Is(err, why) {
		t.Errorf("AddNew = %v, want %v", err, why)
	}
	for id, want := range map[vfs.ID]bool{added: true, made: true, failed: false} {
		if got := s.Has(id); got != want {
			t.Errorf("Has(%v) = %v", id, got)
		}
	}
}

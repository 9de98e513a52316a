package sweep

import (
	"slices"
	"syscall"
	"testing"

	"psync/internal/engine/volume"
	"psync/internal/tempname"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// plain lifts nothing.
type plain struct{}

func (plain) Remove(in vfs.Dir, name string, only *vfs.Premise) error { return in.Remove(name, only) }
func (plain) Rmdir(in vfs.Dir, name string) error                     { return in.Rmdir(name) }

func TestSweep(t *testing.T) {
	us := tempname.Process{Host: 1, Boot: 1, PID: 1, Run: 1, Alive: func(pid int, _ uint64) bool { return pid == 2 }}
	made := func(pid int, host uint32) string {
		return tempname.Process{Host: host, Boot: host, PID: pid, Run: 9}.Namer()()
	}
	running, dead, locked, foreign := made(2, 1), made(3, 1), made(4, 1), made(3, 7)
	plainDir := memfs.New().Root()
	defer plainDir.Close()
	mark := tempname.OfJob("nightly")
	fstest.Fill(t, plainDir, "f 644\n"+mark+" 644 long ago\n"+running+" 644\n"+dead+"/ 755\n"+locked+" 644\n"+foreign+" 644 part\n")
	dir := faultfs.New(plainDir, func(op, name string) error {
		if op == "remove" && name == locked {
			return syscall.EACCES
		}
		return nil
	})
	attr, err := vfs.Lstat(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	s := &Sweeper{Process: func() tempname.Process { return us }, Lifter: plain{}, Volumes: new(volume.Table)}
	removals := 0
	stays := make(map[string]bool)
	r, err := s.Sweep(dir, attr, func() { removals++ }, func(e vfs.Entry) { stays[e.Name] = true })
	if err != nil || removals != 2 || stays[dead] || !stays["f"] || !stays[mark] || !stays[foreign] || !slices.Equal(r.Live, []string{running}) {
		t.Errorf("%d removals, got %v, %v", removals, r, err)
	}
	for _, left := range r.Left {
		switch {
		case left.Name == locked && left.Err != nil:
		case left.Name == foreign && left.Err == nil && left.Size == 4:
		default:
			t.Errorf("left %v", left)
		}
	}
	if len(r.Left) != 2 {
		t.Errorf("%d temporaries are left, want 2", len(r.Left))
	}
	if _, err := vfs.Lstat(plainDir, dead); err == nil {
		t.Error("the temporary of a dead process is still there")
	}
	// The clock of the file system in memory is far behind.
	for name, want := range map[string]tempname.State{"f": tempname.None, mark: tempname.Shared, running: tempname.Running, foreign: tempname.Dead} {
		if got, _ := s.MakerOfExtraneous(dir, attr, name); got != want {
			t.Errorf("%s: state %v, want %v", name, got, want)
		}
	}
	if got, _ := s.Maker(dir, attr, foreign); got != tempname.Unknown {
		t.Errorf("state %v of a process of another host", got)
	}
}

package attrs

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"testing"

	"psync/internal/engine/volume"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// A lockedFile is a file on macOS with several names, 0, 1 and so on, that its owner has locked.
type lockedFile struct {
	dir    vfs.Dir
	plant  vfs.Dir // the same, for root
	lifter *Lifter
	setter Setter
	v      Volumes
}

func newLockedFile(t *testing.T, names int) *lockedFile {
	t.Helper()
	mac := memfs.NewMac(memfs.Mac{UID: 501, GID: 20})
	tree := "0 644 @flags=0x2 text\n"
	for i := 1; i < names; i++ {
		tree += fmt.Sprintf("%d (= 0)\n", i)
	}
	fstest.Fill(t, mac.Plant(), tree)
	if err := vfs.Chown(vfs.In(mac.Plant(), "0"), 501, 20); err != nil {
		t.Fatal(err)
	}
	p := &Policy{
		Keep: metadata.Keep{Modes: true, Perms: true, Flags: true}, User: vfs.User{UID: 501, GID: 20},
		Source: metadata.Darwin, Dest: metadata.Darwin, HardLinks: true,
	}
	volumes := new(volume.Table)
	l := NewLifter(p, volumes)
	f := &lockedFile{dir: mac.Root(), plant: mac.Plant(), lifter: l, setter: Setter{Policy: p, Lifter: l}}
	vol := volumes.Of(f.dir, f.attr(t, "."))
	f.v = Volumes{Source: vol, Dest: vol}
	return f
}

func (f *lockedFile) attr(t *testing.T, name string) vfs.Attr {
	t.Helper()
	attr, err := vfs.Lstat(f.dir, name)
	if err != nil {
		t.Fatal(err)
	}
	return attr
}

// TestForceAgain has another worker lock an entry again between lifting its lock and using that.
func TestForceAgain(t *testing.T) {
	f := newLockedFile(t, 2)
	calls := 0
	err := f.lifter.Force(func() error {
		if calls++; calls == 2 {
			n, err := f.dir.Node("0")
			if err != nil {
				return err
			}
			defer n.Close()
			if err := vfs.SetFlags(n, 2); err != nil {
				return err
			}
		}
		return f.dir.Remove("1", nil)
	}, f.dir, "1")
	if err != nil || calls != 3 {
		t.Errorf("%d calls: %v", calls, err)
	}
	if attr := f.attr(t, "0"); attr.Flags != 2 || attr.Nlink != 1 {
		t.Errorf("flags %#x, %d names left", attr.Flags, attr.Nlink)
	}
}

// A forgetfulDir is on a volume that accepts changes of flags and ignores them.
type forgetfulDir struct {
	vfs.Dir
	changes *int
}

func (d forgetfulDir) OpenFile(name string, mode vfs.OpenMode, perm fs.FileMode) (vfs.File, error) {
	f, err := d.Dir.OpenFile(name, mode, perm)
	if mode != vfs.ReadOnly {
		return f, err
	}
	return forgetfulFile{f, d.changes}, err
}

type forgetfulFile struct {
	vfs.File
	changes *int
}

func (f forgetfulFile) Set(changes []vfs.Change) []error {
	return vfs.SetEach(changes, func(c *vfs.Change) error {
		if c.Kind == vfs.FlagsChange {
			*f.changes++
			return nil
		}
		return vfs.SetOne(f.File, *c)
	})
}

// TestForceEndsWhereFlagsAreIgnored forces operations on two files of such a volume. The first one reveals its
// behavior.
func TestForceEndsWhereFlagsAreIgnored(t *testing.T) {
	f := newLockedFile(t, 1)
	fstest.Fill(t, f.plant, "other 644 @flags=0x2 @owner=501:20 text\n")
	for i, name := range []string{"0", "other"} {
		calls, changes := 0, 0
		err := f.lifter.Force(func() error {
			calls++
			return f.dir.Remove(name, nil)
		}, forgetfulDir{f.dir, &changes}, name)
		most := 3 * (1 - i) // two to lift the lock, one to restore it
		if !errors.Is(err, fs.ErrPermission) || calls != 2 || changes > most || f.v.Dest.Ignored() != report.Flags {
			t.Errorf("%s: %d calls, %d changes of flags, the volume ignores %v: %v", name, calls, changes, f.v.Dest.Ignored(), err)
		}
	}
}

// TestForceAtOnce removes names of one locked file with several workers.
func TestForceAtOnce(t *testing.T) {
	const workers, each = 4, 250
	f := newLockedFile(t, 1+workers*each)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			for i := range each {
				if err := f.lifter.Remove(f.dir, fmt.Sprint(1+w*each+i), nil); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	if attr := f.attr(t, "0"); attr.Flags != 2 || attr.Nlink != 1 {
		t.Errorf("flags %#x, %d names left", attr.Flags, attr.Nlink)
	}
}

// TestUpdateOfLifted updates a file while another worker has lifted its lock to use another name of it.
func TestUpdateOfLifted(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*vfs.Attr)
		early  bool   // the update begins before the lock is lifted
		ops    bool   // there is something to do
		want   uint32 // flags at the end, except locks that are set when everything else is done
	}{
		{"nothing", func(*vfs.Attr) {}, false, false, 2},
		{"unlock", func(a *vfs.Attr) { a.Flags = 0 }, false, true, 0},
		{"unlock, begun early", func(a *vfs.Attr) { a.Flags = 0 }, true, true, 0},
		{"hide", func(a *vfs.Attr) { a.Flags = 0x8000 }, false, true, 0x8000},
		{"mode", func(a *vfs.Attr) { a.Mode = 0o600 }, false, true, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newLockedFile(t, 2)
			want := f.attr(t, "0")
			tt.change(&want)
			var h *Hold
			lift := func() { h = f.lifter.Hold(f.dir, "1") }
			if !tt.early {
				lift()
			}
			o, _ := f.setter.Desired(f.v, nil, want)
			u, notes := f.setter.Observe(f.v, f.dir, vfs.Entry{Name: "0"}, f.attr(t, "0"))
			defer u.Close()
			f.setter.PlanUpdate(f.v, &u, o)
			if tt.early {
				lift()
			}
			if u.IsEmpty() == tt.ops || notes != nil {
				t.Errorf("operations %v, notes %v", u.Ops(), notes)
			}
			r, err := f.setter.Apply(f.v, &u)
			if err != nil || r.Notes != nil {
				t.Error(err, r.Notes)
			}
			if err := h.Release(); err != nil {
				t.Error(err)
			}
			if attr := f.attr(t, "0"); attr.Flags != tt.want || attr.Mode != want.Mode {
				t.Errorf("flags %#x, mode %v", attr.Flags, attr.Mode)
			}
			if locked := len(r.Locks) > 0; locked != (tt.name == "mode") {
				t.Errorf("locks left to the caller: %v", r.Locks)
			}
		})
	}
}

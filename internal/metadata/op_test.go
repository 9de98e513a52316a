package metadata

import (
	"errors"
	"io/fs"
	"slices"
	"syscall"
	"testing"

	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/memfs"
)

// A strict entry does not allow changes of its owner or of some flags, and has flags and extended attributes
// that cannot be read.
type strict struct {
	vfs.Node
	uid, gid int
	set      []uint32
}

func (s *strict) Set(changes []vfs.Change) []error {
	return vfs.SetEach(changes, func(c *vfs.Change) error {
		switch c.Kind {
		case vfs.OwnerChange:
			if c.UID >= 0 {
				return syscall.EPERM
			}
			s.uid, s.gid = c.UID, c.GID
			return nil
		case vfs.FlagsChange:
			if s.set = append(s.set, c.Flags); c.Flags&Linux.RootFlags != 0 {
				return syscall.EPERM
			}
			return nil
		case vfs.XattrRemoval:
			return fs.ErrNotExist
		}
		return syscall.EACCES
	})
}

func (s *strict) ReadXattrAt(string, []byte, int64) (int, error) { return 0, errors.ErrUnsupported }

func (s *strict) Flags() (uint32, error) { return 0, syscall.EIO }
func (s *strict) Xattrs(bool) ([]string, error) {
	return []string{"user.b", "user.gone", "user.a"}, nil
}

func (s *strict) Xattr(name string) ([]byte, error) {
	switch name {
	case "user.gone":
		return nil, fs.ErrNotExist
	case "user.a":
		return nil, syscall.EACCES
	}
	return []byte("b"), nil
}

func TestDoKeepsTheGroupAlone(t *testing.T) {
	on := &strict{}
	op := Op{Class: Owner, UID: 1, GID: 2, Attr: report.Owner | report.Group}
	if err := op.Do(on, nil); err == nil || on.gid != 2 || op.Attr != report.Owner {
		t.Errorf("error %v, group %d, not kept: %v", err, on.gid, op.Attr)
	}
}

func TestDoKeepsFlagsThatMayBeSet(t *testing.T) {
	on := &strict{}
	src, dst := State{Attr: vfs.Attr{Flags: 0x50}}, State{}
	ops := Linux.Plan(nil, Keep{Flags: true}, PlanContext{User: root}, &src, &dst)
	if err := ops[len(ops)-1].Do(on, nil); err == nil || !slices.Equal(on.set, []uint32{0x50, 0x40}) {
		t.Errorf("error %v, flags set: %#x", err, on.set)
	}
}

// TestDoKeepsFlagsOfDOS uses a volume that refuses all flags because of one, without the plan knowing it.
func TestDoKeepsFlagsOfDOS(t *testing.T) {
	v := newMac(t, memfs.Mac{UID: 501, GID: 20, FAT: true})
	v.make(t, v.dir, "f", 0o644)
	if err := vfs.SetFlags(node(t, v.plant, "f"), 0x10000); err != nil {
		t.Fatal(err)
	}
	src, dst := State{Attr: vfs.Attr{Flags: 0x8003}}, v.look(t, "f")
	ops := Darwin.Plan(nil, Keep{Flags: true}, PlanContext{User: alice}, &src, &dst)
	if err := ops[len(ops)-1].Do(node(t, v.dir, "f"), nil); !errors.Is(err, syscall.EINVAL) {
		t.Errorf("error %v, want %v", err, syscall.EINVAL)
	}
	if got := v.look(t, "f").Flags; got != 0x18002 {
		t.Errorf("flags %#x, want %#x", got, 0x18002)
	}
}

func TestDoIsQuiet(t *testing.T) {
	on := &strict{}
	src, dst := wornBy(root, 0o644, Xattr{Name: "security.ima"}, Xattr{Name: "user.a"}), wornBy(root, 0o644)
	ops := Linux.Plan(nil, Keep{Xattrs: true}, PlanContext{User: root}, &src, &dst)
	for _, op := range ops {
		if err := op.Do(on, nil); (err == nil) != (op.Xattr.Name != "user.a") {
			t.Errorf("%s: %v", describe([]Op{op}), err)
		}
	}
	gone := Op{Class: Xattrs, Xattr: Xattr{Name: "user.a"}, Remove: true}
	if err := gone.Do(on, nil); err != nil {
		t.Errorf("removing what is gone: %v", err)
	}
}

// setDir is a directory whose entries can be given the attributes that every entry has.
type setDir struct{ vfs.Dir }

func (setDir) Set(_ string, changes []vfs.Change) []error {
	return vfs.SetEach(changes, func(c *vfs.Change) error {
		if c.Kind > vfs.TimesChange {
			return errors.ErrUnsupported
		}
		return nil
	})
}

func TestEntrySupportsWhatEveryEntryHas(t *testing.T) {
	for class, want := range map[Class]bool{Owner: true, Grant: true, Mode: true, Times: true, Rename: true, Unlock: false, Free: false, Xattrs: false, ACLs: false, LateXattr: false, Btime: false, Flags: false} {
		op := Op{Class: class}
		if err := op.Do(Entry{Dir: setDir{}, Name: "f"}, nil); (err == nil) != want || !want && !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("class %d: %v", class, err)
		}
	}
	long := Op{Class: Xattrs, Xattr: Xattr{Name: "com.apple.ResourceFork", Long: true}}
	if err := long.Do(&strict{}, nil); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a long attribute where there are none: %v", err)
	}
}

func TestReadReportsWhatItCannot(t *testing.T) {
	var reported report.Attr
	var s State
	err := Linux.Read(&strict{}, everything, &s, func(attr report.Attr, _ error) { reported |= attr })
	if err != nil || reported != report.Flags|report.Xattrs || s.Unknown != report.Flags {
		t.Errorf("error %v, reported %v, unknown %v", err, reported, s.Unknown)
	}
	if len(s.Xattrs) != 2 || !s.Xattrs[0].Unread || s.Xattrs[1].Unread || string(s.Xattrs[1].Value) != "b" {
		t.Errorf("attributes %+v", s.Xattrs)
	}
}

// TestQuietOnAMac sets and removes attributes that require an entitlement, or root: a refusal is neither an
// error nor a removed difference.
func TestQuietOnAMac(t *testing.T) {
	const entitled, installed = "com.apple.security.something", "com.apple.root.installed"
	for _, tt := range []struct {
		name     string
		user     vfs.User
		src, dst []Xattr
		want     string // planned
		diff     report.Diff
	}{
		{"setting, refused", alice, []Xattr{{Name: entitled}}, nil, "+" + entitled + ", rename", 0},
		{"setting, refused to root", root, []Xattr{{Name: entitled}}, nil, "+" + entitled + ", rename", 0},
		{"removing, refused", alice, nil, []Xattr{{Name: entitled}}, "-" + entitled + ", rename", 0},
		{"among others", alice, []Xattr{{Name: entitled}, {Name: "x"}}, nil, "+" + entitled + ", +x, rename", report.DiffXattr},
		{"of root, by a user", alice, []Xattr{{Name: installed}}, nil, "", 0},
		{"of root, removed by a user", alice, nil, []Xattr{{Name: installed}}, "", 0},
		{"of root, by root", root, []Xattr{{Name: installed}}, nil, "+" + installed + ", rename", report.DiffXattr},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := newMac(t, memfs.Mac{UID: uint32(tt.user.UID), GID: 20, Refused: []string{entitled}})
			v.put(t, "f", State{Attr: vfs.Attr{Mode: 0o644, UID: uint32(tt.user.UID), GID: 20}, Xattrs: tt.dst})
			want, is := wornBy(tt.user, 0o644, tt.src...), v.look(t, "f")
			ops := Darwin.Plan(nil, Keep{Xattrs: true}, PlanContext{User: tt.user}, &want, &is)
			if describe(ops) != tt.want {
				t.Errorf("planned %q, want %q", describe(ops), tt.want)
			}
			carryOut(t, node(t, v.dir, "f"), nil, ops)
			if got := Diff(ops); got != tt.diff {
				t.Errorf("differences %#x made up for, want %#x", got, tt.diff)
			}
		})
	}
}

func TestOutcome(t *testing.T) {
	for _, tt := range []struct {
		quiet bool
		err   error
		want  error
		diff  bool
	}{
		{false, nil, nil, true},
		{true, nil, nil, true},
		{false, syscall.EPERM, syscall.EPERM, true},
		{true, syscall.EPERM, nil, false},
		{true, syscall.EIO, syscall.EIO, true},
	} {
		op := Op{Class: Unlock, Quiet: tt.quiet, Diff: 1}
		if err := op.Outcome(tt.err); err != tt.want || (op.Diff != 0) != tt.diff {
			t.Errorf("%+v: %v, difference %v", tt, err, op.Diff)
		}
	}
}

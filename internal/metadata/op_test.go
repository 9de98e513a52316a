package metadata

import (
	"errors"
	"io/fs"
	"slices"
	"syscall"
	"testing"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/vfstest"
)

// A strict entry does not let its owner or some flags be changed, and has flags and
// extended attributes that cannot be told.
type strict struct {
	vfs.Node
	uid, gid int
	set      []uint32
}

func (s *strict) Chown(uid, gid int) error {
	if uid >= 0 {
		return syscall.EPERM
	}
	s.uid, s.gid = uid, gid
	return nil
}

func (s *strict) SetFlags(flags uint32) error {
	if s.set = append(s.set, flags); flags&Linux.RootFlags != 0 {
		return syscall.EPERM
	}
	return nil
}

func (s *strict) Flags() (uint32, error) { return 0, syscall.EIO }
func (s *strict) Xattrs(bool) ([]string, error) {
	return []string{"user.b", "user.gone", "user.a"}, nil
}
func (s *strict) SetXattr(string, []byte) error { return syscall.EACCES }
func (s *strict) RemoveXattr(string) error      { return fs.ErrNotExist }
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
	ops := Linux.Plan(nil, Keep{Flags: true}, Circumstances{User: root}, &src, &dst)
	if err := ops[len(ops)-1].Do(on, nil); err == nil || !slices.Equal(on.set, []uint32{0x50, 0x40}) {
		t.Errorf("error %v, flags set: %#x", err, on.set)
	}
}

func TestDoIsQuiet(t *testing.T) {
	on := &strict{}
	src, dst := wornBy(root, 0o644, Xattr{Name: "security.ima"}, Xattr{Name: "user.a"}), wornBy(root, 0o644)
	ops := Linux.Plan(nil, Keep{Xattrs: true}, Circumstances{User: root}, &src, &dst)
	for _, op := range ops {
		if err := op.Do(on, nil); (err == nil) != (op.Xattr.Name != "user.a") {
			t.Errorf("%s: %v", tell([]Op{op}), err)
		}
	}
	gone := Op{Class: Xattrs, Xattr: Xattr{Name: "user.a"}, Remove: true}
	if err := gone.Do(on, nil); err != nil {
		t.Errorf("removing what is gone: %v", err)
	}
}

// plain is an entry with the attributes that every entry has.
type plain struct{}

func (plain) Stat() (vfs.Attr, error)      { return vfs.Attr{}, nil }
func (plain) Chown(int, int) error         { return nil }
func (plain) Chmod(fs.FileMode) error      { return nil }
func (plain) Chtimes(_, _ time.Time) error { return nil }

func TestDoWantsANodeForMore(t *testing.T) {
	for class, want := range map[Class]bool{Owner: true, Grant: true, Mode: true, Times: true, Rename: true, Free: false, Xattrs: false, ACLs: false, LateXattr: false, Btime: false, Flags: false} {
		op := Op{Class: class}
		if err := op.Do(plain{}, nil); (err == nil) != want || !want && !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("class %d: %v", class, err)
		}
	}
	long := Op{Class: Xattrs, Xattr: Xattr{Name: "com.apple.ResourceFork", Long: true}}
	if err := long.Do(&strict{}, nil); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a long attribute where there are none: %v", err)
	}
}

func TestReadTellsWhatItCannot(t *testing.T) {
	var told report.Attr
	var s State
	err := Linux.Read(&strict{}, everything, &s, func(attr report.Attr, _ error) { told |= attr })
	if err != nil || told != report.Flags|report.Xattrs || s.Unknown != report.Flags {
		t.Errorf("error %v, told %v, unknown %v", err, told, s.Unknown)
	}
	if len(s.Xattrs) != 2 || !s.Xattrs[0].Unread || s.Xattrs[1].Unread || string(s.Xattrs[1].Value) != "b" {
		t.Errorf("attributes %+v", s.Xattrs)
	}
}

// TestQuietOnAMac sets what takes an entitlement.
func TestQuietOnAMac(t *testing.T) {
	v := newMac(t, vfstest.Mac{UID: 501, GID: 20})
	v.put(t, "f", State{Attr: vfs.Attr{Mode: 0o644, UID: 501}})
	want, is := wornBy(alice, 0o644, Xattr{Name: "com.apple.root.installed"}), v.look(t, "f")
	ops := Darwin.Plan(nil, Keep{Xattrs: true}, Circumstances{User: alice}, &want, &is)
	if tell(ops) != "+com.apple.root.installed, rename" {
		t.Fatal(tell(ops))
	}
	carryOut(t, node(t, v.dir, "f"), nil, ops)
}

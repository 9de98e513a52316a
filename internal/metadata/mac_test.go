package metadata

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"testing"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/memfs"
)

// A mac is a volume as a user sees it, and as the test sets it up.
type mac struct {
	dir, plant vfs.Dir
}

func newMac(t *testing.T, m memfs.Mac) mac {
	t.Helper()
	mem := memfs.NewMac(m)
	v := mac{mem.Root(), mem.Plant()}
	t.Cleanup(func() {
		if err := errors.Join(v.dir.Close(), v.plant.Close()); err != nil {
			t.Error(err)
		}
	})
	return v
}

// make makes an entry of the type and the rwx bits of mode.
func (v mac) make(t *testing.T, d vfs.Dir, name string, mode fs.FileMode) {
	t.Helper()
	var err error
	switch {
	case mode.IsDir():
		err = vfs.Mkdir(d, name, mode.Perm())
	case mode.Type() == fs.ModeSymlink:
		err = vfs.Symlink(d, "target", name)
	case mode.IsRegular():
		var f vfs.File
		if f, err = d.OpenFile(name, vfs.Create, mode.Perm()); err == nil {
			err = f.Close()
		}
	default:
		err = vfs.Mknod(d, name, mode, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func node(t *testing.T, d vfs.Dir, name string) vfs.Node {
	t.Helper()
	n, err := d.Node(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = n.Close() })
	return n
}

// put gives an entry a state, regardless of any rules.
func (v mac) put(t *testing.T, name string, s State) {
	t.Helper()
	v.make(t, v.plant, name, s.Mode)
	n := node(t, v.plant, name)
	err := errors.Join(vfs.Chown(n, int(s.UID), int(s.GID)), vfs.Chmod(n, s.Mode&^fs.ModeType))
	for _, x := range s.Xattrs {
		err = errors.Join(err, vfs.SetXattr(n, x.Name, x.Value))
	}
	err = errors.Join(err, vfs.Chtimes(n, s.Atime, s.Mtime), vfs.SetBtime(n, s.Btime), vfs.SetFlags(n, s.Flags))
	if err != nil {
		t.Fatal(err)
	}
}

// look returns the state of an entry.
func (v mac) look(t *testing.T, name string) State {
	t.Helper()
	n := node(t, v.dir, name)
	attr, err := vfs.Stat(n)
	s := State{Attr: attr}
	if err == nil {
		err = Darwin.Read(n, everything, &s, func(_ report.Attr, err error) { t.Error(err) })
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// copyMac makes an entry of dst like the entry of src, as a copier does: under another name first. It returns
// the operations that it carried out.
func copyMac(t *testing.T, user vfs.User, src, dst mac, name string) []Op {
	t.Helper()
	const temp = ".temp"
	want := src.look(t, name)
	dst.make(t, dst.dir, temp, want.Mode.Type()|0o600)
	now := dst.look(t, temp)
	ops := Darwin.Plan(nil, everything, PlanContext{User: user, SetTimes: true}, &want, &now)
	before, after := Cut(ops)
	carryOut(t, node(t, dst.dir, temp), node(t, src.dir, name), before)
	if err := dst.dir.Rename(temp, nil, name, nil); err != nil {
		t.Fatalf("%s: %v", describe(ops), err)
	}
	carryOut(t, node(t, dst.dir, name), node(t, src.dir, name), after)
	return ops
}

func carryOut(t *testing.T, on, src vfs.Node, ops []Op) {
	t.Helper()
	for i := range ops {
		if ops[i].Never || ops[i].Class == Rename {
			continue
		}
		if err := ops[i].Do(on, src); err != nil {
			t.Errorf("%s: %v", describe(ops[i:i+1]), err)
		}
	}
}

func TestMac(t *testing.T) {
	tag := Xattr{Name: "com.apple.metadata:_kMDItemUserTags", Value: []byte("red")}
	info := Xattr{Name: "com.apple.FinderInfo", Value: make([]byte, 32)}
	fork := Xattr{Name: "com.apple.ResourceFork", Value: bytes.Repeat([]byte("fork!"), 3<<20/5)}
	short := Xattr{Name: "com.apple.ResourceFork", Value: []byte("icon")}
	quarantine := Xattr{Name: "com.apple.quarantine", Value: []byte("0081;")}
	comment := Xattr{Name: "user.comment", Value: nil}
	denyDelete := Xattr{Name: securityName, Value: acl(filesecACE{everyone, deny, mayDelete})}
	denyAttrs := Xattr{Name: securityName, Value: acl(filesecACE{everyone, deny, mayWriteAttr | 1<<10})}
	inherited := Xattr{Name: securityName, Value: acl(filesecACE{everyone, permit | fromAbove, 1 << 1}, filesecACE{everyone, deny, mayDelete})}
	handsOn := Xattr{Name: securityName, Value: acl(filesecACE{everyone, permit | 1<<5 | 1<<6, 1 << 1})}
	empty := Xattr{Name: securityName, Value: acl()}

	type entry struct {
		name   string
		mode   fs.FileMode
		flags  uint32
		btime  time.Duration // after the modification
		xattrs []Xattr
	}
	entries := []entry{
		{"plain", 0o644, 0, -time.Hour, nil},
		{"tagged", 0o644, 0, -time.Hour, []Xattr{tag, info, quarantine, comment}},
		{"forked", 0o644, 0, -time.Hour, []Xattr{short}},
		{"forked at length", 0o444, 0, -time.Hour, []Xattr{tag, fork}},
		{"read-only", 0o444, 0, -time.Hour, []Xattr{tag}},
		{"without rights", 0o400, 0, 0, []Xattr{tag}},
		{"locked", 0o644, 0x2, -time.Hour, []Xattr{tag, denyDelete}},
		{"locked by root", 0o644, 0x20000, -time.Hour, []Xattr{tag}},
		{"hidden", 0o600, 0x8000, -time.Hour, nil},
		{"born later", 0o644, 0, time.Hour, nil},
		{"not to be deleted", 0o644, 0, -time.Hour, []Xattr{denyDelete}},
		{"not to be changed", 0o644, 0, -time.Hour, []Xattr{denyAttrs, tag}},
		{"inherited", 0o644, 0, -time.Hour, []Xattr{inherited}},
		{"empty ACL", 0o644, 0, -time.Hour, []Xattr{empty}},
		{"set-id", fs.ModeSetuid | fs.ModeSetgid | 0o755, 0, 0, nil},
		{"directory", fs.ModeDir | 0o755, 0, -time.Hour, []Xattr{tag, handsOn}},
		{"locked directory", fs.ModeDir | 0o555, 0x2, time.Hour, []Xattr{tag, denyDelete}},
		{"link", fs.ModeSymlink | 0o700, 0, -time.Hour, nil},
		{"hidden link with tags", fs.ModeSymlink | 0o555, 0x8000, time.Hour, []Xattr{tag, quarantine}},
		{"locked link", fs.ModeSymlink | 0o755, 0x2, -time.Hour, nil},
		{"fifo", fs.ModeNamedPipe | 0o640, 0x1, -time.Hour, nil},
	}
	parents := map[string][]Xattr{
		"":                       nil,
		" where ACLs are handed": {{Name: securityName, Value: acl(filesecACE{everyone, deny | 1<<5 | 1<<6, mayDelete | mayWriteAttr})}},
	}
	for who, m := range map[string]memfs.Mac{"root": {}, "user": {UID: 501, GID: 20, Groups: []uint32{80}}} {
		user := vfs.User{UID: int(m.UID), GID: int(m.GID), Groups: []int{80}}
		for where, xattrs := range parents {
			for _, e := range entries {
				t.Run(fmt.Sprintf("%s by %s%s", e.name, who, where), func(t *testing.T) {
					src, dst := newMac(t, m), newMac(t, m)
					for _, x := range xattrs {
						if err := vfs.SetXattr(node(t, dst.plant, "."), x.Name, x.Value); err != nil {
							t.Fatal(err)
						}
					}
					s := State{Attr: vfs.Attr{Mode: e.mode, UID: 501, GID: 20, Mtime: now, Atime: now.Add(time.Minute), Btime: now.Add(e.btime), Flags: e.flags}, Xattrs: e.xattrs}
					src.put(t, e.name, s)

					ops := copyMac(t, user, src, dst, e.name)
					want, got := src.look(t, e.name), dst.look(t, e.name)
					if !user.Privileged() {
						want.Flags &^= Darwin.RootFlags
					}
					if d := unlike(Darwin, everything, &want, &got); d != 0 {
						t.Errorf("%s leaves differences %b\nwant %+v\ngot  %+v", describe(ops), d, want.Attr, got.Attr)
					}
					want = src.look(t, e.name)
					if again := Darwin.Plan(nil, everything, PlanContext{User: user}, &want, &got); Diff(again) != 0 || busy(again) {
						t.Errorf("%s, and then again %s", describe(ops), describe(again))
					}
				})
			}
		}
	}
}

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

// TestMacChanges turns each entry into another existing entry.
func TestMacChanges(t *testing.T) {
	m := memfs.Mac{UID: 501, GID: 20}
	user := vfs.User{UID: 501, GID: 20}
	at := func(mode fs.FileMode, mtime, btime time.Duration, xattrs ...Xattr) State {
		a := vfs.Attr{Mode: mode, UID: 501, GID: 20, Mtime: now.Add(mtime), Atime: now, Btime: now.Add(btime)}
		return State{Attr: a, Xattrs: xattrs}
	}
	tag := Xattr{Name: "com.apple.metadata:_kMDItemUserTags", Value: []byte("red")}
	long := Xattr{Name: "com.apple.ResourceFork", Value: bytes.Repeat([]byte{1}, 3<<20)}
	longer := Xattr{Name: "com.apple.ResourceFork", Value: bytes.Repeat([]byte{1}, 3<<20+7)}
	short := Xattr{Name: "com.apple.ResourceFork", Value: []byte{1}}
	locked := func(s State, flags uint32) State {
		s.Flags = flags
		return s
	}
	denied := Xattr{Name: securityName, Value: acl(filesecACE{everyone, deny, mayWriteAttr | 1<<10 | mayDelete})}
	states := []State{
		at(0o644, 0, 0),
		at(0o444, 0, -1, tag, long),
		at(0o444, 1, -2, longer),
		at(0o600, -3, -3, short, denied),
		at(0o400, -2, 5, tag, denied),
		locked(at(0o400, -2, 5, tag, denied), 0x2),
		locked(at(0o640, 3, 1, short), 0x4),
	}
	for i, from := range states {
		for j, to := range states {
			t.Run(fmt.Sprintf("%d to %d", j, i), func(t *testing.T) {
				v := newMac(t, m)
				v.put(t, "src", from)
				v.put(t, "dst", to)
				want, is := v.look(t, "src"), v.look(t, "dst")
				ops := Darwin.Plan(nil, everything, PlanContext{User: user}, &want, &is)
				if (Diff(ops) == 0) != (i == j) {
					t.Errorf("%s: differences %b", describe(ops), Diff(ops))
				}
				carryOut(t, node(t, v.dir, "dst"), node(t, v.dir, "src"), ops)
				got := v.look(t, "dst")
				if d := unlike(Darwin, everything, &want, &got); d != 0 {
					t.Errorf("%s leaves differences %b", describe(ops), d)
				}
				if again := Darwin.Plan(nil, everything, PlanContext{User: user}, &want, &got); len(again) != 0 {
					t.Errorf("%s, and then again %s", describe(ops), describe(again))
				}
			})
		}
	}
}

// TestMacKeepsFromOthers copies attributes that an ordinary user cannot keep: the plan knows this, and a second
// run has nothing to do.
func TestMacKeepsFromOthers(t *testing.T) {
	m := memfs.Mac{UID: 501, GID: 20}
	user := vfs.User{UID: 501, GID: 20}
	src, dst := newMac(t, m), newMac(t, m)
	src.put(t, "f", State{Attr: vfs.Attr{Mode: fs.ModeSetuid | 0o755, GID: 7, Mtime: now, Atime: now, Btime: now, Flags: 0x20000}})
	ops := copyMac(t, user, src, dst, "f")
	if got, want := lost(ops), report.Mode|report.Owner|report.Group|report.Flags; got != want {
		t.Errorf("lost: %v, want %v", got, want)
	}
	want, got := src.look(t, "f"), dst.look(t, "f")
	if got.Mode != 0o755 || got.UID != 501 {
		t.Errorf("is %v of %d", got.Mode, got.UID)
	}
	if again := Darwin.Plan(nil, everything, PlanContext{User: user}, &want, &got); Diff(again) != 0 || busy(again) {
		t.Errorf("%s, and then again %s", describe(ops), describe(again))
	}
}

// TestMacReadsWhatItMay checks that an unreadable attribute is not taken for absent.
func TestMacReadsWhatItMay(t *testing.T) {
	v := newMac(t, memfs.Mac{UID: 501, GID: 20})
	v.put(t, "f", State{Attr: vfs.Attr{Mode: 0o200, UID: 501}, Xattrs: []Xattr{{Name: "user.a", Value: []byte("1")}}})
	s := State{Attr: vfs.Attr{Mode: 0o200}}
	err := Darwin.Read(node(t, v.dir, "f"), everything, &s, func(report.Attr, error) {})
	if !errors.Is(err, fs.ErrPermission) || s.Unknown&report.Xattrs == 0 {
		t.Errorf("error %v, unknown %v", err, s.Unknown)
	}
	there := wornBy(alice, 0o200, Xattr{Name: "user.a"}, Xattr{Name: securityName, Value: acl()})
	if ops := Darwin.Plan(nil, Keep{Xattrs: true, ACLs: true}, PlanContext{}, &s, &there); len(ops) != 0 {
		t.Errorf("plans %s", describe(ops))
	}
	bare := newMac(t, memfs.Mac{NoXattrs: true})
	bare.put(t, "f", State{Attr: vfs.Attr{Mode: 0o644}})
	if err := Darwin.Read(node(t, bare.dir, "f"), everything, &State{}, nil); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("without extended attributes: %v", err)
	}
}

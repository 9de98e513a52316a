package attrs

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"testing"

	"psync/internal/engine/volume"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A keeper is an entry whose operations fail according to errs, by their attributes or classes.
type keeper struct {
	vfs.UnsupportedNode
	errs     map[string]error
	did      []string
	requests []int // how many changes each had
}

func (k *keeper) do(what string) error {
	k.did = append(k.did, what)
	name, _, _ := strings.Cut(what, " ")
	return k.errs[name]
}

func (k *keeper) Statx(vfs.StatxWant) (vfs.Attr, error) { return vfs.Attr{UID: 1}, nil }

// Set calls do for each change, except that the group of an owner is set alone if both cannot be set.
func (k *keeper) Set(changes []vfs.Change) []error {
	k.requests = append(k.requests, len(changes))
	return vfs.SetEach(changes, func(c *vfs.Change) error {
		switch c.Kind {
		case vfs.OwnerChange:
			what := "chown"
			if c.UID < 0 {
				what = "chgrp"
			}
			return k.do(what)
		case vfs.ModeChange:
			return k.do("chmod " + c.Mode.String())
		case vfs.FlagsChange:
			return k.do(fmt.Sprintf("setflags %d", c.Flags))
		case vfs.TimesChange:
			return k.do("chtimes")
		}
		return k.do(c.Xattr)
	})
}

func (k *keeper) Close() error { return nil }

// onFar is a directory on a network file system.
type onFar struct {
	vfs.Dir
	volume vfs.Volume
}

func (d onFar) Statfs() (vfs.Volume, error) { return d.volume, nil }

// A result is what became of operations.
type result struct {
	notes  []string
	flawed bool
	diffs  []report.Diff
	err    error
}

func (r result) String() string {
	return fmt.Sprintf("notes %q, flawed %v, differences %v: %v", r.notes, r.flawed, r.diffs, r.err)
}

// TestTogether carries out operations together and one by one, with the same outcome.
func TestTogether(t *testing.T) {
	const lock = 2
	profile := *metadata.Native()
	profile.LockFlags = lock
	owner := metadata.Op{Class: metadata.Owner, UID: 1, GID: 2, Attr: report.Owner | report.Group, Diff: report.DiffOwner}
	mode := metadata.Op{Class: metadata.Mode, Mode: 0o640, Attr: report.Mode, Diff: report.DiffPerms}
	setID := metadata.Op{Class: metadata.Mode, Mode: fs.ModeSetuid | 0o755, Attr: report.Mode, Diff: report.DiffPerms}
	xattr := metadata.Op{Class: metadata.Xattrs, Xattr: metadata.Xattr{Name: "user.a"}, Attr: report.Xattrs, Diff: report.DiffXattr}
	other := metadata.Op{Class: metadata.Xattrs, Xattr: metadata.Xattr{Name: "user.b"}, Attr: report.Xattrs, Diff: report.DiffXattr}
	huge := metadata.Op{Class: metadata.Xattrs, Xattr: metadata.Xattr{Name: "user.huge", Value: make([]byte, maxTogether)}, Attr: report.Xattrs}
	long := metadata.Op{Class: metadata.Xattrs, Xattr: metadata.Xattr{Name: "user.long", Long: true}, Attr: report.Xattrs}
	acl := metadata.Op{Class: metadata.ACLs, Xattr: metadata.Xattr{Name: metadata.PosixDefaultACL}, Remove: true, Attr: report.ACLs}
	times := metadata.Op{Class: metadata.Times, Attr: report.Times, Diff: report.DiffMtime}
	flags := metadata.Op{Class: metadata.Flags, Flags: lock, UserFlags: lock, DOSFlags: lock, Attr: report.Flags}
	lost := metadata.Op{Class: metadata.Flags, Never: true, Lost: report.Flags}
	keeps := vfs.Volume{Network: true, KeepsAttrs: true}
	for _, tt := range []struct {
		name     string
		volume   vfs.Volume
		errs     map[string]error
		ops      []metadata.Op
		requests []int
		fatal    error
	}{
		{"all in one", keeps, nil, []metadata.Op{xattr, owner, setID, acl, times}, []int{5}, nil},
		{"what is not tried is not asked for", keeps, nil, []metadata.Op{lost}, nil, nil},
		{"owners may be ignored", vfs.Volume{Network: true}, nil, []metadata.Op{owner, setID, times}, []int{1, 2}, nil},
		{"but no set-id bits depend on them", vfs.Volume{Network: true}, nil, []metadata.Op{owner, mode, times}, []int{3}, nil},
		{"the removal of an ACL may be ignored", vfs.Volume{Network: true}, nil, []metadata.Op{mode, acl, times}, []int{2, 1}, nil},
		{"locks come when all else went well", keeps, nil, []metadata.Op{xattr, times, flags}, []int{2, 1}, nil},
		{"much", keeps, nil, []metadata.Op{xattr, huge, huge, times}, []int{2, 2}, nil},
		{"long attributes go alone", keeps, nil, []metadata.Op{xattr, long, times}, []int{1, 1}, nil},
		{"only a group is permitted", keeps, map[string]error{"chown": syscall.EPERM}, []metadata.Op{owner, setID, times}, []int{3}, nil},
		{"an owner is not permitted", keeps, map[string]error{"chown": syscall.EPERM, "chgrp": syscall.EPERM}, []metadata.Op{owner, setID, times}, []int{3}, nil},
		{"owners are not supported", keeps, map[string]error{"chown": errors.ErrUnsupported, "chgrp": errors.ErrUnsupported}, []metadata.Op{owner, setID, times}, []int{3}, nil},
		{"an owner fails", keeps, map[string]error{"chown": syscall.EIO}, []metadata.Op{xattr, owner, setID, times}, []int{4}, syscall.EIO},
		{"times fail", keeps, map[string]error{"chtimes": syscall.EIO, "user.a": syscall.EPERM}, []metadata.Op{xattr, times}, []int{2}, syscall.EIO},
		{"a flaw withholds locks", keeps, map[string]error{"user.a": syscall.ENOSPC}, []metadata.Op{xattr, times, flags}, []int{2, 1}, nil},
		{"one attribute cannot be kept", keeps, map[string]error{"user.a": syscall.EINVAL}, []metadata.Op{xattr, other, times, lost}, []int{4}, nil},
		{"none can", keeps, map[string]error{"user.a": errors.ErrUnsupported, "user.b": errors.ErrUnsupported}, []metadata.Op{xattr, other, times}, []int{3}, nil},
	} {
		try := func(on vfs.Node, apply func(*Setter, *volume.Volume, vfs.Node, []metadata.Op, *outcome) error) (r result) {
			var table volume.Table
			v := table.Of(onFar{volume: tt.volume}, vfs.Attr{})
			s := Setter{Policy: &Policy{Keep: metadata.Keep{Asked: report.Xattrs}, Source: &profile, Dest: &profile}}
			ops := slices.Clone(tt.ops)
			var o outcome
			r.err = apply(&s, v, on, ops, &o)
			for i := range ops {
				r.diffs = append(r.diffs, ops[i].Diff)
			}
			r.flawed = o.flawed
			for _, n := range o.notes {
				r.notes = append(r.notes, fmt.Sprintf("%v asked %v failed %v: %v", n.Attrs, n.Asked, n.Failed, n.Err))
			}
			return r
		}
		oneByOne, together := &keeper{errs: tt.errs}, &keeper{errs: tt.errs}
		want := try(oneByOne, func(s *Setter, v *volume.Volume, on vfs.Node, ops []metadata.Op, o *outcome) (err error) {
			for ; len(ops) > 0 && err == nil; ops = ops[1:] {
				err = s.applyFirst(1, v, on, nil, ops, o)
			}
			return err
		})
		got := try(together, func(s *Setter, v *volume.Volume, on vfs.Node, ops []metadata.Op, o *outcome) error {
			return s.apply(v, on, nil, ops, o)
		})
		if g, w := got.String(), want.String(); g != w || !errors.Is(got.err, tt.fatal) {
			t.Errorf("%s: %s, want %s", tt.name, g, w)
		}
		if tt.name != "none can" && !slices.Equal(together.did, oneByOne.did) { // one by one stops trying there
			t.Errorf("%s: did %q, want %q", tt.name, together.did, oneByOne.did)
		}
		if !slices.Equal(together.requests, tt.requests) {
			t.Errorf("%s: requests of %v operations, want %v", tt.name, together.requests, tt.requests)
		}
	}
}

// A lostKeeper has lost the connection.
type lostKeeper struct{ keeper }

func (*lostKeeper) Set([]vfs.Change) []error { return []error{&vfs.LostError{Host: "far"}} }

func TestALostConnectionIsReportedAsSuch(t *testing.T) {
	for _, first := range []metadata.Op{
		{Class: metadata.Flags, Never: true},
		{Class: metadata.Xattrs, Xattr: metadata.Xattr{Name: "user.a"}},
		{Class: metadata.Mode},
	} {
		var table volume.Table
		v := table.Of(onFar{volume: vfs.Volume{Network: true, KeepsAttrs: true}}, vfs.Attr{})
		s := Setter{Policy: &Policy{Source: metadata.Native(), Dest: metadata.Native()}}
		err := s.apply(v, new(lostKeeper), nil, []metadata.Op{first, {Class: metadata.Times}}, new(outcome))
		if _, ok := errors.AsType[*vfs.LostError](err); !ok {
			t.Errorf("%v: %v", first.Class, err)
		}
	}
}

// carrying is a directory, and a file in it that counts how often it is looked at.
type carrying struct {
	vfs.Dir
	caps vfs.Caps
}

func (d carrying) Caps() vfs.Caps { return d.caps }

type looked struct {
	vfs.File
	looks int
}

func (f *looked) Statx(vfs.StatxWant) (vfs.Attr, error) {
	f.looks++
	return vfs.Attr{UID: 7, GID: 8}, nil
}

// TestOwnersFarAwayAreSetUnseen makes a file as user 5 in the groups 6 and 9, or as root.
func TestOwnersFarAwayAreSetUnseen(t *testing.T) {
	keeps := vfs.Volume{Network: true, KeepsAttrs: true}
	both := metadata.Keep{Owner: true, Group: true}
	ignores := keeps
	ignores.OwnersIgnored = true
	for _, tt := range []struct {
		name   string
		volume vfs.Volume
		caps   vfs.Caps
		keep   metadata.Keep
		user   int
		want   vfs.Attr // with the directory's group 20
		looks  int
		uid    uint32
		gid    uint32
	}{
		{"root", keeps, vfs.CanCreateAsync, both, 0, vfs.Attr{UID: 1, GID: 2}, 0, ^uint32(0), ^uint32(0)},
		{"a user, a group of theirs", keeps, vfs.CanCreateAsync, both, 5, vfs.Attr{UID: 1, GID: 9}, 0, 5, ^uint32(0)},
		{"a user, another group", keeps, vfs.CanCreateAsync, both, 5, vfs.Attr{UID: 1, GID: 10}, 0, 5, ^uint32(0)},
		{"a user, the group of the directory", keeps, vfs.CanCreateAsync, both, 5, vfs.Attr{UID: 1, GID: 20}, 1, 7, 8},
		{"set-id bits", keeps, vfs.CanCreateAsync, both, 0, vfs.Attr{Mode: fs.ModeSetuid, UID: 1, GID: 2}, 0, ^uint32(0), ^uint32(0)},
		{"set-id bits without a group", keeps, vfs.CanCreateAsync, metadata.Keep{Owner: true}, 0, vfs.Attr{Mode: fs.ModeSetgid, UID: 1, GID: 2}, 1, 7, 8},
		{"owners are ignored", ignores, vfs.CanCreateAsync, both, 0, vfs.Attr{UID: 1, GID: 2}, 1, 7, 8},
		{"one by one", keeps, 0, both, 0, vfs.Attr{UID: 1, GID: 2}, 1, 7, 8},
		{"not far away", vfs.Volume{KeepsAttrs: true}, vfs.CanCreateAsync, both, 0, vfs.Attr{UID: 1, GID: 2}, 1, 7, 8},
		{"nothing is kept", keeps, vfs.CanCreateAsync, metadata.Keep{}, 0, vfs.Attr{UID: 1, GID: 2}, 0, 1, 2},
	} {
		var table volume.Table
		dir := carrying{caps: tt.caps}
		v := Volumes{Dest: table.Of(onFar{volume: tt.volume}, vfs.Attr{})}
		s := Setter{Policy: &Policy{
			Keep: tt.keep, User: vfs.User{UID: tt.user, GID: 6, Groups: []int{9}},
			Source: metadata.Native(), Dest: metadata.Native(),
		}}
		f := new(looked)
		_, _, err := s.Created(v, dir, dir, &Inherited{Made: true, GID: 20}, f, 0o600, &Desired{Want: metadata.State{Attr: tt.want}})
		if err != nil || f.looks != tt.looks || s.now.UID != tt.uid || s.now.GID != tt.gid {
			t.Errorf("%s: looked %d times, %d:%d, %v; want %d times, %d:%d", tt.name, f.looks, s.now.UID, s.now.GID, err, tt.looks, tt.uid, tt.gid)
		}
	}
}

package vfs

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// A recorder is an entry that records what is done to it. Operations fail as errs says, by their names.
type recorder struct {
	errs map[string]error
	done []string
}

func (r *recorder) do(op string) error {
	r.done = append(r.done, op)
	name, _, _ := strings.Cut(op, " ")
	return cmp.Or(r.errs[op], r.errs[name])
}

func (r *recorder) set(c *Change) error {
	switch c.Kind {
	case OwnerChange:
		return r.do(fmt.Sprintf("chown %d:%d", c.UID, c.GID))
	case ModeChange:
		return r.do("chmod " + c.Mode.String())
	case FlagsChange:
		return r.do(fmt.Sprintf("chflags %#x", c.Flags))
	}
	return r.do(c.Kind.String())
}

func TestSetEach(t *testing.T) {
	owner := Change{Kind: OwnerChange, UID: 1, GID: -1}
	both := Change{Kind: OwnerChange, UID: 1, GID: 2}
	setID := Change{Kind: ModeChange, Mode: fs.ModeSetuid | 0o755}
	onlySetID := Change{Kind: ModeChange, Mode: fs.ModeSetuid | 0o755, OnlySetID: true}
	xattr := Change{Kind: XattrChange, Xattr: "user.a"}
	removal := Change{Kind: XattrRemoval, Xattr: "user.a"}
	times := Change{Kind: TimesChange}
	flags := Change{Kind: FlagsChange, Flags: 7, UserFlags: 3, DOSFlags: 1}
	for _, tt := range []struct {
		name    string
		changes []Change
		errs    map[string]error
		done    string
		want    []error
	}{
		{"nothing", nil, nil, "", nil},
		{"all goes well", []Change{owner, setID, times}, nil, "chown 1:-1, chmod urwxr-xr-x, chtimes", nil},
		{"places kept for others", []Change{{}, {}, times}, nil, "chtimes", nil},
		{
			"an owner that cannot be kept withholds set-id bits",
			[]Change{owner, setID, times},
			map[string]error{"chown": syscall.EPERM},
			"chown 1:-1, chmod -rwxr-xr-x, chtimes",
			[]error{syscall.EPERM, nil, nil},
		},
		{
			"and a mode that only adds them",
			[]Change{owner, onlySetID, times},
			map[string]error{"chown": syscall.EPERM},
			"chown 1:-1, chtimes",
			[]error{syscall.EPERM, nil, nil},
		},
		{
			"a group is set alone, which does not give its rights",
			[]Change{both, setID},
			map[string]error{"chown 1:2": syscall.EPERM},
			"chown 1:2, chown -1:2, chmod -rwxr-xr-x",
			[]error{syscall.EPERM, nil},
		},
		{
			"not even the group can be set",
			[]Change{both},
			map[string]error{"chown": syscall.EPERM},
			"chown 1:2, chown -1:2",
			[]error{syscall.EPERM},
		},
		{
			"an owner that fails otherwise",
			[]Change{both, setID, times},
			map[string]error{"chown": syscall.EIO},
			"chown 1:2",
			[]error{syscall.EIO, ErrNotTried, ErrNotTried},
		},
		{
			"a mode that cannot be kept",
			[]Change{setID, times},
			map[string]error{"chmod": errors.ErrUnsupported},
			"chmod urwxr-xr-x, chtimes",
			[]error{errors.ErrUnsupported, nil},
		},
		{
			"times that fail last",
			[]Change{setID, times},
			map[string]error{"chtimes": syscall.EIO},
			"chmod urwxr-xr-x, chtimes",
			[]error{nil, syscall.EIO},
		},
		{
			"an extended attribute that fails",
			[]Change{xattr, times},
			map[string]error{"setxattr": syscall.ENOSPC},
			"setxattr, chtimes",
			[]error{syscall.ENOSPC, nil},
		},
		{"an extended attribute that is not there", []Change{removal}, map[string]error{"removexattr": syscall.ENOENT}, "removexattr", []error{syscall.ENOENT}},
		{
			"flags of root that not even root may set",
			[]Change{flags},
			map[string]error{"chflags 0x7": syscall.EPERM},
			"chflags 0x7, chflags 0x3",
			[]error{syscall.EPERM},
		},
		{
			"flags that the volume lacks",
			[]Change{flags},
			map[string]error{"chflags 0x7": syscall.EINVAL},
			"chflags 0x7, chflags 0x1",
			[]error{syscall.EINVAL},
		},
	} {
		r := &recorder{errs: tt.errs}
		changes := slices.Clone(tt.changes)
		errs := SetEach(changes, r.set)
		if !slices.EqualFunc(errs, tt.want, errors.Is) {
			t.Errorf("%s: %v, want %v", tt.name, errs, tt.want)
		}
		if got := strings.Join(r.done, ", "); got != tt.done {
			t.Errorf("%s: did %s, want %s", tt.name, got, tt.done)
		}
		if !reflect.DeepEqual(changes, tt.changes) {
			t.Errorf("%s: the changes were changed: %+v", tt.name, changes)
		}
	}
}

func TestFirstFatal(t *testing.T) {
	changes := []Change{{Kind: XattrChange}, {Kind: ModeChange}, {Kind: TimesChange}}
	for _, tt := range []struct {
		errs []error
		want error
	}{
		{nil, nil},
		{[]error{nil, nil, nil}, nil},
		{[]error{syscall.EIO, syscall.EPERM, errors.ErrUnsupported}, nil},
		{[]error{nil, syscall.EIO}, syscall.EIO},
		{[]error{nil, syscall.EPERM, syscall.EACCES}, syscall.EACCES},
	} {
		if got := FirstFatal(changes, tt.errs); got != tt.want {
			t.Errorf("%v: %v, want %v", tt.errs, got, tt.want)
		}
	}
}

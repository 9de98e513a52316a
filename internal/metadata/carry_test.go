package metadata

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"psync/internal/vfs"
)

// A recorder is an entry that records what is done to it. Operations fail as errs says, by their names.
type recorder struct {
	vfs.UnsupportedNode
	errs map[string]error
	done []string
}

func (r *recorder) do(op string) error {
	r.done = append(r.done, op)
	name, _, _ := strings.Cut(op, " ")
	return r.errs[name]
}

func (r *recorder) Stat() (vfs.Attr, error)              { return vfs.Attr{}, r.do("stat") }
func (r *recorder) Chown(uid, gid int) error             { return r.do("chown") }
func (r *recorder) Chmod(mode fs.FileMode) error         { return r.do("chmod " + mode.String()) }
func (r *recorder) Chtimes(_, _ time.Time) error         { return r.do("chtimes") }
func (r *recorder) SetXattr(name string, _ []byte) error { return r.do("setxattr") }
func (r *recorder) SetFlags(uint32) error                { return r.do("setflags") }
func (r *recorder) Close() error                         { return nil }

func TestCarry(t *testing.T) {
	owner := Op{Class: Owner, UID: 1, GID: -1}
	setID := Op{Class: Mode, Mode: fs.ModeSetuid | 0o755}
	onlySetID := Op{Class: Mode, Mode: fs.ModeSetuid | 0o755, OnlySetID: true}
	xattr := Op{Class: Xattrs, Xattr: Xattr{Name: "user.a"}}
	long := Op{Class: LateXattr, Xattr: Xattr{Name: "user.long", Long: true}}
	times := Op{Class: Times}
	unlock := Op{Class: Unlock, Quiet: true}
	never := Op{Class: Flags, Never: true}
	rename := Op{Class: Rename}
	for _, tt := range []struct {
		name string
		ops  []Op
		errs map[string]error
		done string
		want []error
	}{
		{"nothing", nil, nil, "", []error{}},
		{"all goes well", []Op{owner, setID, times}, nil, "chown, chmod urwxr-xr-x, chtimes", []error{nil, nil, nil}},
		{"what is not tried", []Op{never, rename, times}, nil, "chtimes", []error{nil, nil, nil}},
		{
			"an owner that cannot be kept withholds set-id bits",
			[]Op{owner, setID, times},
			map[string]error{"chown": syscall.EPERM},
			"chown, chmod -rwxr-xr-x, chtimes",
			[]error{syscall.EPERM, nil, nil},
		},
		{
			"and a mode that only adds them",
			[]Op{owner, onlySetID, times},
			map[string]error{"chown": syscall.EPERM},
			"chown, chtimes",
			[]error{syscall.EPERM, nil, nil},
		},
		{
			"an owner that fails otherwise",
			[]Op{owner, setID, times},
			map[string]error{"chown": syscall.EIO},
			"chown",
			[]error{syscall.EIO, ErrNotTried, ErrNotTried},
		},
		{
			"a mode that cannot be kept",
			[]Op{setID, times},
			map[string]error{"chmod": errors.ErrUnsupported},
			"chmod urwxr-xr-x, chtimes",
			[]error{errors.ErrUnsupported, nil},
		},
		{
			"times that fail last",
			[]Op{setID, times},
			map[string]error{"chtimes": syscall.EIO},
			"chmod urwxr-xr-x, chtimes",
			[]error{nil, syscall.EIO},
		},
		{
			"an extended attribute that fails",
			[]Op{xattr, times},
			map[string]error{"setxattr": syscall.ENOSPC},
			"setxattr, chtimes",
			[]error{syscall.ENOSPC, nil},
		},
		{"a long attribute without a source", []Op{long, times}, nil, "chtimes", []error{errors.ErrUnsupported, nil}},
		{
			"a quiet operation",
			[]Op{unlock, times},
			map[string]error{"setflags": syscall.EPERM},
			"setflags, chtimes",
			[]error{syscall.EPERM, nil},
		},
	} {
		r := &recorder{errs: tt.errs}
		ops := slices.Clone(tt.ops)
		errs := Carry(r, nil, ops)
		if !slices.Equal(errs, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, errs, tt.want)
		}
		if got := strings.Join(r.done, ", "); got != tt.done {
			t.Errorf("%s: did %s, want %s", tt.name, got, tt.done)
		}
		for i := range ops {
			if ops[i].Mode != tt.ops[i].Mode || ops[i].Never != tt.ops[i].Never {
				t.Errorf("%s: operation %d was changed: %+v", tt.name, i, ops[i])
			}
		}
	}
}

func TestFirstFatal(t *testing.T) {
	ops := []Op{{Class: Xattrs}, {Class: Mode}, {Class: Times}}
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
		if got := FirstFatal(ops, tt.errs); got != tt.want {
			t.Errorf("%v: %v, want %v", tt.errs, got, tt.want)
		}
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

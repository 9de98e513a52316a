package attrs

import (
	"errors"
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

// aclChecker is a directory that records how often it was asked for a default ACL.
type aclChecker struct {
	vfs.Dir
	asked int
}

func (d *aclChecker) HasDefaultACL() bool { d.asked++; return true }

func TestHasDefaultACL(t *testing.T) {
	for _, tt := range []struct {
		name      string
		inherited *Inherited
		want      bool
		asks      int
	}{
		{"it was there", &Inherited{}, true, 1},
		{"made by the run", &Inherited{Made: true}, false, 0},
		{"made by the run, which knows", &Inherited{Made: true, DefaultACL: true}, true, 0},
	} {
		d := new(aclChecker)
		for range 2 {
			if got := tt.inherited.HasDefaultACL(d); got != tt.want {
				t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
			}
		}
		if d.asked != tt.asks {
			t.Errorf("%s: asked %d times, want %d", tt.name, d.asked, tt.asks)
		}
	}
	if new(Inherited).HasDefaultACL(nil) {
		t.Error("a directory that a dry run lacks has a default ACL")
	}
}

func TestForgive(t *testing.T) {
	eio, eperm := &fs.PathError{Op: "set", Path: "f", Err: syscall.EIO}, &fs.PathError{Op: "set", Path: "f", Err: syscall.EPERM}
	for _, tt := range []struct {
		class  metadata.Class
		err    error
		silent bool
		note   string
		fails  bool
	}{
		{class: metadata.Mode, err: eperm, note: "operation not permitted"},
		{class: metadata.Xattrs, err: eio, note: "could not be set: input/output error", fails: true},
		{class: metadata.Xattrs, err: eio, silent: true, note: "could not be set: input/output error", fails: true},
		{class: metadata.Xattrs, err: eperm, note: "operation not permitted"},
		{class: metadata.Xattrs, err: eperm, silent: true},
		{class: metadata.ACLs, err: errIgnored, note: "ignored by the volume"},
	} {
		s := Setter{Policy: &Policy{Keep: metadata.Keep{Silent: tt.silent, Asked: report.Xattrs}}}
		op := metadata.Op{Class: tt.class, Attr: report.Xattrs, Diff: report.DiffXattr}
		var r outcome
		s.forgive(&op, tt.err, &r)
		if r.flawed != tt.fails || r.notes.Failed() != tt.fails {
			t.Errorf("%+v: noted %+v", tt, r)
		}
		if tt.note == "" && r.notes != nil || tt.note != "" && (len(r.notes) != 1 || !strings.Contains(r.notes[0].Err.Error(), tt.note)) {
			t.Errorf("%+v: noted %+v", tt, r.notes)
		}
		if op.Diff != 0 || !op.Never {
			t.Errorf("%+v: the difference was made up for: %+v", tt, op)
		}
	}
}

// TestFailedNotes has attributes that cannot be read, because the disk is full or because the entry is gone.
func TestFailedNotes(t *testing.T) {
	for _, tt := range []struct {
		at    side
		errno syscall.Errno
		bare  bool // the error says what that of the entry does
	}{
		{onSource, syscall.ENOENT, true},
		{onDest, syscall.ENOENT, false},
		{onSource, syscall.ENOSPC, false},
		{onDest, syscall.ENOSPC, false},
	} {
		var notes Notes
		notes.addFailed(bool(tt.at), report.ACLs, "read", tt.errno)
		if n := notes[0]; errors.Is(n.Err, fs.ErrNotExist) != tt.bare || errors.Is(n.Err, tt.errno) || n.OnSource != bool(tt.at) || !n.Failed {
			t.Errorf("%+v: %+v", tt, n)
		}
	}
}

func TestSplit(t *testing.T) {
	p := *metadata.Native()
	p.LockFlags = 2
	p.BindsOwner = func(value []byte) bool { return string(value) == "deny" }
	ops := []metadata.Op{
		{Class: metadata.Owner},
		{Class: metadata.Mode},
		{Class: metadata.ACLs, Xattr: metadata.Xattr{Value: []byte("allow")}},
		{Class: metadata.ACLs, Xattr: metadata.Xattr{Value: []byte("deny")}},
		{Class: metadata.ACLs, Xattr: metadata.Xattr{Value: []byte("deny")}, Remove: true},
		{Class: metadata.Times},
		{Class: metadata.Flags, Flags: 1},
		{Class: metadata.Flags, Flags: 3},
	}
	for _, tt := range []struct {
		mode          fs.FileMode
		closes, times bool
		later         []int
	}{
		{0o755, true, false, []int{3, 7}},
		{0o755, false, true, []int{3, 5, 7}},
		{0o555, false, false, []int{3, 7}},
		{0o555, true, false, []int{1, 2, 3, 4, 7}},
	} {
		s := Setter{Policy: &Policy{Dest: &p}}
		u := Update{o: &Desired{Want: metadata.State{Attr: vfs.Attr{Mode: fs.ModeDir | tt.mode}}}, ops: slices.Clone(ops)}
		later := s.Split(&u, tt.closes, tt.times)
		var want []metadata.Op
		for _, i := range tt.later {
			want = append(want, ops[i])
		}
		same := func(a, b metadata.Op) bool {
			return a.Class == b.Class && a.Flags == b.Flags && a.Remove == b.Remove && string(a.Xattr.Value) == string(b.Xattr.Value)
		}
		if !slices.EqualFunc(later, want, same) || len(u.ops) != len(ops)-len(want) {
			t.Errorf("%+v: later %+v, now %+v", tt, later, u.ops)
		}
	}
}

// TestLocksOfLinkedEntriesWait separates operations from those that lock entries with one name or several.
func TestLocksOfLinkedEntriesWait(t *testing.T) {
	p := *metadata.Native()
	p.LockFlags = 2
	ops := []metadata.Op{{Class: metadata.Mode}, {Class: metadata.Flags, Flags: 3}}
	for _, tt := range []struct {
		hardLinks bool
		nlink     uint64
		want      int
	}{{true, 2, 1}, {true, 1, 2}, {false, 2, 2}} {
		s := Setter{Policy: &Policy{Dest: &p, HardLinks: tt.hardLinks}}
		now, locks := s.withoutLocks(&Desired{Want: metadata.State{Attr: vfs.Attr{Nlink: tt.nlink}}}, ops)
		if len(now) != tt.want || len(now)+len(locks) != len(ops) {
			t.Errorf("%+v: now %v, locks %v", tt, now, locks)
		}
	}
}

// TestUnchangedFilesCostNoMemory plans, applies and verifies when there is nothing to change.
func TestUnchangedFilesCostNoMemory(t *testing.T) {
	s := Setter{Policy: &Policy{Keep: metadata.Keep{Modes: true, Mtime: true}, Source: metadata.Native(), Dest: metadata.Native()}}
	v := Volumes{Source: new(volume.Volume), Dest: new(volume.Volume)}
	attr := vfs.Attr{Mode: 0o644}
	allocs := testing.AllocsPerRun(100, func() {
		o, notes := s.Desired(v, nil, attr)
		u, more := s.Observe(v, nil, vfs.Entry{Name: "f"}, attr)
		s.PlanUpdate(v, &u, o)
		if notes != nil || more != nil || !u.IsEmpty() {
			t.Fatalf("%v, %v, %v", notes, more, u.ops)
		}
		u.Close()
	})
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

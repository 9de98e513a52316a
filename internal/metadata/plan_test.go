package metadata

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"psync/internal/vfs"
)

// describe describes operations, including the relevant values. Operations that are not tried are in parentheses.
func describe(ops []Op) string {
	var words []string
	for _, op := range ops {
		w := ""
		switch op.Class {
		case Grant:
			w = fmt.Sprintf("grant %o", op.Mode.Perm())
		case Owner:
			w = fmt.Sprintf("chown %d:%d", op.UID, op.GID)
		case Mode:
			w = fmt.Sprintf("chmod %o", vfs.UnixMode(op.Mode))
		case Times:
			w = "times"
		case Btime:
			w = "btime"
		case Rename:
			w = "rename"
		case Unlock:
			w = fmt.Sprintf("unlock %#x", op.Flags)
		case Flags:
			w = fmt.Sprintf("flags %#x", op.Flags)
		default:
			w = "+" + op.Xattr.Name
			if op.Remove {
				w = "-" + op.Xattr.Name
			}
		}
		if op.Never {
			w = "(" + w + ")"
		}
		words = append(words, w)
	}
	return strings.Join(words, ", ")
}

// everything is a Keep that keeps all attributes.
var everything = Keep{Modes: true, Perms: true, Owner: true, Group: true, Mtime: true, Atime: true, Btime: true, Flags: true, ACLs: true, Xattrs: true}

var (
	root  = vfs.User{}
	alice = vfs.User{UID: 501, GID: 20, Groups: []int{80}}
)

// wornBy returns a state of an entry of a user with some extended attributes.
func wornBy(u vfs.User, mode fs.FileMode, xattrs ...Xattr) State {
	return State{
		Attr:   vfs.Attr{Mode: mode, UID: uint32(u.UID), GID: uint32(u.GID), Mtime: now, Atime: now, Btime: now.Add(-time.Hour)},
		Xattrs: xattrs,
	}
}

func TestPlanOfEachSystem(t *testing.T) {
	const lockedDarwin, lockedBSD, lockedLinux = 0x2, 0x2 | 0x10, 0x10
	tag := Xattr{Name: "com.apple.metadata:_kMDItemUserTags", Value: []byte("red")}
	old := Xattr{Name: "org.example.old", Value: []byte("1")}
	stamp := Xattr{Name: "com.apple.provenance", Value: []byte("stamp")}
	denied := Xattr{Name: securityName, Value: acl(filesecACE{everyone, deny, mayDelete})}
	user := Xattr{Name: "user.comment", Value: []byte("x")}
	caps := Xattr{Name: "security.capability", Value: []byte("cap")}
	posixed := Xattr{Name: posixAccess, Value: posix(withUser(0o444)...)}
	bsdLate := Xattr{Name: "system.backup", Value: []byte("y")}

	later := func(s State) State {
		s.Mtime, s.Btime = now.Add(time.Hour), now
		return s
	}
	with := func(s State, flags uint32) State {
		s.Flags = flags
		return s
	}
	tests := []struct {
		name     string
		profile  *Profile
		user     vfs.User
		src, dst State
		want     string
	}{
		{
			"macOS: locked and read-only, with ACL and tags, to a new file", Darwin, alice,
			with(wornBy(alice, 0o444, tag, denied), lockedDarwin), later(wornBy(alice, 0o600, stamp)),
			"+com.apple.metadata:_kMDItemUserTags, chmod 444, times, btime, rename, +com.apple.system.Security, flags 0x2",
		},
		{
			"macOS: onto a read-only one", Darwin, alice,
			with(wornBy(alice, 0o444, tag), lockedDarwin), wornBy(alice, 0o444, old, stamp),
			"grant 644, -org.example.old, +com.apple.metadata:_kMDItemUserTags, chmod 444, times, rename, flags 0x2",
		},
		{
			"macOS: onto a read-only one, by root", Darwin, root,
			wornBy(alice, 0o444, tag), wornBy(root, 0o444, old),
			"-org.example.old, +com.apple.metadata:_kMDItemUserTags, chown 501:20, times, rename",
		},
		{
			"macOS: what is locked", Darwin, alice,
			with(wornBy(alice, 0o644, tag, denied), lockedDarwin), with(wornBy(alice, 0o600, denied), lockedDarwin),
			"unlock 0x0, -com.apple.system.Security, +com.apple.metadata:_kMDItemUserTags, chmod 644, times, rename, +com.apple.system.Security, flags 0x2",
		},
		{
			"macOS: what is locked, and is not to be", Darwin, alice,
			wornBy(alice, 0o644), with(wornBy(alice, 0o600), lockedDarwin|0x8000), "unlock 0x8000, chmod 644, rename, flags 0x0",
		},
		{
			"macOS: what is only to be unlocked", Darwin, alice,
			wornBy(alice, 0o644), with(wornBy(alice, 0o644), lockedDarwin), "rename, flags 0x0",
		},
		{
			"macOS: what root has locked, by another", Darwin, alice,
			wornBy(alice, 0o644), with(wornBy(alice, 0o600), lockedDarwin|0x20000), "chmod 644, rename, flags 0x20000",
		},
		{
			"macOS: what root has locked, by root", Darwin, root,
			wornBy(root, 0o644), with(wornBy(root, 0o600), 0x20000), "unlock 0x0, chmod 644, rename, flags 0x0",
		},
		{"macOS: a stamp of its own", Darwin, alice, wornBy(alice, 0o644), wornBy(alice, 0o644, stamp), ""},
		{"macOS: an ACL goes, by root", Darwin, root, wornBy(alice, 0o644), wornBy(alice, 0o644, denied), "rename, -com.apple.system.Security"},
		{"macOS: an ACL goes that may deny that", Darwin, alice, wornBy(alice, 0o644), wornBy(alice, 0o644, denied), "-com.apple.system.Security, rename"},
		{"macOS: an ACL stays that denies nothing else", Darwin, alice, wornBy(alice, 0o644, denied), wornBy(alice, 0o644, denied), ""},
		{
			"macOS: an ACL is out of the way for a while", Darwin, alice,
			wornBy(alice, 0o644, tag, denied), wornBy(alice, 0o644, denied),
			"-com.apple.system.Security, +com.apple.metadata:_kMDItemUserTags, times, rename, +com.apple.system.Security",
		},
		{
			"macOS: a link", Darwin, root,
			with(wornBy(alice, fs.ModeSymlink|0o755, tag), 0x8000), wornBy(root, fs.ModeSymlink|0o777),
			"+com.apple.metadata:_kMDItemUserTags, chown 501:20, chmod 755, times, rename, flags 0x8000",
		},
		{
			"macOS: a read-only link", Darwin, alice,
			wornBy(alice, fs.ModeSymlink|0o555, tag), wornBy(alice, fs.ModeSymlink|0o555),
			"grant 755, +com.apple.metadata:_kMDItemUserTags, chmod 555, times, rename",
		},
		{
			"macOS: a directory", Darwin, root,
			with(wornBy(alice, fs.ModeDir|fs.ModeSetgid|0o750, denied), 0x8000), later(wornBy(root, fs.ModeDir|0o700)),
			"chown 501:20, chmod 2750, times, btime, rename, +com.apple.system.Security, flags 0x8000",
		},
		{
			"macOS: flags of root, by another", Darwin, alice,
			with(wornBy(alice, 0o644), 0x20002), wornBy(alice, 0o644),
			"rename, flags 0x2",
		},
		{
			"macOS: flags that no user sets", Darwin, root,
			with(wornBy(alice, 0o644), 0x40000020), with(wornBy(alice, 0o644), 0x80000), "",
		},

		{
			"Linux: everything, by root", Linux, root,
			with(wornBy(alice, fs.ModeSetuid|0o444, caps, posixed, user), lockedLinux|0x40), later(wornBy(root, 0o600)),
			"+user.comment, chown 501:20, chmod 4444, +system.posix_acl_access, +security.capability, times, rename, flags 0x50",
		},
		{
			"Linux: onto a read-only one", Linux, alice,
			with(wornBy(alice, 0o444, caps, posixed, user), lockedLinux|0x40), wornBy(alice, 0o444),
			"grant 644, +user.comment, chmod 444, +system.posix_acl_access, (+security.capability), rename, flags 0x40",
		},
		{
			"Linux: onto a read-only one, by root", Linux, root,
			wornBy(root, 0o444, user), wornBy(root, 0o444),
			"+user.comment, rename",
		},
		{
			"Linux: a change of owner takes capabilities away", Linux, root,
			wornBy(alice, 0o755, caps, user), wornBy(root, 0o755, caps, user),
			"chown 501:20, +security.capability, rename",
		},
		{
			"Linux: what is immutable", Linux, root,
			with(wornBy(root, 0o644), lockedLinux), with(wornBy(root, 0o600), lockedLinux), "unlock 0x0, chmod 644, rename, flags 0x10",
		},
		{
			"Linux: what is immutable, by another", Linux, alice,
			with(wornBy(alice, 0o644), lockedLinux), with(wornBy(alice, 0o600), lockedLinux), "chmod 644, rename",
		},
		{
			"Linux: links have no mode", Linux, root,
			wornBy(root, fs.ModeSymlink|0o777), wornBy(root, fs.ModeSymlink|0o755), "",
		},
		{
			"Linux: a directory", Linux, root,
			wornBy(alice, fs.ModeDir|fs.ModeSticky|0o755, Xattr{Name: posixDefault, Value: posix(withUser(0o750)...)}), later(wornBy(root, fs.ModeDir|0o700)),
			"chown 501:20, chmod 1755, +system.posix_acl_default, times, rename",
		},
		{
			"Linux: a fifo", Linux, root,
			wornBy(alice, fs.ModeNamedPipe|0o644), later(wornBy(root, fs.ModeNamedPipe|0o600)),
			"chown 501:20, chmod 644, times, rename",
		},

		{
			"FreeBSD: everything, by root", FreeBSD, root,
			with(wornBy(alice, fs.ModeSetgid|0o555, bsdLate, Xattr{Name: bsdPosixAccess, Value: posixBSD(withUser(0o555)...)}, user), lockedBSD), later(wornBy(root, 0o600)),
			"+user.comment, chown 501:20, chmod 2555, +system.posix1e.acl_access, +system.backup, btime, times, rename, flags 0x12",
		},
		{
			"FreeBSD: onto a read-only one", FreeBSD, alice,
			with(wornBy(alice, 0o444, bsdLate, user), 0x20002), wornBy(alice, 0o444),
			"grant 644, +user.comment, chmod 444, (+system.backup), rename, flags 0x2",
		},
		{
			"FreeBSD: born later than what is there", FreeBSD, root,
			later(wornBy(root, 0o644)), wornBy(root, 0o644), "(btime), times, rename",
		},
		{
			"FreeBSD: a link", FreeBSD, alice,
			with(wornBy(alice, fs.ModeSymlink|0o755), 0x8000), wornBy(alice, fs.ModeSymlink|0o777),
			"chmod 755, rename, flags 0x8000",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ops := tt.profile.Plan(nil, everything, PlanContext{User: tt.user}, &tt.src, &tt.dst)
			if got := describe(ops); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestNewFlags(t *testing.T) {
	tests := []struct {
		name     string
		profile  *Profile
		src, dst uint32
		root     bool
		want     uint32
	}{
		{"lock", Darwin, 0x2, 0, false, 0x2},
		{"unlock", Darwin, 0, 0x2, false, 0},
		{"hidden", Darwin, 0x8000, 0x1, false, 0x8000},
		{"of root, by root", Darwin, 0x20000, 0x40000, true, 0x20000},
		{"of root, by another", Darwin, 0x20000, 0x40000, false, 0x40000},
		{"compressed, tracked, restricted, dataless stay", Darwin, 0x40, 0x40080020, true, 0x40080020},
		{"immutable on Linux", Linux, 0x10, 0x80000, true, 0x80010},
		{"extents are not copied", Linux, 0x80000, 0, true, 0},
		{"archive on FreeBSD", FreeBSD, 0x800, 0x100, false, 0x900},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.profile.NewFlags(tt.src, tt.dst, tt.root); got != tt.want {
				t.Errorf("%#x, want %#x", got, tt.want)
			}
		})
	}
}

// TestPlanAppends checks that Plan keeps existing operations, and keeps Rename only where it is needed.
func TestPlanAppends(t *testing.T) {
	src, dst := wornBy(root, 0o644), wornBy(root, 0o600)
	first := []Op{{Class: Rename}, {Class: Flags, Flags: 7}}
	if got := describe(Linux.Plan(first, everything, PlanContext{}, &src, &dst)); got != "rename, flags 0x7, chmod 644, rename" {
		t.Errorf("got %q", got)
	}
	if got := describe(Linux.Plan(first, everything, PlanContext{}, &src, &src)); got != "rename, flags 0x7" {
		t.Errorf("got %q where nothing is to be done", got)
	}
	before, after := Cut(Darwin.Plan(nil, Keep{Flags: true}, PlanContext{}, &State{Attr: vfs.Attr{Flags: 2}}, &State{}))
	if len(before) != 0 || describe(after) != "flags 0x2" {
		t.Errorf("before the name %q, after it %q", describe(before), describe(after))
	}
}

func TestPlanAllocatesNothing(t *testing.T) {
	src, dst := wornBy(alice, 0o644), wornBy(root, 0o600)
	dst.Mtime = now.Add(1)
	ops := make([]Op, 0, 8)
	for _, p := range []*Profile{Linux, Darwin, FreeBSD} {
		n := testing.AllocsPerRun(100, func() {
			if len(p.Plan(ops, everything, PlanContext{User: root, SetTimes: true}, &src, &dst)) < 3 {
				t.Fatal("too few operations")
			}
		})
		if n != 0 {
			t.Errorf("%v allocations", n)
		}
	}
}

func BenchmarkPlan(b *testing.B) {
	src, dst := wornBy(alice, 0o644), wornBy(alice, 0o600)
	ops := make([]Op, 0, 8)
	for name, k := range map[string]Keep{"everything": everything, "times": {Mtime: true}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ops = Darwin.Plan(ops[:0], k, PlanContext{User: alice, SetTimes: true}, &src, &dst)
			}
		})
	}
}

package attrs

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"syscall"
	"testing"

	"psync/internal/gnucp/entry"
	"psync/internal/metadata"
	"psync/internal/vfs"
)

const (
	nfs4ACL     = "system.nfs4_acl"
	posixAccess = "system.posix_acl_access"
)

// fakeNode is an entry of a file system that holds the ACLs of one kind. On NFS 4 each entry has an ACL, and the kernel
// refuses to remove it.
type fakeNode struct {
	vfs.Node
	nfs4   bool
	xattrs map[string]string
}

func (n *fakeNode) Xattrs(bool) ([]string, error) { return slices.Sorted(maps.Keys(n.xattrs)), nil }

func (n *fakeNode) Xattr(name string) ([]byte, error) { return []byte(n.xattrs[name]), nil }

func (n *fakeNode) Set(changes []vfs.Change) []error {
	return vfs.SetEach(changes, func(c *vfs.Change) error {
		switch {
		case c.Kind == vfs.XattrChange && (c.Xattr == nfs4ACL) != n.nfs4:
			return syscall.EOPNOTSUPP
		case c.Kind == vfs.XattrChange:
			n.xattrs[c.Xattr] = string(c.Value)
		case c.Kind == vfs.XattrRemoval && c.Xattr == nfs4ACL:
			return syscall.EINVAL
		case c.Kind == vfs.XattrRemoval:
			delete(n.xattrs, c.Xattr)
		}
		return nil
	})
}

func needsLinux(t *testing.T) {
	t.Helper()
	if metadata.Native() != metadata.Linux {
		t.Skip("the names of the ACLs are those of Linux")
	}
}

// nfs4Value returns an ACL that grants something to each of who.
func nfs4Value(who ...string) string {
	p := binary.BigEndian.AppendUint32(nil, uint32(len(who)))
	for _, w := range who {
		for _, v := range []uint32{0, 0, 1, uint32(len(w))} { // type, flags, rights
			p = binary.BigEndian.AppendUint32(p, v)
		}
		p = append(p, w...)
		p = append(p, make([]byte, -len(w)&3)...)
	}
	return string(p)
}

// TestACLsOfNFS4 copies permissions to and from NFS 4 as cp(1) does, which succeeds wherever the mode says everything.
func TestACLsOfNFS4(t *testing.T) {
	needsLinux(t)
	trivial, alice := nfs4Value("OWNER@", "GROUP@", "EVERYONE@"), nfs4Value("OWNER@", "alice@example.org")
	type xattrs map[string]string
	nfs4 := func(acl string) fakeNode { return fakeNode{nfs4: true, xattrs: xattrs{nfs4ACL: acl}} }
	local := func(x xattrs) fakeNode { return fakeNode{xattrs: x} }
	tests := []struct {
		name     string
		src, dst fakeNode
		want     xattrs // of dst
		err      error
	}{
		{"to NFS 4", local(xattrs{}), nfs4(trivial), xattrs{nfs4ACL: trivial}, nil},
		{"to NFS 4, which gave it an ACL", local(xattrs{}), nfs4(alice), xattrs{nfs4ACL: alice}, nil},
		{"from NFS 4", nfs4(trivial), local(xattrs{}), xattrs{}, nil},
		{"from NFS 4, over a file with an ACL", nfs4(trivial), local(xattrs{posixAccess: "x"}), xattrs{}, nil},
		{"from NFS 4, with an ACL", nfs4(alice), local(xattrs{}), xattrs{}, errors.ErrUnsupported},
		{"within NFS 4", nfs4(trivial), nfs4(alice), xattrs{nfs4ACL: trivial}, nil},
		{"within NFS 4, with an ACL", nfs4(alice), nfs4(trivial), xattrs{nfs4ACL: alice}, nil},
		{"an ACL of POSIX to NFS 4", local(xattrs{posixAccess: "x"}), nfs4(trivial), xattrs{nfs4ACL: trivial}, errors.ErrUnsupported},
	}
	for _, test := range tests {
		src, dst := test.src, test.dst
		dst.xattrs = maps.Clone(dst.xattrs)
		err := copyACLs(new(entry.Copy), &sides{src: &src, dst: &dst})
		if !errors.Is(err, test.err) || !maps.Equal(dst.xattrs, test.want) {
			t.Errorf("%s: the copy has %q, %v; want %q, %v", test.name, dst.xattrs, err, test.want, test.err)
		}
	}
}

// TestDefaultModeOnNFS4 gives an entry of NFS 4 the mode of a new one, as cp --no-preserve=mode does.
func TestDefaultModeOnNFS4(t *testing.T) {
	needsLinux(t)
	acl := nfs4Value("OWNER@")
	n := &fakeNode{nfs4: true, xattrs: map[string]string{nfs4ACL: acl}}
	if err := dropACLs(n, isDefaultACL); err != nil || n.xattrs[nfs4ACL] != acl {
		t.Errorf("dropACLs: %v, left %q", err, n.xattrs)
	}
}

package localfs

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
)

// setOrSkip sets an attribute, or skips the test where the file system has none of
// its kind, or the user may not.
func setOrSkip(t testing.TB, n vfs.Node, attr string, value []byte) {
	t.Helper()
	err := vfs.SetXattr(n, attr, value)
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) {
		t.Skip(err)
	}
	mustDo(t, err)
}

func wantValue(t testing.TB, n vfs.Node, attr string, value []byte) {
	t.Helper()
	if got, err := n.Xattr(attr); err != nil || string(got) != string(value) {
		t.Errorf("%s is %x, %v; want %x", attr, got, err, value)
	}
	if names, err := n.Xattrs(false); err != nil || !slices.Contains(names, attr) {
		t.Errorf("attributes %q, %v; want %q", names, err, attr)
	}
}

// acl builds the value of a POSIX ACL from tags, permissions and ids, three
// numbers an entry, as linux/posix_acl_xattr.h has it.
func acl(entries ...uint32) []byte {
	p := []byte{2, 0, 0, 0}
	for e := range slices.Chunk(entries, 3) {
		p = append(p, byte(e[0]), 0, byte(e[1]), 0, byte(e[2]), byte(e[2]>>8), byte(e[2]>>16), byte(e[2]>>24))
	}
	return p
}

// Tags of ACL entries, and the id of those that have none.
const (
	userObj, user, groupObj, mask, other = 0x01, 0x02, 0x04, 0x10, 0x20
	noID                                 = 0xffffffff
)

func TestPosixACLsAreAttributes(t *testing.T) {
	const access, byDefault = "system.posix_acl_access", "system.posix_acl_default"
	d := openTemp(t)
	fstest.Fill(t, d, "file 644\ndir/\nlink -> file")
	value := acl(userObj, 6, noID, user, 4, 12, groupObj, 4, noID, mask, 5, noID, other, 0, noID)

	file := nodeOf(t, d, "file")
	_, err := file.Xattr(access)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	wantErrors(t, err, fs.ErrNotExist, unix.ENODATA)
	setOrSkip(t, file, access, value)
	wantValue(t, file, access, value)
	if a, err := vfs.Stat(file); err != nil || a.Mode != 0o650 {
		t.Errorf("mode %v, %v; want that of the ACL, with its mask for the group", a.Mode, err)
	}
	mustDo(t, vfs.Chmod(file, 0o600))
	wantValue(t, file, access, acl(userObj, 6, noID, user, 4, 12, groupObj, 4, noID, mask, 0, noID, other, 0, noID))
	mustDo(t, vfs.RemoveXattr(file, access))
	_, err = file.Xattr(access)
	wantErrors(t, err, fs.ErrNotExist)

	value = acl(userObj, 7, noID, user, 4, 12, groupObj, 4, noID, mask, 5, noID, other, 0, noID)
	for _, name := range []string{"dir", "."} {
		n := nodeOf(t, d, name)
		mustDo(t, vfs.SetXattr(n, byDefault, value), vfs.SetXattr(n, access, value))
		wantValue(t, n, byDefault, value)
		wantValue(t, n, access, value)
		mustDo(t, vfs.RemoveXattr(n, byDefault), vfs.RemoveXattr(n, access))
	}

	link := nodeOf(t, d, "link")
	wantErrors(t, vfs.SetXattr(link, access, value), errors.ErrUnsupported)
	_, err = link.Xattr(access)
	wantErrors(t, err, errors.ErrUnsupported)
}

// TestCapabilitiesOfAFile sets what setcap cap_net_raw=ep sets, by revision 2.
func TestCapabilitiesOfAFile(t *testing.T) {
	const capability = "security.capability"
	value := []byte{1, 0, 0, 2, 0, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	d := openTemp(t)
	fstest.Fill(t, d, "file 755")
	n := nodeOf(t, d, "file")
	setOrSkip(t, n, capability, value)
	wantValue(t, n, capability, value)
	mustDo(t, vfs.Chmod(n, 0o700))
	wantValue(t, n, capability, value)
	mustDo(t, vfs.Chown(n, os.Geteuid(), -1))
	_, err := n.Xattr(capability)
	wantErrors(t, err, fs.ErrNotExist) // a change of the owner drops it: it has to be set later
}

func TestUserAttributesAreNotForLinksAndFifos(t *testing.T) {
	d := openTemp(t)
	fstest.Fill(t, d, "file 644\nlink -> file\ndangling -> nowhere")
	mkfifo(t, d, "fifo")
	for _, name := range []string{"link", "dangling", "fifo"} {
		n := nodeOf(t, d, name)
		wantErrors(t, vfs.SetXattr(n, "user.a", nil), unix.EPERM, fs.ErrPermission)
		wantErrors(t, vfs.RemoveXattr(n, "user.a"), unix.EPERM, fs.ErrPermission)
		_, err := n.Xattr("user.a")
		wantErrors(t, err, unix.ENODATA, fs.ErrNotExist)
	}
}

func TestTrustedAttributesOfALink(t *testing.T) {
	const attr = "trusted.psync"
	d := openTemp(t)
	fstest.Fill(t, d, "file 644\nlink -> file")
	link := nodeOf(t, d, "link")
	setOrSkip(t, link, attr, []byte("of the link"))
	wantValue(t, link, attr, []byte("of the link"))
	_, err := nodeOf(t, d, "file").Xattr(attr)
	wantErrors(t, err, fs.ErrNotExist)
	mustDo(t, vfs.RemoveXattr(link, attr))
	wantErrors(t, vfs.RemoveXattr(link, attr), fs.ErrNotExist)
}

func TestNamesOfAttributes(t *testing.T) {
	d := openTemp(t)
	name := strings.Repeat("n", 255)
	fstest.Fill(t, d, name+" 644")
	n := nodeOf(t, d, name)
	for _, attr := range []string{"user.\xff\xfe", "user. ", "user.two\nlines", "user." + strings.Repeat("a", 250)} {
		setOrSkip(t, n, attr, []byte(attr))
		wantValue(t, n, attr, []byte(attr))
	}
	for _, attr := range []string{"", "user." + strings.Repeat("a", 251), "user.a\x00b", "nonsense"} {
		if err := vfs.SetXattr(n, attr, nil); err == nil {
			t.Errorf("%.20q could be set", attr)
		}
		if _, err := n.Xattr(attr); err == nil {
			t.Errorf("%.20q could be got", attr)
		}
	}
}

func TestUnreadableFileHasReadableAttributes(t *testing.T) {
	d := openTemp(t)
	fstest.Fill(t, d, "file 200")
	n := nodeOf(t, d, "file")
	setOrSkip(t, n, "user.a", nil)
	if names, err := n.Xattrs(false); err != nil || !slices.Contains(names, "user.a") {
		t.Errorf("attributes %q, %v", names, err)
	}
}

func TestListingNoAttributesCostsNoMemory(t *testing.T) {
	d := openTemp(t)
	fstest.Fill(t, d, "file 644")
	f, err := d.OpenFile("file", vfs.ReadOnly, 0)
	mustDo(t, err)
	defer f.Close()
	for name, n := range map[string]vfs.Node{"name": nodeOf(t, d, "file"), "file": f, "dir": nodeOf(t, d, ".")} {
		if names, err := n.Xattrs(false); err != nil || len(names) != 0 {
			t.Skipf("attributes %q, %v", names, err)
		}
		if n := testing.AllocsPerRun(100, func() { _, _ = n.Xattrs(false) }); n != 0 {
			t.Errorf("%s: %v allocations, want none", name, n)
		}
	}
}

// BenchmarkXattrs asks for the attributes of an entry that has none, which is the usual case.
func BenchmarkXattrs(b *testing.B) {
	d := openTemp(b)
	fstest.Fill(b, d, "file 644")
	b.ReportAllocs()
	for b.Loop() {
		n, err := d.Node("file")
		if err == nil {
			_, err = n.Xattrs(false)
		}
		mustDo(b, err)
	}
}

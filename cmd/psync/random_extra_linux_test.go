package main

import (
	"fmt"
	"testing"

	"golang.org/x/sys/unix"
)

// richPairs is whether pairs have metadata that only some entries have.
const richPairs = true

func (e entry) makeSpecial(path string) error {
	kind, device := uint32(unix.S_IFSOCK), 0
	switch e.kind {
	case 'c':
		kind, device = unix.S_IFCHR, e.extra.device
	case 'b':
		kind, device = unix.S_IFBLK, e.extra.device
	}
	return unix.Mknod(path, kind|0o600, device)
}

// putAttrs gives what is at path the extended attributes of x, which is possible only
// while it can be written.
func (x *extra) putAttrs(path string) error {
	for name, value := range x.attrs {
		if err := unix.Lsetxattr(path, name, []byte(value), 0); err != nil {
			return fmt.Errorf("%s of %q: %w", name, path, err)
		}
	}
	return nil
}

// putACLs gives it the lists, which change the mode.
func (x *extra) putACLs(path string) error {
	for name, list := range map[string][]byte{"system.posix_acl_access": x.access, "system.posix_acl_default": x.inherited} {
		if list == nil {
			continue
		}
		if err := unix.Lsetxattr(path, name, list, 0); err != nil {
			return fmt.Errorf("%s of %q: %w", name, path, err)
		}
	}
	return nil
}

// extras describes the extended metadata of the entry at path.
func extras(path string, st unix.Stat_t, atimes bool) (line string, err error) {
	if atimes && st.Mode&unix.S_IFMT != unix.S_IFDIR { // those of directories rsync does not keep, and of others only seconds
		line = fmt.Sprintf(" accessed %d", st.Atim.Sec)
	}
	if st.Rdev != 0 {
		line += fmt.Sprintf(" device %#x", st.Rdev)
	}
	attrs, err := attributesAt(unix.AT_FDCWD, path)
	if attrs != "" {
		line += " " + attrs
	}
	return line, err
}

// canMountQuietly reports whether mountQuietly works.
func canMountQuietly() bool { return canMount() }

// mountQuietly lets reading change no access times in a directory, for the time of a test.
func mountQuietly(t *testing.T, dir string) {
	t.Helper()
	err := unix.Mount(dir, dir, "", unix.MS_BIND, "")
	if err == nil {
		t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
		err = unix.Mount("", dir, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_NOATIME, "")
	}
	if err != nil {
		t.Fatal(err)
	}
}

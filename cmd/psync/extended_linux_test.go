package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// extended returns the requested metadata of an entry beyond stat(2):
//
//	acl=ENTRIES default=ENTRIES user.name="value" flags=LETTERS
func (l *lister) extended(dirfd int, name string, kind uint32) (s string) {
	if l.acls || l.xattrs {
		s += l.attributesOf(fmt.Sprintf("/proc/self/fd/%d/%s", dirfd, name))
	}
	if l.flagged && (kind == unix.S_IFREG || kind == unix.S_IFDIR) {
		s += flagsOf(dirfd, name)
	}
	return s
}

// attributesOf returns the extended attributes of the entry at path.
func (l *lister) attributesOf(path string) (s string) {
	var list [64 << 10]byte
	n, err := unix.Llistxattr(path, list[:])
	if err != nil {
		return failed("xattrs", err)
	}
	names := strings.Split(string(list[:max(n-1, 0)]), "\x00")
	slices.Sort(names)
	for _, name := range names {
		acl := strings.HasPrefix(name, "system.posix_acl_")
		switch {
		case name == "", name == "security.selinux", acl && !l.acls, !acl && !l.xattrs:
			continue
		}
		var value [64 << 10]byte
		n, err := unix.Lgetxattr(path, name, value[:])
		switch {
		case err != nil:
			s += failed(name, err)
		case acl:
			s += " " + formatACL(name, value[:n])
		case n > 100:
			s += fmt.Sprintf(" %s=%d:%.6x", name, n, sha256.Sum256(value[:n]))
		default:
			s += fmt.Sprintf(" %s=%q", name, value[:n])
		}
	}
	return s
}

// failed stands for a value that could not be read. If the system does not support it, there is none.
func failed(what string, err error) string {
	if errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.ENOTTY) {
		return ""
	}
	return fmt.Sprintf(" %s: %v", what, err)
}

// formatACL returns an ACL in the format of setfacl(1): acl=u::rw-,u:501:r--,g::r--,m::r--,o::---
func formatACL(name string, value []byte) string {
	tags := map[uint16]string{0x01: "u", 0x02: "u", 0x04: "g", 0x08: "g", 0x10: "m", 0x20: "o"} // acl(5)
	kind := map[string]string{"system.posix_acl_access": "acl", "system.posix_acl_default": "default"}[name]
	var entries []string
	for p := value[min(4, len(value)):]; len(p) >= 8; p = p[8:] {
		tag, rights, id := binary.LittleEndian.Uint16(p), binary.LittleEndian.Uint16(p[2:]), binary.LittleEndian.Uint32(p[4:])
		who := ""
		if tag == 0x02 || tag == 0x08 {
			who = fmt.Sprint(id)
		}
		bits := []byte("rwx")
		for i := range bits {
			if rights&(4>>i) == 0 {
				bits[i] = '-'
			}
		}
		entries = append(entries, fmt.Sprintf("%s:%s:%s", tags[tag], who, bits))
	}
	return kind + "=" + strings.Join(entries, ",")
}

// flagsOf returns the flags of chattr(1), except those that are internal to the file system.
func flagsOf(dirfd int, name string) string {
	fd, err := unix.Openat(dirfd, name, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return ""
	}
	defer unix.Close(fd)
	flags, err := unix.IoctlGetInt(fd, unix.FS_IOC_GETFLAGS)
	if err != nil {
		return failed("flags", err)
	}
	var letters bytes.Buffer
	for _, f := range []struct {
		letter byte
		bit    int
	}{{'i', 0x10}, {'a', 0x20}, {'d', 0x40}, {'A', 0x80}} { // linux/fs.h
		if flags&f.bit != 0 {
			letters.WriteByte(f.letter)
		}
	}
	if letters.Len() == 0 {
		return ""
	}
	return " flags=" + letters.String()
}

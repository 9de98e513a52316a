package kernel

import (
	"io/fs"
	"slices"
	"strings"
	"syscall"
)

const (
	decmpfs      = "com.apple.decmpfs"
	resourceFork = "com.apple.ResourceFork"
)

func (*XNU) MayBeLong(name string) bool { return name == resourceFork }

// ofSystem reports in mine whether only the system can set or remove an extended attribute, and in hidden whether only
// the system can see it.
func ofSystem(name string) (mine, hidden bool) {
	switch {
	case strings.HasPrefix(name, "com.apple.system."), name == decmpfs:
		return true, true
	case name == provenance, name == "com.apple.macl", name == "com.apple.rootless":
		return true, false
	}
	return false, false
}

// able returns why an entry cannot have an extended attribute with that name.
func (k *XNU) able(n *Inode, name string) error {
	switch {
	case name == ACLName && (k.FAT || k.NoXattrs || n.Mode.Type() == fs.ModeSymlink):
		return syscall.ENOTSUP
	case name == ACLName:
		return nil
	case k.NoXattrs:
		return syscall.ENOTSUP
	case n.special():
		return syscall.EPERM
	}
	return checkXattr(name, 127)
}

func (k *XNU) Xattrs(n *Inode, acls bool) ([]string, error) {
	if k.NoXattrs {
		return nil, syscall.ENOTSUP
	}
	if err := k.May(n, RightReadXattr); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(n.xattrNames(), func(name string) bool {
		if name == ACLName {
			return !acls
		}
		_, hidden := ofSystem(name)
		return hidden && !k.Free
	}), nil
}

func (k *XNU) Xattr(n *Inode, name string) ([]byte, error) {
	if err := k.able(n, name); err != nil {
		return nil, err
	}
	if name != ACLName {
		if err := k.May(n, RightReadXattr); err != nil {
			return nil, err
		}
		if _, hidden := ofSystem(name); hidden && !k.Free {
			return nil, fs.ErrNotExist
		}
	}
	return n.xattr(name)
}

// SetXattr refuses attributes of the system, and forks of anything but regular files. An ACL may say that it is
// removed.
func (k *XNU) SetXattr(n *Inode, name string, value []byte) error {
	if err := k.mayChange(n, name); err != nil {
		return err
	}
	switch {
	case name == ACLName:
		aces, exists, err := ParseACL(value)
		switch {
		case err != nil:
			return err
		case !exists:
			if !k.serves() {
				delete(n.Xattrs, ACLName)
			}
			return nil
		case k.serves():
			for i := range aces {
				aces[i].Rights |= synchronize
			}
			value = FormatACL(aces...)
		}
	case name == resourceFork && !n.Mode.IsRegular():
		return syscall.EPERM
	}
	n.setXattr(name, value)
	return nil
}

func (k *XNU) RemoveXattr(n *Inode, name string) error {
	if err := k.mayChange(n, name); err != nil {
		return err
	}
	if name == ACLName && k.serves() {
		return nil
	}
	return n.removeXattr(name)
}

// mayChange returns why an extended attribute cannot be set or removed.
func (k *XNU) mayChange(n *Inode, name string) error {
	if err := k.able(n, name); err != nil {
		return err
	}
	if name == ACLName {
		return k.May(n, RightWriteSecurity)
	}
	mine, _ := ofSystem(name)
	if (mine || slices.Contains(k.Refused, name) || name == "com.apple.root.installed" && k.UID != 0) && !k.Free {
		return syscall.EPERM
	}
	return k.May(n, RightWriteXattr)
}

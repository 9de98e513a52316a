package memfs

import (
	"io/fs"
	"strings"
	"syscall"
)

// Mknod makes fifos, sockets and devices.
func (d *memDir) Mknod(name string, mode fs.FileMode, dev uint64) error {
	return d.do("mknod", name, func() error {
		if err := d.kernel.mknod(mode); err != nil {
			return err
		}
		switch mode.Type() {
		case fs.ModeNamedPipe, fs.ModeSocket:
			dev = 0
		case fs.ModeDevice, fs.ModeDevice | fs.ModeCharDevice:
		default:
			return syscall.EINVAL
		}
		n, err := d.makeLocked(d.node, name, mode.Type()|mode.Perm())
		if err != nil {
			return err
		}
		n.Rdev = dev
		return nil
	})
}

// Mkfifo makes a named pipe at a path of existing directories below the root.
func (m *FS) Mkfifo(path string, perm fs.FileMode) error {
	root := handle{m: m, kernel: m.kernel, node: m.root}
	return root.do("mkfifo", path, func() error {
		elems := strings.Split(path, "/")
		last := len(elems) - 1
		dir := m.root
		for _, name := range elems[:last] {
			sub, err := root.lookup(dir, name)
			if err != nil {
				return err
			}
			dir = sub
		}
		_, err := root.makeLocked(dir, elems[last], fs.ModeNamedPipe|perm.Perm())
		return err
	})
}

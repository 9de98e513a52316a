package sshhost

import (
	"io/fs"

	"psync/internal/vfs"
)

// named returns an error of a path as one that names the host, too.
func (h *Host) named(err error) error {
	if e, ok := err.(*fs.PathError); ok {
		return &fs.PathError{Op: e.Op, Path: h.account.String() + ":" + e.Path, Err: e.Err}
	}
	return err
}

func (h *Host) Stat(path string) (vfs.Attr, error) {
	a, err := h.Host.Stat(path)
	return a, h.named(err)
}

func (h *Host) Lstat(path string) (vfs.Attr, error) {
	a, err := h.Host.Lstat(path)
	return a, h.named(err)
}

func (h *Host) Resolve(path string) (string, error) {
	p, err := h.Host.Resolve(path)
	return p, h.named(err)
}

func (h *Host) Inside(inner, outer string) (bool, error) {
	is, err := h.Host.Inside(inner, outer)
	return is, h.named(err)
}

func (h *Host) Routes(inner, outer string) ([]string, error) {
	paths, err := h.Host.Routes(inner, outer)
	return paths, h.named(err)
}

func (h *Host) Open(path string, noatime bool) (vfs.Dir, error) {
	d, err := h.Host.Open(path, noatime)
	return d, h.named(err)
}

func (h *Host) OpenTrusted(path string, o vfs.OpenOptions) (vfs.Dir, error) {
	d, err := h.Host.OpenTrusted(path, o)
	return d, h.named(err)
}

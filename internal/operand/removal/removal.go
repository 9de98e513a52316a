// Package removal checks what is to be removed, and opens the directories that contain it.
package removal

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"psync/internal/engine/source"
	"psync/internal/operand"
	"psync/internal/vfs"
)

// Errors of operands.
var (
	ErrNotRemoved    = errors.New("is never removed")
	ErrLinkWithSlash = errors.New("is a symbolic link, and what it leads to is never removed")
	ErrMountPoint    = errors.New("is a mount point")
)

// Parents are the directories that contain the operands of a removal. There may be many of them, so only the
// directory used last is open.
type Parents struct {
	host operand.Host

	Network bool // one of them is on a network file system

	byLabel map[string]*parent
	list    []*parent // in the order of their first operands

	last *parent
	dir  vfs.Dir // the open directory of last
}

// OpenParents checks all operands of a removal before the run removes anything, and returns an error if one
// must not be removed. With force, it ignores operands that do not exist.
func OpenParents(h operand.Host, paths []string, force bool) (*Parents, error) {
	ps := &Parents{host: h, byLabel: make(map[string]*parent)}
	defer ps.close()
	for _, path := range paths {
		err := ps.add(path)
		if force && (errors.Is(err, operand.ErrNoEntry) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)) {
			continue
		}
		if err != nil {
			return nil, err
		}
	}
	return ps, nil
}

// A parent is a directory that contains operands.
type parent struct {
	host  operand.Host
	label string // the prefix of the names, as in the operands: "" for the working directory
	id    vfs.ID
	names []string
	has   map[string]bool // the names of operands
}

// add adds an operand, or returns why it must not be removed.
func (ps *Parents) add(path string) error {
	trimmed := strings.TrimRight(path, "/")
	name := trimmed[strings.LastIndexByte(trimmed, '/')+1:]
	switch name {
	case "", ".", "..":
		return fmt.Errorf("%s: %w", ps.host.Called(path), ErrNotRemoved)
	}
	p, err := ps.open(strings.TrimSuffix(trimmed, name))
	if err != nil {
		return err
	}
	if err := refuse(ps.dir, name, trimmed != path); err != nil {
		if pe := new(fs.PathError); errors.As(err, &pe) {
			err = pe.Err
		}
		return fmt.Errorf("%s: %w", ps.host.Called(path), err)
	}
	if !p.has[name] {
		p.has[name] = true
		p.names = append(p.names, name)
	}
	return nil
}

// open opens the parent with a label, and closes the parent that was open before.
func (ps *Parents) open(label string) (*parent, error) {
	if ps.last != nil && ps.last.label == label {
		return ps.last, nil
	}
	p, known := ps.byLabel[label]
	if !known {
		p = &parent{host: ps.host, label: label, has: make(map[string]bool)}
	}
	dir, err := p.open()
	if err != nil {
		return nil, err
	}
	ps.close()
	ps.last, ps.dir = p, dir
	if !known {
		ps.byLabel[label] = p
		ps.list = append(ps.list, p)
		v, err := dir.Statfs()
		ps.Network = ps.Network || err == nil && v.Network
	}
	return p, nil
}

func (ps *Parents) close() {
	if ps.dir != nil {
		ps.dir.Close()
		ps.last, ps.dir = nil, nil
	}
}

// Trees returns the trees to remove.
func (ps *Parents) Trees() []source.Tree {
	var trees []source.Tree
	for _, p := range ps.list {
		if len(p.names) > 0 {
			trees = append(trees, source.Tree{Open: p.open, Label: p.host.Called(p.label), Names: p.names})
		}
	}
	return trees
}

// open opens the directory. It returns an error if the path leads to another directory than the first time.
func (p *parent) open() (vfs.Dir, error) {
	dir, id, err := operand.OpenSame(p.host, func(path string) (vfs.Dir, error) { return p.host.Open(path, vfs.OpenOptions{}) }, cmp.Or(p.label, "."), p.id)
	if err == nil && p.id == (vfs.ID{}) {
		p.id = id
	}
	return dir, err
}

// refuse returns why the entry called name must not be removed.
func refuse(parent vfs.Dir, name string, slash bool) error {
	attr, err := vfs.Lstat(parent, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return operand.ErrNoEntry
	case err != nil:
		return err
	case slash && attr.Mode.Type() == fs.ModeSymlink:
		return ErrLinkWithSlash
	case slash && !attr.Mode.IsDir():
		return errors.New("not a directory")
	case !attr.Mode.IsDir():
		return nil
	}
	d, err := parent.OpenDir(name, vfs.NoXDev)
	switch {
	case err == nil:
		return d.Close()
	case errors.Is(err, vfs.ErrMount):
		return ErrMountPoint
	case !errors.Is(err, fs.ErrPermission):
		return err
	}
	up, err := vfs.Lstat(parent, ".")
	if err == nil && up.Dev != attr.Dev {
		return ErrMountPoint
	}
	return err
}

package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"psync/internal/engine"
	"psync/internal/localfs"
	"psync/internal/operand"
	"psync/internal/vfs"
)

// parents holds the parent directories of the operands of delete. There may be many, so only the one
// used last is open.
type parents struct {
	oneFileSystem bool

	byLabel map[string]*parent
	list    []*parent // in the order of their first operands
	network bool      // one of them is on a network file system

	last *parent
	dir  vfs.Dir // of last
}

// A parent is a directory that operands are in.
type parent struct {
	path  string
	label string // what precedes the names in messages
	id    vfs.ID
	names []string
	has   map[string]bool // names
}

// add adds an operand, or returns why it must not be removed.
func (ps *parents) add(path string) error {
	trimmed := strings.TrimRight(path, "/")
	dir, name := operand.Split(trimmed)
	switch name {
	case "", ".", "..":
		return fmt.Errorf("%s: %w", path, errNotRemoved)
	}
	p, err := ps.open(strings.TrimSuffix(trimmed, name), dir)
	if err != nil {
		return err
	}
	if err := refuse(ps.dir, name, trimmed != path, ps.oneFileSystem); err != nil {
		if pe := new(fs.PathError); errors.As(err, &pe) {
			err = pe.Err
		}
		return fmt.Errorf("%s: %w", path, err)
	}
	if !p.has[name] {
		p.has[name] = true
		p.names = append(p.names, name)
	}
	return nil
}

// open returns the parent at path, which it opens after closing the one that was open before.
func (ps *parents) open(label, path string) (*parent, error) {
	if ps.last != nil && ps.last.label == label {
		return ps.last, nil
	}
	p := ps.byLabel[label]
	if p == nil {
		p = &parent{path: path, label: label, has: make(map[string]bool)}
	}
	dir, err := p.open()
	if err != nil {
		return nil, err
	}
	ps.close()
	ps.last, ps.dir = p, dir
	if ps.byLabel[label] == nil {
		if ps.byLabel == nil {
			ps.byLabel = make(map[string]*parent)
		}
		ps.byLabel[label] = p
		ps.list = append(ps.list, p)
		ps.network = ps.network || isNetwork(dir)
	}
	return p, nil
}

func (ps *parents) close() {
	if ps.dir != nil {
		ps.dir.Close()
		ps.last, ps.dir = nil, nil
	}
}

// trees returns what is to be removed.
func (ps *parents) trees() []engine.Source {
	var trees []engine.Source
	for _, p := range ps.list {
		if len(p.names) > 0 {
			trees = append(trees, engine.Source{Open: p.open, Label: p.label, Names: p.names})
		}
	}
	return trees
}

// open opens the directory. If its path leads to another one than the first time, that is an error.
func (p *parent) open() (vfs.Dir, error) {
	dir, id, err := openSame(localfs.Open, p.path, p.id)
	if err == nil && p.id == (vfs.ID{}) {
		p.id = id
	}
	return dir, err
}

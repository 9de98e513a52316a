package agent

import (
	"io"

	"psync/internal/metadata"
	"psync/internal/vfs"
	"psync/internal/wire"
)

// withNode has f access the metadata of a target: the entry called name of the directory at, or the file at.
func withNode(at *object, name string, f func(n vfs.Node) error) error {
	if name == "" {
		file, err := at.openFile()
		if err != nil {
			return err
		}
		return f(file)
	}
	d, err := at.directory()
	if err != nil {
		return err
	}
	n, err := d.Node(name)
	if err != nil {
		return err
	}
	defer vfs.CloseUnwritten(n)
	return f(n)
}

type carry wire.Carry

func (r *carry) needs() needs {
	return needs{at: r.Dir, changes: true, size: sizeOfOps(r.Ops)}
}

func (r *carry) answer(_ *server, at, _ *object) (wire.Message, error) {
	var answer wire.Carried
	err := withNode(at, r.Name, func(n vfs.Node) error {
		answer.Errors = wireErrors(metadata.Carry(n, nil, r.Ops))
		return nil
	})
	return &answer, err
}

type xattrs wire.Xattrs

func (r *xattrs) needs() needs { return needs{at: r.Dir} }

func (r *xattrs) answer(_ *server, at, _ *object) (wire.Message, error) {
	var answer wire.Names
	err := withNode(at, r.Name, func(n vfs.Node) (err error) {
		answer.Names, err = n.Xattrs(r.ACLs)
		return err
	})
	return &answer, err
}

type readXattr wire.ReadXattr

func (r *readXattr) needs() needs { return needs{at: r.Dir} }

func (r *readXattr) answer(_ *server, at, _ *object) (wire.Message, error) {
	var answer wire.Data
	err := withNode(at, r.Name, func(n vfs.Node) (err error) {
		if !r.Long {
			answer.Data, err = n.Xattr(r.Attr)
			return err
		}
		answer.Data = make([]byte, r.N)
		read, err := n.ReadXattrAt(r.Attr, answer.Data, r.Off)
		answer.Data = answer.Data[:read]
		if answer.EOF = err == io.EOF; answer.EOF {
			return nil
		}
		return err
	})
	return &answer, err
}

type xattrSize wire.XattrSize

func (r *xattrSize) needs() needs { return needs{at: r.Dir} }

func (r *xattrSize) answer(_ *server, at, _ *object) (wire.Message, error) {
	var answer wire.Copied
	err := withNode(at, r.Name, func(n vfs.Node) (err error) {
		answer.N, err = n.XattrSize(r.Attr)
		return err
	})
	return &answer, err
}

type writeXattr wire.WriteXattr

func (r *writeXattr) needs() needs { return needs{at: r.Dir, changes: true, size: len(r.Data)} }

func (r *writeXattr) answer(_ *server, at, _ *object) (wire.Message, error) {
	return &wire.Done{}, withNode(at, r.Name, func(n vfs.Node) error {
		_, err := n.WriteXattrAt(r.Attr, r.Data, r.Off)
		return err
	})
}

type flags wire.Flags

func (r *flags) needs() needs { return needs{at: r.Dir} }

func (r *flags) answer(_ *server, at, _ *object) (wire.Message, error) {
	var answer wire.FlagsAnswer
	err := withNode(at, r.Name, func(n vfs.Node) (err error) {
		answer.Flags, err = n.Flags()
		return err
	})
	return &answer, err
}

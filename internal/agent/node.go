package agent

import (
	"cmp"
	"io"
	"io/fs"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// answerTarget answers a request about an entry of the directory at, or about a directory or file itself. Any other
// request is about something that at is not.
func (s *server) answerTarget(m wire.Message, at *object) (wire.Message, error) {
	switch m := m.(type) {
	case *wire.Lstat:
		a, err := s.stat(at, m)
		return &wire.AttrAnswer{Attr: a}, err
	case *wire.Set:
		var answer wire.SetAnswer
		return &answer, withNode(at, m.Name, func(n vfs.Node) error {
			answer.Errors = wireErrors(n.Set(m.Changes))
			return nil
		})
	case *wire.Xattrs:
		var answer wire.Names
		return &answer, withNode(at, m.Name, func(n vfs.Node) (err error) {
			answer.Names, err = n.Xattrs(m.ACLs)
			return err
		})
	case *wire.ReadXattr:
		var answer wire.Data
		return &answer, withNode(at, m.Name, func(n vfs.Node) error { return readXattr(n, m, &answer) })
	case *wire.XattrSize:
		var answer wire.Number
		return &answer, withNode(at, m.Name, func(n vfs.Node) (err error) {
			answer.N, err = vfs.XattrSize(n, m.Attr)
			return err
		})
	case *wire.Flags:
		var answer wire.Number
		return &answer, withNode(at, m.Name, func(n vfs.Node) error {
			flags, err := n.Flags()
			answer.N = int64(flags)
			return err
		})
	}
	_, err := at.directory()
	return nil, cmp.Or(err, error(errBadHandle))
}

func (s *server) stat(at *object, m *wire.Lstat) (vfs.Attr, error) {
	if m.Name == "" {
		f, err := at.openFile()
		if err != nil {
			return vfs.Attr{}, err
		}
		return statFile(f, m)
	}
	d, err := at.directory()
	if err != nil {
		return vfs.Attr{}, err
	}
	if m.Follow && s.Root == "" {
		return d.Statx(m.Name, vfs.StatxFollow)
	}
	a, err := d.Statx(m.Name, vfs.StatxFresh)
	if err == nil && m.Follow && a.Mode.Type() == fs.ModeSymlink {
		err = fs.ErrPermission // it may lead out of the directory that the client is confined to
	}
	return a, err
}

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

func readXattr(n vfs.Node, m *wire.ReadXattr, answer *wire.Data) (err error) {
	if !m.Long {
		answer.Data, err = n.Xattr(m.Attr)
		return err
	}
	data := make([]byte, m.N)
	read, err := n.ReadXattrAt(m.Attr, data, m.Off)
	answer.Data, answer.EOF = data[:read], err == io.EOF
	if answer.EOF {
		return nil
	}
	return err
}

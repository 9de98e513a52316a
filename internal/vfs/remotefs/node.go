package remotefs

import (
	"io"
	"slices"
	"syscall"

	"psync/internal/vfs"
	"psync/internal/vfs/remotefs/session"
	"psync/internal/wire"
)

// errReadOnly is the error of write(2) for a file that is open for reading.
const errReadOnly = syscall.EBADF

// A node is an entry of the server, or an open file, as a [vfs.Node].
type node struct {
	s    *client
	name string // for errors
	// use returns the target for requests, and a function that ends the use.
	use func() (wire.Target, func(), error)
	// look returns the attributes of the entry.
	look func() (vfs.Attr, error)
	// extra returns what came with the entry unasked if it is still valid, or nil.
	extra func() *vfs.Extra
	// touch records that the entry changes, after waiting for requests that must be answered first.
	touch func()
}

// Close implements [vfs.Node].
func (n *node) Close() error { return nil }

// Stat implements [vfs.Node].
func (n *node) Stat() (vfs.Attr, error) { return n.look() }

// Set implements [vfs.Node].
func (n *node) Set(changes []vfs.Change) []error {
	n.touch()
	defer n.touch()
	t, done, err := n.use()
	if err == nil {
		defer done()
		var a *wire.SetAnswer
		var errs []error
		if a, err = session.Ask(n.s.Session, &wire.Set{Target: t, Changes: changes}); err == nil {
			errs, err = n.s.changed(n.name, changes, a)
		}
		if err == nil {
			return errs
		}
	}
	return []error{session.PathError("setattr", n.name, err)}
}

// changed returns the errors of changes. err is a *vfs.LostError.
func (s *client) changed(name string, changes []vfs.Change, a *wire.SetAnswer) (errs []error, err error) {
	if len(a.Errors) > len(changes) {
		return nil, s.Reject("the outcome of what was not asked for")
	}
	if len(a.Errors) == 0 {
		return nil, nil
	}
	errs = make([]error, len(a.Errors))
	for i, e := range a.Errors {
		errs[i] = session.PathError(changes[i].Kind.String(), name, e.Err())
	}
	return errs, nil
}

// Flags implements [vfs.Node].
func (n *node) Flags() (uint32, error) {
	if flags, known, err := n.extra().Flags(); known {
		return flags, err
	}
	t, done, err := n.use()
	if err != nil {
		return 0, err
	}
	defer done()
	a, err := session.Ask(n.s.Session, &wire.Flags{Target: t})
	if err != nil {
		return 0, session.PathError("flags", n.name, err)
	}
	return a.Flags, nil
}

// Xattrs implements [vfs.Node].
func (n *node) Xattrs(acls bool) ([]string, error) {
	if names, known, err := n.extra().Xattrs(acls); known {
		return names, err
	}
	t, done, err := n.use()
	if err != nil {
		return nil, err
	}
	defer done()
	a, err := session.Ask(n.s.Session, &wire.Xattrs{Target: t, ACLs: acls})
	if err != nil {
		return nil, session.PathError("listxattr", n.name, err)
	}
	return a.Names, nil
}

// Xattr implements [vfs.Node].
func (n *node) Xattr(name string) ([]byte, error) {
	if value, known := n.extra().Xattr(name); known {
		return value, nil
	}
	a, err := n.readXattr(&wire.ReadXattr{Attr: name})
	if err != nil {
		return nil, err
	}
	return slices.Clone(a.Data), nil
}

func (n *node) readXattr(m *wire.ReadXattr) (*wire.Data, error) {
	t, done, err := n.use()
	if err != nil {
		return nil, err
	}
	defer done()
	m.Target = t
	a, err := session.Ask(n.s.Session, m)
	if err != nil {
		return nil, session.PathError("getxattr", n.name, err)
	}
	return a, nil
}

func (n *node) xattrSize(name string) (int, error) {
	t, done, err := n.use()
	if err != nil {
		return 0, err
	}
	defer done()
	a, err := session.Ask(n.s.Session, &wire.XattrSize{Target: t, Attr: name})
	if err != nil {
		return 0, session.PathError("getxattr", n.name, err)
	}
	return int(a.N), nil
}

// ReadXattrAt implements [vfs.Node].
func (n *node) ReadXattrAt(name string, p []byte, off int64) (int, error) {
	if len(p) == 0 {
		return n.xattrSize(name)
	}
	total := 0
	for total < len(p) {
		a, err := n.readXattr(&wire.ReadXattr{Attr: name, Long: true, Off: off + int64(total), N: uint32(min(len(p)-total, wire.MaxData))})
		if err != nil {
			return total, err
		}
		if len(a.Data) > len(p)-total {
			return total, n.s.Reject("more bytes of an attribute than asked for")
		}
		got := copy(p[total:], a.Data)
		if total += got; a.EOF || got == 0 {
			return total, io.EOF
		}
	}
	return total, nil
}

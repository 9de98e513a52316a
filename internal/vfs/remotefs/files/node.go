package files

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

// A Node is an entry of the server, or an open file, as a [vfs.Node].
type Node struct {
	Client *Client
	Name   string // for errors
	// Target returns the target for requests, and a function that ends the use.
	Target func() (wire.Target, func(), error)
	// Look returns the attributes of the entry.
	Look func(want vfs.StatxWant) (vfs.Attr, error)
	// Extra returns what came with the entry unasked if it is still valid, or nil.
	Extra func() *vfs.Extra
	// Touch records that the entry changes, after waiting for requests that must be answered first.
	Touch func()
}

// Close implements [vfs.Node].
func (n *Node) Close() error { return nil }

// Statx implements [vfs.Node].
func (n *Node) Statx(want vfs.StatxWant) (vfs.Attr, error) { return n.Look(want) }

// Set implements [vfs.Node].
func (n *Node) Set(changes []vfs.Change) []error {
	n.Touch()
	defer n.Touch()
	t, done, err := n.Target()
	if err == nil {
		defer done()
		var a *wire.SetAnswer
		var errs []error
		if a, err = session.Ask[*wire.SetAnswer](n.Client.Session, &wire.Set{Target: t, Changes: changes}); err == nil {
			errs, err = n.Client.changed(n.Name, changes, a)
		}
		if err == nil {
			return errs
		}
	}
	return []error{session.PathError("setattr", n.Name, err)}
}

// ask sends a request about the entry, and waits for its answer.
func ask[A wire.Message](n *Node, op string, request func(wire.Target) wire.Message) (a A, err error) {
	t, done, err := n.Target()
	if err != nil {
		return a, err
	}
	defer done()
	a, err = session.Ask[A](n.Client.Session, request(t))
	return a, session.PathError(op, n.Name, err)
}

// Flags implements [vfs.Node].
func (n *Node) Flags() (uint32, error) {
	if flags, known, err := n.Extra().Flags(); known {
		return flags, err
	}
	a, err := ask[*wire.Number](n, "flags", func(t wire.Target) wire.Message { return &wire.Flags{Target: t} })
	if err != nil {
		return 0, err
	}
	return uint32(a.N), nil
}

// Xattrs implements [vfs.Node].
func (n *Node) Xattrs(acls bool) ([]string, error) {
	if names, known, err := n.Extra().Xattrs(acls); known {
		return names, err
	}
	a, err := ask[*wire.Names](n, "listxattr", func(t wire.Target) wire.Message {
		return &wire.Xattrs{Target: t, ACLs: acls}
	})
	if err != nil {
		return nil, err
	}
	return a.Names, nil
}

// Xattr implements [vfs.Node].
func (n *Node) Xattr(name string) ([]byte, error) {
	if value, known := n.Extra().Xattr(name); known {
		return value, nil
	}
	a, err := n.readXattr(&wire.ReadXattr{Attr: name})
	if err != nil {
		return nil, err
	}
	return slices.Clone(a.Data), nil
}

func (n *Node) readXattr(m *wire.ReadXattr) (*wire.Data, error) {
	return ask[*wire.Data](n, "getxattr", func(t wire.Target) wire.Message {
		m.Target = t
		return m
	})
}

func (n *Node) xattrSize(name string) (int, error) {
	a, err := ask[*wire.Number](n, "getxattr", func(t wire.Target) wire.Message {
		return &wire.XattrSize{Target: t, Attr: name}
	})
	if err != nil {
		return 0, err
	}
	return int(a.N), nil
}

// ReadXattrAt implements [vfs.Node].
func (n *Node) ReadXattrAt(name string, p []byte, off int64) (int, error) {
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
			return total, n.Client.Reject("more bytes of an attribute than asked for")
		}
		got := copy(p[total:], a.Data)
		if total += got; a.EOF || got == 0 {
			return total, io.EOF
		}
	}
	return total, nil
}

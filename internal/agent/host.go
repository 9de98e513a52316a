package agent

import (
	"errors"
	"io/fs"
	"syscall"

	"psync/internal/localfs"
	"psync/internal/vfs"
	"psync/internal/wire"
)

// welcome answers Hello, which is the first frame and comes once.
func (s *server) welcome(id uint64, h *wire.Hello) error {
	if s.greeted.Swap(true) {
		return errors.New("a second Hello")
	}
	ours := wire.Hello{Major: wire.Major, Name: s.Version}
	if h.Major != wire.Major {
		defer func() { s.refused <- h.Major }() // what was sent goes out before the link is closed
		return s.send(id, &ours)
	}
	s.link.SetCompression(h.Compress)
	host := localfs.Host{}
	w := &wire.Welcome{
		Hello: ours,
		Info:  host.Info(),
		Umask: host.Umask(), // no file is made yet
		Limit: uint32(limit()),
	}
	w.Info.BootID = localfs.BootID()
	if s.listener != nil {
		w.Socket, w.Token = s.listener.Addr().String(), s.listener.Token
	}
	return s.send(id, w)
}

// prepareFor does what the client asks for before all requests that follow.
func (s *server) prepareFor(id uint64, m *wire.Prepare) error {
	s.prepare.Store(m)
	if err := (localfs.Host{}).Prepare(m.Preparation); err != nil {
		return s.send(id, wire.ErrorOf(err))
	}
	return s.send(id, &wire.Done{})
}

// paths is the part of [vfs.Host] that takes paths.
type paths interface {
	Stat(path string, how vfs.Resolve) (vfs.Attr, error)
	Resolve(path string) (string, error)
	Inside(inner, outer string) (routes []string, inside bool, err error)
	Open(path string, o vfs.OpenOptions) (vfs.Dir, error)
}

// answerHost answers a request about the host.
func (s *server) answerHost(m wire.Message) (wire.Message, error) {
	switch m := m.(type) {
	case *wire.PathQuery:
		return s.answerPath(m)
	case *wire.Account:
		a, err := localfs.Host{}.Account(m.Account)
		return &wire.Account{Account: a}, err
	}
	return nil, errBadHandle // 0
}

func (s *server) answerPath(m *wire.PathQuery) (wire.Message, error) {
	switch m.Query {
	case wire.QueryStat:
		a, err := s.paths.Stat(m.Path, vfs.Follow)
		return &wire.AttrAnswer{Attr: a}, err
	case wire.QueryLstat:
		a, err := s.paths.Stat(m.Path, vfs.NoFollow)
		return &wire.AttrAnswer{Attr: a}, err
	case wire.QueryResolve:
		path, err := s.paths.Resolve(m.Path)
		return &wire.Paths{Paths: []string{path}}, err
	case wire.QueryInside:
		routes, inside, err := s.paths.Inside(m.Path, m.Outer)
		return &wire.Paths{Paths: routes, Inside: inside}, err
	}
	return nil, errors.ErrUnsupported
}

func (s *server) openPath(m *wire.OpenPath) (object, wire.Message, error) {
	o := m.Options
	if s.ReadOnly {
		o.Mkdir, o.MkdirAll = false, false
	}
	d, err := s.paths.Open(m.Path, o)
	if s.ReadOnly && (m.Options.Mkdir || m.Options.MkdirAll) && errors.Is(err, fs.ErrNotExist) {
		err = syscall.EROFS
	}
	return opened(d, err, dirFacts{})
}

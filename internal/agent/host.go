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
	ours := wire.Hello{Major: wire.Major, Minor: wire.Minor, Name: s.Version}
	if h.Major != wire.Major {
		defer func() { s.refused <- h.Major }() // what was sent goes out before the link is closed
		return s.send(id, &ours)
	}
	s.link.SetCompression(h.Compress)
	host := localfs.Host{}
	w := &wire.Welcome{
		Hello:  ours,
		System: host.System(),
		User:   host.User(),
		Kernel: host.Kernel(),
		Umask:  host.Umask(), // no file is made yet
		Limit:  uint32(limit()),
	}
	if s.listener != nil {
		if h.Resumes {
			s.link.SetResumable(true)
			s.silence.most.Store(int64(maxOutage))
		}
		w.Socket, w.Token = s.listener.Addr().String(), s.listener.token
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

type account wire.Account

func (*account) needs() needs { return needs{} }

func (r *account) answer(*server, *object, *object) (wire.Message, error) {
	var err error
	a, kind := *r, vfs.AccountKind(r.Group)
	if r.Name == "" {
		a.Name, err = localfs.Host{}.AccountName(kind, r.ID)
	} else {
		a.ID, err = localfs.Host{}.AccountID(kind, r.Name)
	}
	return (*wire.Account)(&a), err
}

// paths is the part of [vfs.Host] that takes paths.
type paths interface {
	Stat(path string) (vfs.Attr, error)
	Lstat(path string) (vfs.Attr, error)
	Resolve(path string) (string, error)
	Inside(inner, outer string) (bool, error)
	Routes(inner, outer string) ([]string, error)
	Open(path string, noatime bool) (vfs.Dir, error)
	OpenTrusted(path string, o vfs.OpenOptions) (vfs.Dir, error)
}

type pathQuery wire.PathQuery

func (*pathQuery) needs() needs { return needs{} }

func (r *pathQuery) answer(s *server, _, _ *object) (wire.Message, error) {
	switch r.Query {
	case wire.QueryStat:
		a, err := s.paths.Stat(r.Path)
		return &wire.AttrAnswer{Attr: a}, err
	case wire.QueryLstat:
		a, err := s.paths.Lstat(r.Path)
		return &wire.AttrAnswer{Attr: a}, err
	case wire.QueryResolve:
		path, err := s.paths.Resolve(r.Path)
		return &wire.Paths{Paths: []string{path}}, err
	case wire.QueryInside:
		is, err := s.paths.Inside(r.Path, r.Outer)
		return &wire.Truth{Is: is}, err
	case wire.QueryRoutes:
		routes, err := s.paths.Routes(r.Path, r.Outer)
		return &wire.Paths{Paths: routes}, err
	}
	return nil, errors.ErrUnsupported
}

type openPath wire.OpenPath

func (r *openPath) needs() needs { return needs{opens: r.New} }

func (r *openPath) open(s *server, _ *object) (object, wire.Message, error) {
	var d vfs.Dir
	var err error
	if r.Trusted {
		o := r.Options
		if s.ReadOnly {
			o.Mkdir, o.MkdirAll = false, false
		}
		d, err = s.paths.OpenTrusted(r.Path, o)
		if s.ReadOnly && (r.Options.Mkdir || r.Options.MkdirAll) && errors.Is(err, fs.ErrNotExist) {
			err = syscall.EROFS
		}
	} else {
		d, err = s.paths.Open(r.Path, r.Noatime)
	}
	if err != nil {
		return object{}, nil, err
	}
	return opened(d, dirFacts{})
}

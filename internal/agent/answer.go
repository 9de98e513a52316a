package agent

import (
	"syscall"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// refusal returns why a request is not to be dealt with.
func (s *server) refusal(r *request) error {
	switch {
	case s.ended.Load():
		return errEnded
	case s.ReadOnly && r.role >= wire.RoleChange:
		return syscall.EROFS
	}
	return r.failure()
}

// answer answers a request. The directories and files that it names are open.
func (s *server) answer(r *request) (opened object, m wire.Message, err error) {
	if err := s.refusal(r); err != nil {
		return object{}, nil, err
	}
	at, other := r.first.get(), r.second.get()
	switch {
	case r.opened != nil:
		return s.open(r, at)
	case at == nil:
		m, err = s.answerHost(r.frame.Message)
	case at.dir != nil:
		m, err = s.answerDir(r, at, other)
	default:
		m, err = s.answerFile(r, at, other)
	}
	return object{}, m, err
}

// open answers a request that opens something, in the directory at unless it does so by path.
func (s *server) open(r *request, at *object) (object, wire.Message, error) {
	if m, ok := r.frame.Message.(*wire.OpenPath); ok {
		return s.openPath(m)
	}
	in, err := at.directory()
	if err != nil {
		return object{}, nil, err
	}
	switch m := r.frame.Message.(type) {
	case *wire.OpenDir:
		d, err := s.openDir(in, m.Name, m.How)
		return opened(d, err, at.dirFacts)
	case *wire.Mkdir:
		if err := vfs.Mkdir(in, m.Name, m.Perm); err != nil {
			return object{}, nil, err
		}
		d, err := in.OpenDir(m.Name, vfs.NoFollow)
		return opened(d, err, at.dirFacts)
	case *wire.Get:
		return s.get(r, in, m)
	case *wire.Create:
		return s.create(at, m)
	}
	return object{}, nil, errBadHandle
}

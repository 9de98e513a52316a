package agent

import (
	"errors"
	"io"

	"psync/internal/blocksum"
	"psync/internal/wire"
)

type read wire.Read

func (r *read) needs() needs { return needs{at: r.File} }

func (r *read) answer(s *server, at, _ *object) (wire.Message, error) {
	f, err := at.openFile()
	if err != nil {
		return nil, err
	}
	data := s.buffer(int(r.N))
	n, err := f.ReadAt(data, r.Off)
	if err != nil && err != io.EOF {
		s.recycle(data)
		return nil, err
	}
	return &wire.Data{Data: data[:n], EOF: err == io.EOF}, nil
}

func (*read) sent(s *server, m wire.Message) {
	if d, ok := m.(*wire.Data); ok {
		s.recycle(d.Data)
	}
}

type extents wire.Extents

func (r *extents) needs() needs { return needs{at: r.File} }

func (r *extents) answer(_ *server, at, _ *object) (wire.Message, error) {
	f, err := at.openFile()
	if err != nil {
		return nil, err
	}
	var answer wire.ExtentsAnswer
	for off := r.Off; len(answer.Ranges) < int(r.Most); {
		start, end, err := f.NextData(off)
		if err == io.EOF {
			answer.Last = true
			break
		}
		if err != nil {
			return nil, err
		}
		answer.Ranges = append(answer.Ranges, wire.Range{Start: start, End: end})
		off = end
	}
	return &answer, nil
}

type statFile wire.StatFile

func (r *statFile) needs() needs { return needs{at: r.File} }

func (r *statFile) answer(_ *server, at, _ *object) (wire.Message, error) {
	f, err := at.openFile()
	if err != nil {
		return nil, err
	}
	if r.Change {
		a, err := f.StatChange(r.Fresh)
		if errors.Is(err, errors.ErrUnsupported) {
			a, err = f.Stat()
		}
		return &wire.AttrAnswer{Attr: a}, err
	}
	a, err := f.Stat()
	return &wire.AttrAnswer{Attr: a}, err
}

type sums wire.Sums

func (r *sums) needs() needs { return needs{at: r.File} }

func (r *sums) answer(s *server, at, _ *object) (wire.Message, error) {
	f, err := at.openFile()
	if err != nil {
		return nil, err
	}
	buf := s.buffer(wire.MaxKeyedBlock)
	defer s.recycle(buf)
	all, err := blocksum.Of(f, r.Off, r.N, int64(r.Block), r.Key, buf, func() error {
		if s.ended.Load() {
			return errEnded
		}
		return nil
	})
	return &wire.SumsAnswer{Sums: all}, err
}

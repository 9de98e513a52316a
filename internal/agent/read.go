package agent

import (
	"crypto/sha256"
	"errors"
	"io"

	"psync/internal/vfs"
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
	buf := s.buffer(largeBuffer)
	defer s.recycle(buf)
	var answer wire.SumsAnswer
	for off, end := r.Off, r.Off+r.N; off < end; off += int64(r.Block) {
		sum, err := s.sum(f, off, min(int64(r.Block), end-off), buf)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		answer.Sums = append(answer.Sums, sum[:]...)
	}
	return &answer, nil
}

// sum returns the hash of n bytes, or of what there is of them. It returns io.EOF if there are none.
func (s *server) sum(f vfs.File, off, n int64, buf []byte) (sum [sha256.Size]byte, err error) {
	h := sha256.New()
	for done := int64(0); done < n; {
		if s.ended.Load() {
			return sum, errEnded
		}
		m, err := f.ReadAt(buf[:min(int64(len(buf)), n-done)], off+done)
		h.Write(buf[:m])
		done += int64(m)
		switch {
		case err == io.EOF && done == 0:
			return sum, err
		case err == io.EOF:
			n = done
		case err != nil:
			return sum, err
		}
	}
	h.Sum(sum[:0])
	return sum, nil
}

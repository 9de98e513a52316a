package agent

import (
	"errors"
	"io"

	"psync/internal/blocksum"
	"psync/internal/vfs"
	"psync/internal/wire"
)

// answerFile answers a request about a file.
func (s *server) answerFile(r *request, at, other *object) (wire.Message, error) {
	f, err := at.openFile()
	if err != nil {
		return nil, err
	}
	switch m := r.frame.Message.(type) {
	case *wire.Read:
		return s.read(r, f, m)
	case *wire.NextData:
		start, end, err := f.NextData(m.Off)
		return &wire.Range{Start: start, End: end}, err
	case *wire.Sums:
		return s.sums(f, m)
	case *wire.Sync:
		if !m.Volume {
			return &wire.Done{}, syncFile(f, at.in == nil)
		}
	case *wire.Write:
		_, err := f.WriteAt(m.Data, m.Off)
		return &wire.Done{}, err
	case *wire.Resize:
		return &wire.Done{}, resize(f, m)
	case *wire.Copy:
		return copyRange(at, other, m)
	case *wire.Finish:
		if at.in == nil { // it was opened for reading
			return nil, errBadHandle
		}
		return s.store(at, m.Changes, m.Sync), nil
	}
	return s.answerTarget(r.frame.Message, at)
}

func (s *server) read(r *request, f vfs.File, m *wire.Read) (wire.Message, error) {
	r.buffer = s.buffer(int(m.N))
	n, err := f.ReadAt(r.buffer.Bytes, m.Off)
	if err != nil && err != io.EOF {
		return nil, err
	}
	return &wire.Data{Data: r.buffer.Bytes[:n], EOF: err == io.EOF}, nil
}

func (s *server) sums(f vfs.File, m *wire.Sums) (wire.Message, error) {
	buf := s.buffer(wire.MaxKeyedBlock)
	defer s.recycle(buf)
	all, err := blocksum.Of(f, m.Off, m.N, int64(m.Block), m.Key, buf.Bytes, func() error {
		if s.ended.Load() {
			return errEnded
		}
		return nil
	})
	return &wire.Data{Data: all}, err
}

func statFile(f vfs.File, m *wire.Lstat) (vfs.Attr, error) {
	switch {
	case m.Fresh:
		return f.Statx(vfs.StatxFresh)
	case m.Change:
		return f.Statx(vfs.StatxChange)
	}
	return vfs.Stat(f)
}

// syncFile syncs a file, and has one that is open for reading leave the cache of the system.
func syncFile(f vfs.File, reading bool) error {
	if reading {
		if err := f.Advise(vfs.DontNeed); !errors.Is(err, errors.ErrUnsupported) {
			return err
		}
	}
	return f.Sync()
}

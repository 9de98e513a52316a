package agent

import (
	"errors"
	"io"
	"time"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// changeVisible is the age of a change after which any further change gets another time: more than the coarsest clock
// of a file system, that of FAT with two seconds.
const changeVisible = 2100 * time.Millisecond

func (s *server) openFile(d vfs.Dir, name string, how vfs.Resolve) (vfs.File, error) {
	switch {
	case how == vfs.NoFollow:
		return d.OpenFile(name, vfs.ReadOnly, 0)
	case how != vfs.Follow:
		return nil, errors.ErrUnsupported
	case s.Root != "":
		f, err := d.OpenFile(name, vfs.ReadOnly, 0)
		if err != nil {
			err = refuseLink(d, name, err)
		}
		return f, err
	}
	return d.OpenFile(name, vfs.ReadFollow, 0)
}

// get opens a file, reads it if it is small, and closes it then.
func (s *server) get(r *request, in vfs.Dir, m *wire.Get) (object, wire.Message, error) {
	f, err := s.openFile(in, m.Name, m.How)
	if err != nil {
		return object{}, nil, err
	}
	a, err := vfs.Stat(f)
	if err != nil {
		vfs.CloseUnwritten(f)
		return object{}, nil, err
	}
	got := &wire.Got{Attr: a, Caps: f.Caps()}
	if p := s.prepare.Load().Preparation; wantsExtra(p) {
		got.Extra = extraOf(f, p)
	}
	if m.Max == 0 || a.Size > int64(m.Max) || !a.Mode.IsRegular() || !s.changesShow(a) || !s.readWhole(r, f, got) {
		return object{file: f}, got, nil
	}
	vfs.CloseUnwritten(f)
	return object{}, got, nil
}

// changesShow reports whether any change from now on will give a file another change time.
func (s *server) changesShow(a vfs.Attr) bool {
	age := s.now().Sub(a.Ctime.Time())
	return a.Ctime != 0 && age > changeVisible
}

// readWhole reads the contents of a file, and reports whether they are complete. After an error, the client reads
// them, and gets that error again.
func (s *server) readWhole(r *request, f vfs.File, got *wire.Got) bool {
	// An empty file may be one of those whose length the system does not know, as in /proc.
	r.buffer = s.buffer(int(max(got.Attr.Size, 1)))
	n, err := f.ReadAt(r.buffer.Bytes, 0)
	if int64(n) == got.Attr.Size && (err == nil || err == io.EOF) {
		got.After, err = f.Statx(vfs.StatxChange)
		if err == nil && got.After.Size == got.Attr.Size {
			got.Whole, got.Data = true, r.buffer.Bytes[:n]
			return true
		}
	}
	return false
}

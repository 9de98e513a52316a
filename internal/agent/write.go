package agent

import (
	"errors"
	"sync"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// create opens a file of the directory at for writing.
func (s *server) create(at *object, m *wire.Create) (object, wire.Message, error) {
	f, err := at.dir.OpenFile(m.Name, m.Mode, m.Perm)
	if err != nil {
		return object{}, nil, err
	}
	o := object{
		file: f, dirFacts: at.dirFacts, in: at.dir, name: m.Name, unfinished: m.Unfinished && m.Mode == vfs.Create,
		copying: new(sync.Mutex),
	}
	a, err := vfs.Stat(f)
	if err != nil {
		s.closeFile(&o)
		return object{}, nil, err
	}
	o.id = a.ID()
	return o, &wire.AttrAnswer{Attr: a}, nil
}

func resize(f vfs.File, m *wire.Resize) error {
	switch m.How {
	case wire.Truncate:
		return f.Truncate(m.N)
	case wire.PunchHole:
		return f.Fallocate(vfs.PunchHole, m.Off, m.N)
	case wire.Preallocate:
		return f.Fallocate(vfs.Preallocate, 0, m.N)
	}
	return errors.ErrUnsupported
}

func copyRange(at, from *object, m *wire.Copy) (wire.Message, error) {
	src, err := from.openFile()
	if err != nil {
		return nil, err
	}
	if m.N == -1 {
		return &wire.Number{}, at.file.Clone(src)
	}
	if at.copying == nil { // it was opened for reading
		return nil, errBadHandle
	}
	at.copying.Lock()
	defer at.copying.Unlock()
	n, err := at.file.CopyRange(src, m.Off, m.N)
	return &wire.Number{N: n}, err
}

// put makes a file in the directory at.
func (s *server) put(at *object, m *wire.Put) (wire.Message, error) {
	f, err := at.dir.OpenFile(m.Name, vfs.Create, m.Perm)
	if err != nil {
		return &wire.SetAnswer{Failure: wire.ErrorOf(err)}, nil
	}
	o := object{file: f, dirFacts: at.dirFacts, in: at.dir, name: m.Name, unfinished: true}
	o.spoiled = writeParts(f, m)
	return s.store(&o, m.Changes, m.Sync), nil
}

func writeParts(f vfs.File, m *wire.Put) error {
	var size int64
	for _, p := range m.Parts {
		if _, err := f.WriteAt(p.Data, p.Off); err != nil {
			return err
		}
		size = max(size, p.Off+int64(len(p.Data)))
	}
	if size == m.Size {
		return nil
	}
	return f.Truncate(m.Size)
}

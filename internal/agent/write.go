package agent

import (
	"errors"
	"sync"

	"psync/internal/vfs"
	"psync/internal/wire"
)

type create wire.Create

func (r *create) needs() needs { return needs{at: r.Dir, opens: r.New, changes: true} }

func (r *create) open(s *server, at *object) (object, wire.Message, error) {
	d, err := at.directory()
	if err != nil {
		return object{}, nil, err
	}
	f, err := r.file(d)
	if err != nil {
		return object{}, nil, err
	}
	o := object{file: f, dirFacts: at.dirFacts, in: d, name: r.Name, unfinished: r.Unfinished && r.How == wire.CreateNew, copying: new(sync.Mutex)}
	a, err := f.Stat()
	if err != nil {
		s.closeFile(&o)
		return object{}, nil, err
	}
	o.id = a.ID()
	return o, &wire.AttrAnswer{Attr: a}, nil
}

func (r *create) file(d vfs.Dir) (vfs.File, error) {
	switch r.How {
	case wire.CreateNew:
		return d.Create(r.Name, r.Perm)
	case wire.CreateOrOpen:
		return d.OpenCreate(r.Name, r.Perm)
	case wire.CreateNone:
		return d.Rewrite(r.Name)
	}
	return nil, errors.ErrUnsupported
}

type write wire.Write

func (r *write) needs() needs {
	return needs{at: r.File, writes: true, spoils: true, size: len(r.Data)}
}

func (r *write) answer(_ *server, at, _ *object) (wire.Message, error) {
	f, err := at.openFile()
	if err != nil {
		return nil, err
	}
	_, err = f.WriteAt(r.Data, r.Off)
	return &wire.Done{}, err
}

type resize wire.Resize

func (r *resize) needs() needs {
	return needs{at: r.File, writes: true, spoils: r.How == wire.Truncate}
}

func (r *resize) answer(_ *server, at, _ *object) (wire.Message, error) {
	f, err := at.openFile()
	if err != nil {
		return nil, err
	}
	switch r.How {
	case wire.Truncate:
		err = f.Truncate(r.N)
	case wire.PunchHole:
		err = f.PunchHole(r.Off, r.N)
	case wire.Preallocate:
		err = f.Preallocate(r.N)
	default:
		err = errors.ErrUnsupported
	}
	return &wire.Done{}, err
}

type copyRange wire.Copy

func (r *copyRange) needs() needs { return needs{at: r.File, other: r.From, writes: true} }

func (r *copyRange) answer(_ *server, at, from *object) (wire.Message, error) {
	dst, err := at.openFile()
	if err != nil {
		return nil, err
	}
	src, err := from.openFile()
	if err != nil {
		return nil, err
	}
	if r.N == -1 {
		return &wire.Copied{}, dst.Clone(src)
	}
	if at.copying == nil { // it was opened for reading
		return nil, errBadHandle
	}
	at.copying.Lock()
	defer at.copying.Unlock()
	n, err := dst.CopyRange(src, r.Off, r.N)
	return &wire.Copied{N: n}, err
}

type finish wire.Finish

func (r *finish) needs() needs {
	return needs{at: r.File, finishes: true, after: r.Writes, size: sizeOfOps(r.Ops)}
}

func (r *finish) answer(s *server, at, _ *object) (wire.Message, error) {
	if _, err := at.openFile(); err != nil {
		return nil, err
	}
	if at.in == nil { // it was opened for reading
		return nil, errBadHandle
	}
	return s.store(at, r.Ops, r.Sync), nil
}

type put wire.Put

func (r *put) needs() needs {
	n := sizeOfOps(r.Ops)
	for _, p := range r.Parts {
		n += len(p.Data)
	}
	return needs{at: r.Dir, changes: true, size: n}
}

func (r *put) answer(s *server, at, _ *object) (wire.Message, error) {
	d, err := at.directory()
	if err != nil {
		return nil, err
	}
	f, err := d.Create(r.Name, r.Perm)
	if err != nil {
		return &wire.Carried{Failure: wire.ErrorOf(err)}, nil
	}
	o := object{file: f, dirFacts: at.dirFacts, in: d, name: r.Name, unfinished: true}
	o.spoiled = r.write(f)
	return s.store(&o, r.Ops, r.Sync), nil
}

func (r *put) write(f vfs.File) error {
	var size int64
	for _, p := range r.Parts {
		if _, err := f.WriteAt(p.Data, p.Off); err != nil {
			return err
		}
		size = max(size, p.Off+int64(len(p.Data)))
	}
	if size == r.Size {
		return nil
	}
	return f.Truncate(r.Size)
}

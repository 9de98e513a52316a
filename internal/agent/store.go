package agent

import (
	"errors"
	"io/fs"
	"slices"

	"psync/internal/tempname"
	"psync/internal/vfs"
	"psync/internal/wire"
)

// store gives a file its metadata, and closes it. A file that turns out to be of no use, and that no
// one else knows of yet, is removed.
func (s *server) store(o *object, changes []vfs.Change, sync bool) *wire.SetAnswer {
	var errs []error
	err := o.spoiled
	if err == nil || !o.unfinished {
		var failed error
		errs, failed = o.commit(changes, sync)
		err = vfs.JoinErrors(err, failed)
	}
	if err == nil {
		o.unfinished = false
	}
	s.closeFile(o)
	return &wire.SetAnswer{Errors: wireErrors(errs), Failure: wire.ErrorOf(err)}
}

// commit makes changes of a file that is open, and closes it. err says that the file is of no use.
func (o *object) commit(changes []vfs.Change, sync bool) (errs []error, err error) {
	open := len(changes)
	if i := slices.IndexFunc(changes, vfs.Change.SetsTimes); i >= 0 && o.volume.Network && !o.volume.TimesStay {
		open = i // data that is sent when the file is closed would change the times
	}
	errs = o.file.Set(changes[:open])
	if err = vfs.FirstFatal(changes, errs); err != nil {
		return errs, err
	}
	if sync {
		if err = o.file.Sync(); errors.Is(err, errors.ErrUnsupported) {
			err = nil
		}
	}
	if err != nil {
		return errs, err
	}
	if o.volume.Network && o.id == (vfs.ID{}) { // elsewhere, closing a file does not fail
		o.id = vfs.Identify(o.file)
	}
	f := o.file
	o.file = nil
	if err = f.Close(); err != nil {
		return errs, err
	}
	return o.setClosed(changes, open, errs)
}

// setClosed makes the changes that have to wait until a file is closed: those after the first n, and the setting of times
// where that is possible by name only. errs are the errors of the first n.
func (o *object) setClosed(changes []vfs.Change, n int, errs []error) ([]error, error) {
	byName := func(changes []vfs.Change) []error {
		node, err := o.in.Node(o.name)
		if err != nil {
			return o.in.Set(o.name, changes)
		}
		defer vfs.CloseUnwritten(node)
		return node.Set(changes)
	}
	for i, err := range errs {
		if err != nil && changes[i].SetsTimes() && errors.Is(err, errors.ErrUnsupported) {
			errs[i] = nil
			copy(errs[i:i+1], byName(changes[i:i+1]))
		}
	}
	if n < len(changes) {
		all := make([]error, len(changes))
		copy(all, errs)
		copy(all[n:], byName(changes[n:]))
		errs = all
	}
	return errs, vfs.FirstFatal(changes, errs)
}

func wireErrors(errs []error) []*wire.Error {
	if len(errs) == 0 {
		return nil
	}
	list := make([]*wire.Error, len(errs))
	for i, err := range errs {
		list[i] = wire.ErrorOf(err)
	}
	return list
}

// closeFile closes a file, and removes it if it is unfinished.
func (s *server) closeFile(o *object) {
	if o.unfinished && o.id == (vfs.ID{}) && o.file != nil {
		o.id = vfs.Identify(o.file)
	}
	if o.file != nil {
		vfs.CloseUnwritten(o.file)
		o.file = nil
	}
	if o.unfinished {
		s.removeUnfinished(o)
	}
}

// noteChange records when the file that a request has changed, or made, was changed last.
func (s *server) noteChange(r *request) {
	if r.role != wire.RoleChange && r.role != wire.RoleWrite {
		return
	}
	now := int64(vfs.StampOf(s.now()))
	for _, h := range [2]*handle{r.first, r.opened} {
		if h != nil {
			h.changed.Store(now)
		}
	}
}

// changedByOthers reports whether another process may have changed an unfinished file. While a client that is gone was
// waited for, the user may have run psync again, which has completed the file in place. The name of a temporary is used by
// no other process. On a network volume, the clock of the server or bytes that are only now sent to it may make the
// answer true, and the file stays.
func (h *handle) changedByOthers() bool {
	o := &h.object
	if !o.unfinished || o.file == nil {
		return false
	}
	if _, _, is := tempname.Parse(o.name); is {
		return false
	}
	a, err := vfs.Stat(o.file)
	return err == nil && int64(a.Ctime) > h.changed.Load()
}

// keptFrom is the size in bytes from which a part of a file is of use to a client that goes on.
const keptFrom = 1 << 20

// leaves reports whether an unfinished file is left to the client, which has started a server that replaces this one. If the file
// is long, that is waited for.
func (s *server) leaves(o *object) bool {
	if !o.unfinished || o.file == nil || s.listener == nil {
		return false
	}
	if a, err := vfs.Stat(o.file); err != nil || a.Size < keptFrom {
		return false
	}
	select {
	case <-s.replaced:
		return true
	case <-s.gone:
		return false
	}
}

// removeUnfinished removes the file that o was, unless another one has its name by now.
//
// No system call removes a name only if it refers to a given file. So it first renames the file to a name that no
// other process uses, and checks there what it has renamed. If that is the file of another process, it gets
// its name back. There is no one to report errors to: what stays is a file that is not complete, but no worse
// than that of a server which was killed.
func (s *server) removeUnfinished(o *object) {
	if !hasID(o.in, o.name, o.id) {
		return
	}
	name := o.name
	if _, _, is := tempname.Parse(name); !is {
		temp := s.temp()
		if o.in.Rename(name, nil, temp, nil) == nil {
			name = temp
		}
	}
	if name == o.name || hasID(o.in, name, o.id) {
		_ = o.in.Remove(name, nil)
		return
	}
	if err := o.in.Link(o.in, name, o.name); err == nil || errors.Is(err, fs.ErrExist) {
		_ = o.in.Remove(name, nil)
	}
}

// hasID reports whether name refers to the entry with the identity id.
func hasID(d vfs.Dir, name string, id vfs.ID) bool {
	a, err := vfs.Lstat(d, name)
	return err == nil && a.ID() == id
}

package engine

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

var (
	errListed   = errors.New("is on the list of files to copy, but does not exist")
	errOnTheWay = errors.New("is no directory, but entries in it are on the list of files to copy")
	errLoop     = errors.New("is a link to a directory that it lies in")
	errDangling = errors.New("is a link that leads nowhere")
	errUnsafe   = errors.New("leads out of the tree")
)

// list yields the entries of d that there are to look at, some at a time.
func (w *worker) list(d *directory, yield func([]vfs.Entry) error) error {
	if !w.copiesItself(d) {
		return yield(w.look(d, w.Sources[d.task.Source].Names, nil))
	}
	if w.Files != nil {
		names, all := w.Files.Names(d.path(""))
		listed := w.look(d, names, errListed)
		if !all || !w.Recurse {
			return yield(listed)
		}
	}
	return d.src.ReadDir(yield)
}

// look makes entries of names. If missing is not nil, it is what a name amounts
// to that does not exist.
func (w *worker) look(d *directory, names []string, missing error) []vfs.Entry {
	var entries []vfs.Entry
	for _, name := range names {
		attr, err := d.src.Lstat(name)
		switch {
		case missing == nil:
		case errors.Is(err, fs.ErrNotExist):
			err = missing
		case err == nil && !attr.Mode.IsDir() && !w.Files.Listed(d.path(name)):
			err = errOnTheWay
		}
		if err != nil {
			w.fail(d, onSource, name, err)
			continue
		}
		entries = append(entries, vfs.Entry{Name: name, Type: attr.Mode.Type()})
	}
	return entries
}

// admit leaves of entries those that take part. Links that are to be followed
// get the type of what they lead to.
func (w *worker) admit(d *directory, entries []vfs.Entry) []vfs.Entry {
	entries = w.leaveVolumeFiles(d, entries)
	if len(entries) > 0 {
		d.listed = true
	}
	if d.srcVolume.AppleDouble {
		entries = slices.DeleteFunc(entries, func(e vfs.Entry) bool { return isAppleDouble(d.src, e.Name) })
	}
	if w.Rules == nil && d.names == nil && w.Links == (plan.Links{}) && !w.Prune {
		return w.deferAliases(d, entries)
	}
	admitted := entries[:0]
	for _, e := range entries {
		link := e.Type == fs.ModeSymlink && w.Links != (plan.Links{})
		// A link may lead to a directory, for which there are other rules.
		if w.hides(d, e.Name, e.Type.IsDir()) && (!link || w.hides(d, e.Name, true)) {
			continue
		}
		takes := true
		if link {
			if e.Type, takes = w.through(d, e.Name); takes && w.hides(d, e.Name, e.Type.IsDir()) {
				continue
			}
		}
		if takes && w.Prune && e.Type.IsDir() && !w.holds(d.src, e.Name, d.path(e.Name)) {
			continue // as if the source had none
		}
		if d.names != nil {
			d.names.Add(e.Name)
		}
		if takes {
			admitted = append(admitted, e)
		}
	}
	return w.deferAliases(d, admitted)
}

// isAppleDouble reports whether an entry is a file "._NAME" in which the system keeps the extended
// attributes of NAME, which exists: it is not an entry of its own.
func isAppleDouble(dir vfs.Dir, name string) bool {
	of, ok := strings.CutPrefix(name, "._")
	if !ok || of == "" {
		return false
	}
	_, err := dir.Lstat(of)
	return err == nil
}

// hides reports whether a rule leaves out an entry of the source. Directories that
// only lead to what is listed are never left out.
func (w *worker) hides(d *directory, name string, isDir bool) bool {
	if w.Rules == nil {
		return false
	}
	path := d.path(name)
	return (w.Files == nil || w.Files.Listed(path)) && w.Rules.Hidden(path, isDir)
}

// through decides about a symbolic link of the source: it returns the type that
// it is to be copied as, or false if it is not copied at all.
func (w *worker) through(d *directory, name string) (t fs.FileMode, takes bool) {
	unsafe, target := false, ""
	if w.Links.Safe || w.Links.CopyUnsafe {
		var err error
		if target, err = d.src.Readlink(name); err != nil {
			w.fail(d, onSource, name, err)
			return 0, false
		}
		unsafe = plan.LeadsOut(target, d.path(""))
	}
	switch {
	case w.Links.Copy, w.Links.CopyUnsafe && unsafe:
	case w.Links.Safe && unsafe && d.task.Kind == clearTask:
		return 0, false // it was told before
	case w.Links.Safe && unsafe:
		w.count.Add(report.LinksSeen, 1)
		w.Sink.Event(w.event(d, onSource, report.Event{Kind: report.Skip, Name: name, Target: target, Err: errUnsafe}))
		return 0, false
	case w.Links.CopyDirlinks:
		if attr, err := w.stat(d, name); err != nil || !attr.Mode.IsDir() {
			return fs.ModeSymlink, true
		}
	default:
		return fs.ModeSymlink, true
	}
	attr, err := w.stat(d, name)
	if err == nil && attr.Mode.IsDir() && d.lineage.includes(attr.ID()) {
		err = errLoop
	}
	if err != nil {
		w.fail(d, onSource, name, dangling(err))
		return 0, false
	}
	return attr.Mode.Type(), true
}

// dangling keeps a link that leads nowhere from being taken for an entry that vanished.
func dangling(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return errDangling
	}
	return err
}

// stat returns the attributes of an entry of the source: for one that was
// admitted as what it leads to, of that. They are as the copy is to have them.
func (w *worker) stat(d *directory, name string) (attr vfs.Attr, err error) {
	if f, ok := d.src.(vfs.Follower); ok && w.Links.Follows() {
		attr, err = f.Stat(name)
	} else {
		attr, err = d.src.Lstat(name)
	}
	w.want(d, &attr)
	return attr, err
}

// open opens a file of the source likewise.
func (w *worker) open(d *directory, name string) (vfs.File, error) {
	if f, ok := d.src.(vfs.Follower); ok && w.Links.Follows() {
		return f.FollowFile(name)
	}
	return d.src.Open(name)
}

// holds reports whether the directory called name in dir, whose path below
// the destination is path, has anything to copy but directories, or is protected by
// a rule. What cannot be listed is taken to have, so that the failure is told
// where it belongs.
func (w *worker) holds(dir vfs.Dir, name, path string) bool {
	if w.Rules != nil && w.Rules.Protected(path, true) {
		return true
	}
	sub, err := openDir(dir, name, w.Links.Follows())
	if err != nil {
		return true
	}
	defer sub.Close()
	var below []string
	err = sub.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			switch {
			case w.Rules != nil && w.Rules.Hidden(join(path, e.Name), e.Type.IsDir()):
			case !e.Type.IsDir():
				return errFound
			default:
				below = append(below, strings.Clone(e.Name))
			}
		}
		return nil
	})
	if err != nil {
		return true
	}
	for _, name := range below {
		if w.holds(sub, name, join(path, name)) {
			return true
		}
	}
	return false
}

var errFound = errors.New("found")

// A lineage is a directory of the source and those above it, back to the
// root: what must not be met again below. It is kept only where links are followed.
type lineage struct {
	id vfs.ID
	up *lineage
}

func (l *lineage) below(id vfs.ID, wanted bool) *lineage {
	if !wanted {
		return nil
	}
	return &lineage{id, l}
}

func (l *lineage) includes(id vfs.ID) bool {
	for ; l != nil; l = l.up {
		if l.id == id {
			return true
		}
	}
	return false
}

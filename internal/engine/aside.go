package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"psync/internal/content"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// keepOld makes a backup of an entry that is about to be replaced, if that is
// wanted. The entry itself stays where it is, so that its name always exists.
func (w *worker) keepOld(ctx context.Context, d *directory, name string) (b backup, err error) {
	if !w.Backup.On {
		return b, nil
	}
	b, err = w.backupPlace(d, name)
	if err == nil && b.name != "" {
		err = w.lifter.Link(d.dst, name, b.dir, b.name)
		if errors.Is(err, errors.ErrUnsupported) {
			err = w.duplicate(ctx, d, name, &b)
		}
	}
	return b, ofBackup(ctx, err)
}

// giveUp removes an entry that is no directory, or makes it its own backup. What a killed run
// has left is worth none.
func (w *worker) giveUp(ctx context.Context, d *directory, name string) error {
	if !w.Backup.On || w.Temporaries.Abandoned(name) {
		return w.lifter.Remove(d.dst, name)
	}
	b, err := w.backupPlace(d, name)
	switch {
	case err != nil:
	case b.name == "":
		if err := w.lifter.Remove(d.dst, name); err != nil {
			return err
		}
	default:
		err = w.moveAside(ctx, d, name, &b)
	}
	if err == nil {
		err = w.backedUp(&b)
	}
	return ofBackup(ctx, err)
}

// copyAside makes a backup of a file that is about to be written into, which has a mark until
// that is done.
func (w *worker) copyAside(ctx context.Context, d *directory, name string) (b backup, err error) {
	if !w.Backup.On {
		return b, nil
	}
	b, err = w.backupPlace(d, name)
	if err == nil && b.name != "" {
		b.marked = true
		err = w.duplicate(ctx, d, name, &b)
	}
	return b, ofBackup(ctx, err)
}

// ofBackup says that an error is about a backup. That its place is full
// or read-only says nothing about the destination, so the cause does not show.
func ofBackup(ctx context.Context, err error) error {
	var pe *fs.PathError
	switch {
	case err == nil || err == context.Cause(ctx):
		return err
	case errors.As(err, &pe):
		return fmt.Errorf("backup: %s: %v", pe.Op, pe.Err)
	}
	return fmt.Errorf("backup: %v", err)
}

// backupPlace returns where the backup of an entry goes. Nothing stands there any more.
func (w *worker) backupPlace(d *directory, name string) (b backup, err error) {
	b.dir, b.name = d.dst, name+w.Backup.Suffix
	if w.Backup.inPlace() {
		b.name, err = w.freeOfSource(d, name)
	} else if d.aside == nil {
		d.aside, err = w.backupDir(d)
	}
	if err != nil {
		return backup{}, err
	}
	if !w.Backup.inPlace() {
		b.dir = d.aside
	}
	there, err := b.dir.Lstat(b.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return b, nil
	case err != nil:
		return backup{}, err
	case there.Mode.IsDir():
		return b, w.vacate(b.dir, b.name)
	}
	replace := true
	if there.Mode.IsRegular() {
		if replace = !isMarked(there); replace {
			replace, err = w.holdsMarks(b.dir, b.name, there)
		}
	}
	switch {
	case err != nil:
	case !replace:
		err = w.spare(d, name, &b)
	default:
		if err = w.lifter.Remove(b.dir, b.name); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	return b, err
}

// freeOfSource returns a name for a backup beside the entry that no entry of the
// source has, for that may be copied there.
func (w *worker) freeOfSource(d *directory, name string) (string, error) {
	newname := name + w.Backup.Suffix
	for n := 2; d.src != nil; n++ {
		_, err := d.src.Lstat(newname)
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return "", err
		}
		newname = fmt.Sprintf("%s.%d%s", name, n, w.Backup.Suffix)
	}
	return newname, nil
}

// vacate gives an older backup that is in the way of one of another type the
// first name NAME.N, from 2 on, that is free.
func (w *worker) vacate(in vfs.Dir, name string) error {
	for n := 2; ; n++ {
		free := fmt.Sprintf("%s.%d", name, n)
		_, err := in.Lstat(free)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return w.lifter.Rename(in, name, in, free)
		case err != nil:
			return err
		}
	}
}

// moveAside moves an entry, to another file system if need be.
func (w *worker) moveAside(ctx context.Context, d *directory, name string, b *backup) error {
	err := w.lifter.Rename(d.dst, name, b.dir, b.name)
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if err := w.duplicate(ctx, d, name, b); err != nil {
		return err
	}
	return w.lifter.Remove(d.dst, name)
}

// duplicate copies a file or a link of the destination with its attributes.
func (w *worker) duplicate(ctx context.Context, d *directory, name string, b *backup) (err error) {
	to, newname := b.dir, b.name
	attr, err := d.dst.Lstat(name)
	if err != nil {
		return err
	}
	old := metadata.State{Attr: attr}
	if b.marked {
		b.times = [2]time.Time{attr.Atime, attr.Mtime}
		old.Atime, old.Mtime = attr.Mtime, rewriteMark
	}
	if attr.Mode.Type() == fs.ModeSymlink {
		target, err := d.dst.Readlink(name)
		if err != nil {
			return err
		}
		if err := to.Symlink(target, newname); err != nil {
			return err
		}
		return w.dressBackup(to, newname, nil, &old)
	}
	if !attr.Mode.IsRegular() {
		return nil // a fifo or device holds nothing
	}
	src, err := d.dst.Open(name)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := to.Create(newname, attr.Mode.Perm()&0o700)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = both(err, to.Remove(newname))
		}
	}()
	var routes content.Routes
	inHand, cutoff := w.inHand, w.copier.Cutoff
	w.copier.Cutoff = 0
	err = w.copier.Copy(ctx, dst, src, attr, routes.Between(content.Device{}, content.Device{Dev: 1}))
	w.copier.Cutoff = cutoff
	w.count.Add(report.BytesCopied, inHand-w.inHand) // they are no part of the copy
	w.inHand = inHand
	if err == nil {
		err = syncContents(dst) // the original may be gone soon
	}
	if err = both(err, dst.Close()); err != nil {
		return err
	}
	return w.dressBackup(to, newname, src, &old)
}

// dressBackup gives the copy of an entry, which n is if that has more attributes than
// every entry, what the entry has. Nobody asked for any of it but the times.
func (w *worker) dressBackup(in vfs.Dir, name string, n vfs.Node, old *metadata.State) error {
	keep := metadata.Keep{Perms: true, Owner: true, Group: true, Mtime: true, Atime: true, ACLs: n != nil, Xattrs: n != nil}
	if n != nil {
		_ = w.profile.Read(n, keep, old, func(report.Attr, error) {})
	}
	made, err := in.Lstat(name)
	if err != nil {
		return err
	}
	var on metadata.Settable = metadata.Entry{Dir: in, Name: name}
	if nd, ok := in.(vfs.NodeDir); ok {
		if n, err := nd.Node(name); err == nil {
			defer n.Close()
			on = n
		}
	}
	ops := w.profile.Plan(nil, keep, metadata.PlanContext{User: w.User}, old, &metadata.State{Attr: made})
	for i := range ops {
		if ops[i].Never {
			continue
		}
		if err := ops[i].Do(on, n); err != nil && ops[i].Class == metadata.Times {
			return err
		}
	}
	return nil
}

// link makes newname in to another name of an entry.
func link(from vfs.Dir, name string, to vfs.Dir, newname string) error {
	if l, ok := to.(vfs.Linker); ok {
		return l.Link(from, name, newname)
	}
	return errors.ErrUnsupported
}

// move gives an entry to another directory.
func move(from vfs.Dir, name string, to vfs.Dir, newname string) error {
	if m, ok := from.(vfs.Mover); ok {
		return m.Move(name, to, newname)
	}
	return errors.ErrUnsupported
}

// closeAsides closes what was opened beside the pair of directories.
func (d *directory) closeAsides() {
	if d.aside == nil && d.alternatives == nil || d.path("") == "" {
		return // these are the roots, and not ours
	}
	if d.aside != nil {
		d.aside.Close()
	}
	for _, alt := range d.alternatives {
		if alt != nil {
			alt.Close()
		}
	}
}

// isBackup reports whether name is that of a backup in the destination itself.
func (b Backup) isBackup(name string) bool {
	return b.On && b.inPlace() && len(name) > len(b.Suffix) && strings.HasSuffix(name, b.Suffix)
}

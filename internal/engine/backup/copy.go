package backup

import (
	"context"
	"io/fs"
	"time"

	"psync/internal/content"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// copy copies an entry other than a directory, with its attributes, to its backup, starting again after each outage.
func (s *Store) copy(ctx context.Context, from vfs.Dir, name string, b *Backup, copier *content.Copier) (err error) {
	for n := 0; ; n++ {
		if err = s.copyOnce(ctx, from, name, b, copier); !vfs.StartsAgain(n, err) {
			return err
		}
	}
}

// copyOnce is copy without another attempt.
func (s *Store) copyOnce(ctx context.Context, from vfs.Dir, name string, b *Backup, copier *content.Copier) (err error) {
	attr, err := vfs.Lstat(from, name)
	if err != nil {
		return err
	}
	old := metadata.State{Attr: attr}
	if b.marked {
		b.times = [2]time.Time{attr.Atime, attr.Mtime}
		old.Atime, old.Mtime = attr.Mtime, rewriteMark()
	}
	if !attr.Mode.IsRegular() {
		return s.remake(from, name, b, &old)
	}
	src, err := from.OpenFile(name, vfs.ReadOnly, 0)
	if err != nil {
		return err
	}
	defer vfs.CloseUnwritten(src)
	dst, err := b.dir.OpenFile(b.name, vfs.Create, attr.Mode.Perm()&0o700)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = vfs.JoinErrors(err, b.dir.Remove(b.name, nil))
		}
	}()
	var routes content.Routes
	copier.Quiet = true // progress counts only what is copied from the source
	err = copier.Copy(ctx, dst, src, attr, routes.Between(content.Device{}, content.Device{Dev: 1}))
	copier.Quiet = false
	if err == nil {
		err = content.Sync(dst) // the original may soon be gone
	}
	if err = vfs.JoinErrors(err, dst.Close()); err != nil {
		return err
	}
	return s.setAttrs(b.dir, b.name, src, &old)
}

// remake makes the backup of a symbolic link, a fifo, a socket or a device, which have no contents to copy.
func (s *Store) remake(from vfs.Dir, name string, b *Backup, old *metadata.State) (err error) {
	if old.Mode.Type() == fs.ModeSymlink {
		target, err := from.Readlink(name)
		if err != nil {
			return err
		}
		if err := vfs.Symlink(b.dir, target, b.name); err != nil {
			return err
		}
	} else if err := vfs.Mknod(b.dir, b.name, old.Mode.Type()|old.Mode.Perm()&0o700, old.Rdev); err != nil {
		return err
	}
	if err := s.setAttrs(b.dir, b.name, nil, old); err != nil {
		return vfs.JoinErrors(err, b.dir.Remove(b.name, nil))
	}
	return nil
}

// setAttrs sets the attributes of a copy to those of the entry, old. If n is not nil, it is the entry, and its
// extended attributes are copied too. Errors are ignored except when setting times, because the user did not ask for
// the other attributes.
func (s *Store) setAttrs(in vfs.Dir, name string, n vfs.Node, old *metadata.State) error {
	keep := metadata.Keep{Perms: true, Owner: true, Group: true, Mtime: true, Atime: true, ACLs: n != nil, Xattrs: n != nil}
	if n != nil {
		_ = s.Profile.Read(n, keep, old, func(report.Attr, error) {})
	}
	made, err := vfs.Lstat(in, name)
	if err != nil {
		return err
	}
	var on vfs.Node = metadata.Entry{Dir: in, Name: name}
	if n, err := in.Node(name); err == nil {
		defer vfs.CloseUnwritten(n)
		on = n
	}
	ops := s.Profile.Plan(nil, keep, metadata.PlanContext{User: s.User}, old, &metadata.State{Attr: made})
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

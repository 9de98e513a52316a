package operand

import (
	"crypto/rand"
	"errors"
	"fmt"

	"psync/internal/vfs"
)

// checkRemoval returns an error if the files of a source that is the destination itself would be removed. Two hosts
// may be one machine, or see one file system, without any sign of it. The source would then count as its own copy,
// and its files would be lost. So checkRemoval makes a temporary entry in the destination and looks for it in the
// source.
func (o Options) checkRemoval(p placement, dest string) (err error) {
	from, to := o.Hosts.Source, o.Hosts.Dest
	target := under(dest, p.into)
	d, err := to.Open(target, o.trust())
	if notExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	defer d.Close()
	name := ".psync-probe-" + rand.Text()
	f, err := d.OpenFile(name, vfs.Create, 0o600)
	if err != nil {
		return fmt.Errorf("%s: cannot find out whether it is the source, whose files are to be removed: %w", to.Called(target), err)
	}
	defer func() { err = errors.Join(err, d.Remove(name, nil)) }()
	if err := f.Close(); err != nil {
		return err
	}
	attr, err := ifExists(from, under(p.dir, name), vfs.NoFollow)
	if err == nil && found(attr) {
		err = fmt.Errorf("%s and %s: %w", from.Called(p.dir), to.Called(target), ErrSame)
	}
	return err
}

package gnucp

import (
	"cmp"
	"errors"
	"strings"
	"syscall"

	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/policy"
	"psync/internal/localfs"
	"psync/internal/vfs"
)

// backUp renames the existing destination, unless the renamed file would replace the source.
func (w *worker) backUp(it *item) bool {
	if w.Backup != policy.NumberedBackups && w.isBackupOf(it) {
		return it.Out.Refuse("backing up %s might destroy source;  %s not copied", it.Dst, it.Src)
	}
	name := w.backupName(it.Dst.At, it.Dst.Name)
	err := it.Dst.At.Rename(it.Dst.Name, name)
	switch {
	case err == nil:
		it.backup = name
	case !errors.Is(err, syscall.ENOENT):
		return it.Out.Fail(err, "cannot backup %s", it.Dst)
	}
	it.New = true
	return true
}

// isBackupOf reports whether a backup of the destination would replace the source.
func (w *worker) isBackupOf(it *item) bool {
	if entry.DestName(it.Src.String()) != entry.DestName(it.Dst.Name)+w.Suffix {
		return false
	}
	attr, err := it.Dst.At.Stat(it.Dst.Name+w.Suffix, true)
	return err == nil && attr.ID() == it.Attr.ID()
}

// restore undoes backUp.
func (w *worker) restore(it *item) {
	if it.backup == "" {
		return
	}
	backup := it.Dst.Beside(it.backup)
	if err := it.Dst.At.Rename(it.backup, it.Dst.Name); err != nil {
		it.Out.Fail(err, "cannot un-backup %s", it.Dst)
	} else if w.Verbose {
		it.Out.Say("%s -> %s (unbackup)\n", backup, it.Dst)
	}
}

// backupName returns the name that the backup of a file gets.
func (w *worker) backupName(at localfs.At, name string) string {
	i := strings.LastIndexByte(name, '/') + 1
	dir, base := name[:i], name[i:]
	return dir + w.BackupName(base, func() string { return highestBackup(at, cmp.Or(dir, "."), base) })
}

// highestBackup returns the highest number of a backup of base in dir, or "".
func highestBackup(at localfs.At, dir, base string) (highest string) {
	in, err := at.Peek(dir)
	if err != nil {
		return ""
	}
	defer in.Close()
	_ = in.ReadDir(func(entries []vfs.Entry) error { // the entries listed before an error count
		for _, e := range entries {
			if n, ok := policy.BackupNumber(e.Name, base); ok && policy.Higher(n, highest) {
				highest = n
			}
		}
		return nil
	})
	return highest
}

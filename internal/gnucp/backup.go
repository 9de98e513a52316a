package gnucp

import (
	"errors"
	"strconv"
	"strings"
	"syscall"

	"psync/internal/gnucp/entry"
	"psync/internal/localfs"
	"psync/internal/vfs"
)

// backUp renames what is at the destination, unless that is the end of the source.
func (w *worker) backUp(it *item) bool {
	if w.Backup != NumberedBackups && w.isBackupOf(it) {
		return it.out.Refuse("backing up %s might destroy source;  %s not copied", it.dst, it.src)
	}
	name := w.backupName(it.dst.At, it.dst.Name)
	err := it.dst.At.Rename(it.dst.Name, name)
	switch {
	case err == nil:
		it.backup = name
	case !errors.Is(err, syscall.ENOENT):
		return it.out.Fail(err, "cannot backup %s", it.dst)
	}
	it.isNew = true
	return true
}

// isBackupOf reports whether the source is what a backup of the destination would replace.
func (w *worker) isBackupOf(it *item) bool {
	if entry.DestName(it.src.String()) != entry.DestName(it.dst.Name)+w.Suffix {
		return false
	}
	attr, err := it.dst.At.Stat(it.dst.Name+w.Suffix, true)
	return err == nil && attr.ID() == it.attr.ID()
}

// restore undoes backUp.
func (w *worker) restore(it *item) {
	if it.backup == "" {
		return
	}
	backup := entry.Place{At: it.dst.At, Dir: it.dst.Dir, Name: it.backup}
	if err := it.dst.At.Rename(it.backup, it.dst.Name); err != nil {
		it.out.Fail(err, "cannot un-backup %s", it.dst)
	} else if w.Verbose {
		it.out.Say("%s -> %s (unbackup)\n", backup, it.dst)
	}
}

// backupName returns what to rename a file to.
func (w *worker) backupName(at localfs.At, name string) string {
	i := strings.LastIndexByte(name, '/') + 1
	dir, base := name[:i], name[i:]
	if w.Backup == SimpleBackups {
		return dir + fit(base, w.Suffix)
	}
	n := highestBackup(at, dir, base)
	if n == "" && w.Backup == ExistingBackups {
		return dir + fit(base, w.Suffix)
	}
	return dir + fit(base, ".~"+successor(n)+"~")
}

// maxName is the longest name, in bytes, that cp gives a backup: one less than file systems take.
const maxName = 254

// fit returns base with an extension, or with one letter instead, in the last place there is, if
// that would be too long.
func fit(base, extension string) string {
	if len(base)+len(extension) <= maxName {
		return base + extension
	}
	return base[:min(len(base), maxName-1)] + "~"
}

// highestBackup returns the highest number among those of the backups of base in dir, in
// digits, or "" if there are none.
func highestBackup(at localfs.At, dir, base string) (highest string) {
	if dir == "" {
		dir = "."
	}
	in, err := at.Peek(dir)
	if err != nil {
		return ""
	}
	defer in.Close()
	_ = in.ReadDir(func(entries []vfs.Entry) error { // those that are listed count
		for _, e := range entries {
			if n, ok := backupNumber(e.Name, base); ok && (len(n) > len(highest) || len(n) == len(highest) && n > highest) {
				highest = n
			}
		}
		return nil
	})
	return highest
}

// backupNumber returns the number in the name of a backup of base. It has no leading zero, and no limit.
func backupNumber(name, base string) (string, bool) {
	n, ok := strings.CutPrefix(name, base+".~")
	if ok {
		n, ok = strings.CutSuffix(n, "~")
	}
	if !ok || n == "" || n[0] == '0' || strings.Trim(n, "0123456789") != "" {
		return "", false
	}
	return n, true
}

// successor returns the number after n, "" counting as zero.
func successor(n string) string {
	if i, err := strconv.ParseUint("0"+n, 10, 63); err == nil {
		return strconv.FormatUint(i+1, 10)
	}
	digits := []byte(n)
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i] != '9' {
			digits[i]++
			return string(digits)
		}
		digits[i] = '0'
	}
	return "1" + string(digits)
}

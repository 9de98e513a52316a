package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"psync/internal/engine"
	"psync/internal/localfs"
	"psync/internal/sys"
	"psync/internal/vfs"
)

// safetyFlags say how files get to their places, and what becomes of old ones.
type safetyFlags struct {
	backup                          bool
	backupDir, suffix               string
	tempDir                         string
	inPlace                         bool
	removeSource, openNoatime       bool
	insecureLinks                   bool
	linkDest, copyDest, compareDest []string
}

func (f *safetyFlags) add(fs *pflag.FlagSet) {
	fs.BoolVarP(&f.backup, "backup", "b", false, "keep what is replaced or removed, under another name")
	fs.StringVar(&f.backupDir, "backup-dir", "", "keep it in `DIR`, relative to DST (implies -b)")
	fs.StringVar(&f.suffix, "suffix", "", "add `SUFFIX` to the names of backups (default ~, with --backup-dir none)")
	fs.StringVarP(&f.tempDir, "temp-dir", "T", "", "write files in `DIR`, relative to DST, until they are complete")
	fs.BoolVar(&f.inPlace, "inplace", false, "write into existing files instead of replacing them")
	fs.BoolVar(&f.removeSource, "remove-source-files", false, "remove files of SRC once DST has them")
	fs.BoolVar(&f.openNoatime, "open-noatime", false, "leave the access times of SRC alone, where it is ours (-U does, too)")
	fs.BoolVar(&f.insecureLinks, "insecure-links", false, "follow links on the paths of DST, of directories that flags name, and of -K even if other users may have planted them (so they choose where psync writes)")
	fs.StringArrayVar(&f.linkDest, "link-dest", nil, "hard-link files that are unchanged in `DIR`, relative to DST")
	fs.StringArrayVar(&f.copyDest, "copy-dest", nil, "copy files that are unchanged in `DIR` from there")
	fs.StringArrayVar(&f.compareDest, "compare-dest", nil, "leave out files that are unchanged in `DIR`")
}

func (f *safetyFlags) check(fs *pflag.FlagSet, p *policyFlags, d *deleteFlags) error {
	for _, name := range []string{"backup-dir", "temp-dir"} {
		if v, err := fs.GetString(name); err == nil && v == "" && fs.Changed(name) {
			return fmt.Errorf("--%s: the directory is missing; is a shell variable unset?", name)
		}
	}
	if f.openNoatime && !sys.CanLeaveAtimes {
		return errors.New("--open-noatime: this system cannot read without changing access times; mount SRC with noatime")
	}
	for name, dirs := range map[string][]string{"link-dest": f.linkDest, "copy-dest": f.copyDest, "compare-dest": f.compareDest} {
		if slices.Contains(dirs, "") {
			return fmt.Errorf("--%s: the directory is missing; is a shell variable unset?", name)
		}
	}
	kinds := 0
	for _, dirs := range [][]string{f.linkDest, f.copyDest, f.compareDest} {
		kinds += min(1, len(dirs))
	}
	f.backup = f.backup || f.backupDir != ""
	switch {
	case kinds > 1:
		return errors.New("--link-dest, --copy-dest and --compare-dest exclude each other")
	case strings.Contains(f.suffix, "/"):
		return fmt.Errorf("--suffix %s: a suffix is part of a name, and has no slash", f.suffix)
	case f.suffix != "" && !f.backup:
		return errors.New("--suffix is about --backup, which is missing")
	case f.inPlace && f.tempDir != "":
		return errors.New("--inplace and --temp-dir exclude each other")
	case f.inPlace && len(f.linkDest) > 0:
		return errors.New("--inplace would write into the files that --link-dest shares with other trees: leave one of them out")
	case f.removeSource && d.delete:
		return errors.New("--remove-source-files and --delete exclude each other: the next run would remove what this one has moved")
	case f.removeSource && p.sizeOnly:
		return errors.New("--remove-source-files and --size-only exclude each other: what DST has can be something else")
	case f.inPlace && p.sizeOnly:
		return errors.New("--inplace and --size-only exclude each other: what an interrupted run leaves half written can have the right size")
	case f.inPlace && p.update:
		return errors.New("--inplace and --update exclude each other: what an interrupted run leaves half written would look newer")
	}
	if f.suffix == "" && f.backupDir == "" {
		f.suffix = "~"
	}
	return nil
}

// opener returns what opens the directories that a run writes to or takes files from.
func (f *safetyFlags) opener() localfs.Opener { return localfs.Opener{Insecure: f.insecureLinks} }

// besides are the directories that a run needs besides its roots.
type besides struct {
	backup       engine.Backup
	tempDir      vfs.Dir
	alternatives engine.Alternatives
}

// perWorker returns how many files and directories each worker may have open for
// the sake of b.
func (b *besides) perWorker() (n int) {
	if n = len(b.alternatives.Dirs); n > 0 {
		n++ // the file that was found
	}
	if b.backup.On {
		n += 3 // the place of backups, and two files if one is copied there
	}
	return n
}

func (b *besides) close() {
	for _, d := range append(b.alternatives.Dirs, b.backup.Dir, b.tempDir) {
		if d != nil {
			d.Close()
		}
	}
}

// open opens the directories that flags name. A missing one is made if backups
// go there, and told by missing if files would have been taken from it.
func (f *safetyFlags) open(r *roots, scope scope, dryRun bool, missing func(string)) (b besides, err error) {
	defer func() {
		if err != nil {
			b.close()
		}
	}()
	b.backup = engine.Backup{On: f.backup, Suffix: f.suffix}
	if f.backupDir != "" {
		if err := f.openBackupDir(r, scope, dryRun, &b.backup); err != nil {
			return b, fmt.Errorf("--backup-dir: %w", err)
		}
	}
	if f.tempDir != "" {
		if b.tempDir, err = f.openTempDir(r.dest, r.below(f.tempDir)); err != nil {
			return b, fmt.Errorf("--temp-dir: %w", err)
		}
	}
	for _, kind := range []struct {
		kind  engine.AlternativeKind
		flag  string
		paths []string
	}{{engine.LinkDest, "link-dest", f.linkDest}, {engine.CopyDest, "copy-dest", f.copyDest}, {engine.CompareDest, "compare-dest", f.compareDest}} {
		for _, path := range kind.paths {
			d, err := f.opener().Open(r.below(path))
			if notExist(err) {
				missing(fmt.Sprintf("--%s %s does not exist (%s)", kind.flag, path, r.below(path)))
				continue
			}
			if err != nil {
				return b, fmt.Errorf("--%s: %w", kind.flag, err)
			}
			b.alternatives.Kind = kind.kind
			b.alternatives.Dirs = append(b.alternatives.Dirs, d)
		}
	}
	return b, nil
}

// openTempDir opens a directory from which files can be renamed into dest.
func (f *safetyFlags) openTempDir(dest vfs.Dir, path string) (vfs.Dir, error) {
	d, err := f.opener().Open(path)
	if err != nil || dest == nil {
		return d, err
	}
	here, err := dest.Lstat(".")
	if err != nil {
		return d, err
	}
	there, err := d.Lstat(".")
	if err == nil && here.Dev != there.Dev {
		err = fmt.Errorf("%s: %w", path, errTempElsewhere)
	}
	return d, err
}

// openBackupDir opens the directory for backups. One that is missing is made when there is something
// to put in it.
func (f *safetyFlags) openBackupDir(r *roots, scope scope, dryRun bool, b *engine.Backup) error {
	path := r.below(f.backupDir)
	if err := r.refuseBackupDir(scope, path); err != nil {
		return err
	}
	dir, err := f.opener().Open(path)
	if notExist(err) {
		return f.makeBackupDirLater(r.umask, path, dryRun, b)
	}
	if err != nil {
		return err
	}
	b.Dir = dir
	if r.dest == nil {
		return nil
	}
	here, err := r.dest.Lstat(".")
	if err != nil {
		return err
	}
	there, err := dir.Lstat(".")
	if err != nil || here.ID() != there.ID() {
		return err
	}
	if b.Suffix == "" {
		return fmt.Errorf("%s: %w", path, errBackupSame)
	}
	b.Dir = nil
	return dir.Close()
}

// makeBackupDirLater prepares b for a directory at path that is missing. Those above it get
// the permissions that the umask gives, which does not apply any more.
func (f *safetyFlags) makeBackupDirLater(umask fs.FileMode, path string, dryRun bool, b *engine.Backup) error {
	switch link, err := ifExists(os.Lstat, path); {
	case err != nil:
		return err
	case link != nil:
		return fmt.Errorf("%s is a link that leads nowhere", path)
	}
	b.Missing = true
	if dryRun {
		return nil
	}
	nearest, _, err := nearestDir(path)
	if err != nil {
		return err
	}
	parent, err := localfs.Cwd.Stat(nearest, true)
	if err != nil {
		return err
	}
	b.Parent = parent.ID()
	b.Make = func() (vfs.Dir, error) {
		opener := f.opener()
		opener.MkdirAll, opener.Perm = true, 0o777&^umask
		up, err := opener.Open(above(path))
		if err != nil {
			return nil, err
		}
		defer up.Close()
		opener = f.opener()
		opener.Mkdir, opener.Perm = true, 0o700
		return opener.Open(path)
	}
	return nil
}

// refuseBackupDir refuses a directory in which a source lies, or that the run would come
// to in one, or whose counterpart in a source would be copied into it.
func (r *roots) refuseBackupDir(scope scope, path string) error {
	there, err := ifExists(os.Stat, path)
	if err != nil {
		return err
	}
	for _, s := range r.sources {
		for _, t := range trees(s.Label, s.Names, s.Into) {
			info, err := ifExists(os.Stat, t.path)
			if err != nil {
				return err
			}
			if info == nil || !info.IsDir() {
				continue
			}
			way, err := scope.routeTo(path, t)
			overlaps := way != nil
			if err == nil && !overlaps && there != nil {
				overlaps, err = localfs.Inside(t.path, path)
			}
			if err != nil {
				return err
			}
			if overlaps {
				return fmt.Errorf("%s and %s: %w", path, t.path, errBackupOverlaps)
			}
		}
		if rest, inside := strings.CutPrefix(filepath.Clean(path), filepath.Clean(r.destPath)+"/"); inside && len(s.Names) == 0 && s.Into == "" {
			at := under(s.Label, rest)
			switch info, err := ifExists(os.Lstat, at); {
			case err != nil:
				return err
			case info != nil:
				return fmt.Errorf("%s: %w", at, errBackupInSource)
			}
		}
	}
	return nil
}

// below returns path, or what it is relative to the destination.
func (r *roots) below(path string) string {
	switch {
	case strings.HasPrefix(path, "/"):
		return path
	case r.dest == nil: // so the kernel cannot tell where .. leads from there
		return filepath.Join(r.destPath, path)
	}
	return under(r.destPath, path)
}

package operand

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"psync/internal/engine/backup"
	"psync/internal/engine/job"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// AuxOptions name the directories that a run needs in addition to its roots. Paths are relative to DST.
type AuxOptions struct {
	Backup                          bool
	BackupDir, Suffix               string // as in [backup.Options]
	TempDir                         string
	PartialDir                      string // if it is relative, it is one in each directory, which need not exist
	LinkDest, CopyDest, CompareDest []string
}

// AuxDirs are the directories that a run needs in addition to its roots.
type AuxDirs struct {
	Backup       backup.Options
	BackupParent vfs.Dir // the nearest directory above a directory for backups that the run will make; nil: it cannot be opened
	TempDir      vfs.Dir
	Partial      job.Partial
	Alternatives job.Alternatives
}

// PerWorker returns how many files and directories each worker may have open in d.
func (d *AuxDirs) PerWorker() (n int) {
	if n = len(d.Alternatives.Dirs); n > 0 {
		n++ // the alternative file
	}
	if d.Backup.On {
		n += 3 // the directory for backups, and both files of a copy into it
	}
	return n
}

// Close closes all directories.
func (d *AuxDirs) Close() {
	for _, d := range append(d.Alternatives.Dirs, d.Backup.Dir, d.BackupParent, d.TempDir, d.Partial.Dir) {
		if d != nil {
			d.Close()
		}
	}
}

// OpenAux opens the directories that flags name. A missing directory for backups is made later. OpenAux
// reports a missing directory of alternatives, as for --link-dest, through warn.
func (r *Roots) OpenAux(o AuxOptions, warn func(string)) (d AuxDirs, err error) {
	if len(r.Sources) == 0 {
		return d, nil // all are missing, and ignored
	}
	if err := r.checkSideFiles(o); err != nil {
		return d, err
	}
	defer closeOnError(&d, &err)
	d.Backup = backup.Options{On: o.Backup, Suffix: o.Suffix}
	if err := r.refuseBackupsOverSources(o); err != nil {
		return d, err
	}
	if o.BackupDir != "" {
		if err := r.openBackupDir(r.below(o.BackupDir), &d); err != nil {
			return d, fmt.Errorf("--backup-dir: %w", err)
		}
	}
	if o.TempDir != "" {
		d.TempDir, err = r.openTempDir(r.below(o.TempDir), r.options.trustNamed())
		if errors.Is(err, ErrTempElsewhere) && r.options.SlashDecides {
			warn(fmt.Sprintf("--temp-dir: %v, so files are made beside their places", err))
			_ = d.TempDir.Close()
			d.TempDir, err = nil, nil
		}
		if err != nil {
			return d, fmt.Errorf("--temp-dir: %w", err)
		}
	}
	private := r.options.trustNamed()
	private.Mkdir, private.Perm = !r.options.DryRun, 0o700
	if !strings.HasPrefix(o.PartialDir, "/") {
		d.Partial.Name = o.PartialDir
	} else if d.Partial.Dir, err = r.openTempDir(o.PartialDir, private); err != nil && (private.Mkdir || !notExist(err)) {
		return d, fmt.Errorf("--partial-dir: %w", err)
	}
	for _, kind := range []struct {
		kind  plan.AlternativeKind
		flag  string
		paths []string
	}{{plan.LinkDest, "link-dest", o.LinkDest}, {plan.CopyDest, "copy-dest", o.CopyDest}, {plan.CompareDest, "compare-dest", o.CompareDest}} {
		for _, path := range kind.paths {
			dir, err := r.options.Hosts.Dest.Open(r.below(path), r.options.trustNamed())
			if notExist(err) {
				warn(fmt.Sprintf("--%s %s does not exist (%s)", kind.flag, path, r.options.Hosts.Dest.Called(r.below(path))))
				continue
			}
			if err != nil {
				return d, fmt.Errorf("--%s: %w", kind.flag, err)
			}
			d.Alternatives.Kind = kind.kind
			d.Alternatives.Dirs = append(d.Alternatives.Dirs, dir)
		}
	}
	return d, nil
}

// openTempDir opens a directory for temporary files, which must be on the volume of the destination.
func (r *Roots) openTempDir(path string, how vfs.OpenOptions) (vfs.Dir, error) {
	d, err := r.options.Hosts.Dest.Open(path, how)
	if err != nil || r.Dest == nil {
		return d, err
	}
	dest, err := vfs.Lstat(r.Dest, ".")
	temp, wrong := vfs.Lstat(d, ".")
	if err = cmp.Or(err, wrong); err == nil && dest.Dev != temp.Dev {
		err = fmt.Errorf("%s: %w", r.options.Hosts.Dest.Called(path), ErrTempElsewhere)
	}
	return d, err
}

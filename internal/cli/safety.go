package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"psync/internal/operand"
	"psync/internal/sys"
)

// safetyFlags say how files get to their places, and what becomes of old ones.
type safetyFlags struct {
	operand.AuxOptions
	inPlace                   bool
	removeSource, openNoatime bool
	insecureLinks             bool
}

func (f *safetyFlags) add(fs *pflag.FlagSet) {
	fs.BoolVarP(&f.Backup, "backup", "b", false, "keep what is replaced or removed, under another name")
	fs.StringVar(&f.BackupDir, "backup-dir", "", "keep it in `DIR`, relative to DST (implies -b)")
	fs.StringVar(&f.Suffix, "suffix", "", "add `SUFFIX` to the names of backups (default ~, with --backup-dir none)")
	fs.StringVarP(&f.TempDir, "temp-dir", "T", "", "write files in `DIR`, relative to DST, until they are complete")
	fs.BoolVar(&f.inPlace, "inplace", false, "write into existing files instead of replacing them")
	fs.BoolVar(&f.removeSource, "remove-source-files", false, "remove files of SRC once DST has them")
	fs.BoolVar(&f.openNoatime, "open-noatime", false, "leave the access times of SRC alone, where it is ours (-U does, too)")
	fs.BoolVar(&f.insecureLinks, "insecure-links", false, "follow links on the paths of DST, of directories that flags name, and of -K even if other users may have planted them (so they choose where psync writes)")
	fs.StringArrayVar(&f.LinkDest, "link-dest", nil, "hard-link files that are unchanged in `DIR`, relative to DST")
	fs.StringArrayVar(&f.CopyDest, "copy-dest", nil, "copy files that are unchanged in `DIR` from there")
	fs.StringArrayVar(&f.CompareDest, "compare-dest", nil, "leave out files that are unchanged in `DIR`")
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
	for name, dirs := range map[string][]string{"link-dest": f.LinkDest, "copy-dest": f.CopyDest, "compare-dest": f.CompareDest} {
		if slices.Contains(dirs, "") {
			return fmt.Errorf("--%s: the directory is missing; is a shell variable unset?", name)
		}
	}
	kinds := 0
	for _, dirs := range [][]string{f.LinkDest, f.CopyDest, f.CompareDest} {
		kinds += min(1, len(dirs))
	}
	f.Backup = f.Backup || f.BackupDir != ""
	switch {
	case kinds > 1:
		return errors.New("--link-dest, --copy-dest and --compare-dest exclude each other")
	case strings.Contains(f.Suffix, "/"):
		return fmt.Errorf("--suffix %s: a suffix is part of a name, and has no slash", f.Suffix)
	case f.Suffix != "" && !f.Backup:
		return errors.New("--suffix is about --backup, which is missing")
	case f.inPlace && f.TempDir != "":
		return errors.New("--inplace and --temp-dir exclude each other")
	case f.inPlace && len(f.LinkDest) > 0:
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
	if f.Suffix == "" && f.BackupDir == "" {
		f.Suffix = "~"
	}
	return nil
}

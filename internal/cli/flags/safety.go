package flags

import (
	"fmt"
	"slices"
	"strings"

	"psync/internal/cli/values"
	"psync/internal/engine"
	"psync/internal/operand"
	"psync/internal/sys"
)

// backupFlags set what happens to old files.
func backupFlags(a *operand.AuxOptions) []flag {
	return []flag{
		{
			name: "backup", short: "b", verbs: copying, value: (*values.Toggle)(&a.Backup),
			help: "keep what is replaced or removed, under another name",
		},
		{
			name: "backup-dir", verbs: copying, value: (*values.Word)(&a.BackupDir), help: "keep it in `DIR`, relative to DST (implies -b)",
			misuse: func() string { return lacksDir("backup-dir", a.BackupDir) },
		},
		{
			name: "suffix", verbs: copying, value: (*values.Word)(&a.Suffix),
			help: "add `SUFFIX` to the names of backups (default ~, with --backup-dir none)",
			misuse: func() string {
				switch {
				case strings.Contains(a.Suffix, "/"):
					return fmt.Sprintf("--suffix %s: a suffix is part of a name, and has no slash", a.Suffix)
				case a.Suffix != "" && !a.Backup:
					return "--suffix is about --backup, which is missing"
				}
				return ""
			},
		},
	}
}

// safetyFlags set how files get to their places.
func safetyFlags(o *operand.Options, a *operand.AuxOptions, e *engine.Options) []flag {
	return []flag{
		{
			name: "temp-dir", short: "T", verbs: copying, value: (*values.Word)(&a.TempDir),
			help:   "write files in `DIR`, relative to DST, until they are complete",
			misuse: func() string { return lacksDir("temp-dir", a.TempDir) },
		},
		{
			name: "partial-dir", verbs: copying, value: (*values.Word)(&a.PartialDir),
			help:   "keep what is copied of a file when a run ends early in `DIR`, below the directory of the file unless it is an absolute path; over ssh, the next run sends only the rest of files from 16 MiB on",
			misuse: func() string { return partialDirMisuse(a, e) },
		},
		{
			name: "inplace", verbs: copying, value: (*values.Toggle)(&e.InPlace), help: "write into existing files instead of replacing them",
			misuse: func() string { return inPlaceMisuse(a, e) },
		},
		{
			name: "append", verbs: copying, value: (*values.Toggle)(&e.Append),
			help:   "continue files that are shorter in DST at their end, and skip those that are not (implies --inplace); what DST has is believed",
			misuse: func() string { return appendMisuse("append", a, e) },
		},
		{
			name: "append-verify", verbs: copying, value: (*values.Toggle)(&e.AppendVerify),
			help:   "as --append, but copy a file as a whole unless DST has its beginning",
			misuse: func() string { return appendMisuse("append-verify", a, e) },
		},
		{
			name: "delay-updates", verbs: copying, value: (*values.Toggle)(&e.DelayUpdates),
			help: "put files in place when all are copied, at the end of the run",
			misuse: func() string {
				switch {
				case e.DelayUpdates && e.InPlace:
					return "--delay-updates and --inplace exclude each other: what is written in place is there at once"
				case e.DelayUpdates && e.RemoveSource:
					return "--delay-updates and --remove-source-files exclude each other: SRC would lose files that DST does not have yet"
				}
				return ""
			},
		},
		{
			name: "remove-source-files", heading: headingRemoved, verbs: copying, value: (*values.Toggle)(&e.RemoveSource), help: "remove files of SRC once DST has them",
			misuse: func() string {
				switch {
				case e.RemoveSource && e.Delete.On:
					return "--remove-source-files and --delete exclude each other: the next run would remove what this one has moved"
				case e.RemoveSource && e.SizeOnly:
					return "--remove-source-files and --size-only exclude each other: what DST has can be something else"
				}
				return ""
			},
		},
		{
			name: "open-noatime", verbs: copying, value: (*values.Toggle)(&o.Noatime),
			help: "leave the access times of SRC alone, where it is ours (-U does, too)",
			misuse: exclude("--open-noatime: this system cannot read without changing access times; mount SRC with noatime",
				func() bool { return o.Noatime && !sys.CanLeaveAtimes }),
		},
		{
			name: "insecure-links", verbs: all, value: (*values.Toggle)(&o.InsecureLinks),
			help:    "follow links on the paths of DST, of what flags name, and of -K even if other users may have planted them (so they choose where psync writes)",
			helpFor: map[Verbs]string{Compare | Delete: "follow links on the paths of files that flags name even if other users may have planted them (so they choose where psync writes)"},
		},
	}
}

// alternativeFlags name trees that resemble the destination.
func alternativeFlags(a *operand.AuxOptions) []flag {
	return []flag{
		{
			name: "link-dest", verbs: copying, value: (*values.Words)(&a.LinkDest), help: "hard-link files that are unchanged in `DIR`, relative to DST",
			misuse: func() string { return misusesAlternative(a, "link-dest", a.LinkDest) },
		},
		{
			name: "copy-dest", verbs: copying, value: (*values.Words)(&a.CopyDest), help: "copy files that are unchanged in `DIR` from there",
			misuse: func() string { return misusesAlternative(a, "copy-dest", a.CopyDest) },
		},
		{
			name: "compare-dest", verbs: copying, value: (*values.Words)(&a.CompareDest), help: "leave out files that are unchanged in `DIR`",
			misuse: func() string { return misusesAlternative(a, "compare-dest", a.CompareDest) },
		},
	}
}

func inPlaceMisuse(a *operand.AuxOptions, e *engine.Options) string {
	switch {
	case !e.InPlace:
	case a.TempDir != "":
		return "--inplace and --temp-dir exclude each other"
	case len(a.LinkDest) > 0:
		return "--inplace would write into the files that --link-dest shares with other trees: leave one of them out"
	case e.SizeOnly:
		return "--inplace and --size-only exclude each other: what an interrupted run leaves half written can have the right size"
	case e.Update:
		return "--inplace and --update exclude each other: what an interrupted run leaves half written would look newer"
	}
	return ""
}

func partialDirMisuse(a *operand.AuxOptions, e *engine.Options) string {
	dir := a.PartialDir
	switch {
	case dir == "":
		return lacksDir("partial-dir", dir)
	case dir == "." || dir == ".." || strings.Contains(dir, "/") && !strings.HasPrefix(dir, "/"):
		return "--partial-dir " + dir + ": write a name, which stands for one in each directory, or an absolute path"
	case e.Append:
		return "--partial-dir and --append exclude each other: what is appended to stays where it is"
	case e.InPlace:
		return "--partial-dir and --inplace exclude each other: what is written in place stays there"
	}
	return ""
}

// appendMisuse is the misuse function of --append and --append-verify.
func appendMisuse(name string, a *operand.AuxOptions, e *engine.Options) string {
	switch {
	case !e.Append:
	case e.WholeFile:
		return "--" + name + " and --whole-file exclude each other"
	case e.DelayUpdates:
		return "--" + name + " and --delay-updates exclude each other"
	case a.TempDir != "":
		return "--" + name + " and --temp-dir exclude each other"
	case len(a.LinkDest) > 0:
		return "--" + name + " would write into the files that --link-dest shares with other trees: leave one of them out"
	}
	return ""
}

// misusesAlternative is the misuse function of the three flags that name trees resembling the destination.
func misusesAlternative(a *operand.AuxOptions, name string, dirs []string) string {
	if slices.Contains(dirs, "") {
		return lacksDir(name, "")
	}
	kinds := 0
	for _, dirs := range [][]string{a.LinkDest, a.CopyDest, a.CompareDest} {
		kinds += min(1, len(dirs))
	}
	if kinds > 1 {
		return "--link-dest, --copy-dest and --compare-dest exclude each other"
	}
	return ""
}

func lacksDir(name, dir string) string {
	if dir == "" {
		return fmt.Sprintf("--%s: the directory is missing; is a shell variable unset?", name)
	}
	return ""
}

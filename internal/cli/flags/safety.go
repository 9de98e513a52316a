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
			misuse: func() faults { return faults{{a.BackupDir == "", lacksDir("backup-dir")}} },
		},
		{
			name: "suffix", verbs: copying, value: (*values.Word)(&a.Suffix),
			help: "add `SUFFIX` to the names of backups (default ~, with --backup-dir none)",
			misuse: func() faults {
				return faults{
					{strings.Contains(a.Suffix, "/"), fmt.Sprintf("--suffix %s: a suffix is part of a name, and has no slash", a.Suffix)},
					{a.Suffix != "" && !a.Backup, "--suffix is about --backup, which is missing"},
				}
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
			misuse: func() faults { return faults{{a.TempDir == "", lacksDir("temp-dir")}} },
		},
		{
			name: "partial-dir", verbs: copying, value: (*values.Word)(&a.PartialDir),
			help:   "keep what is copied of a file when a run ends early in `DIR`, below the directory of the file unless it is an absolute path; over ssh, the next run sends only the rest of files from 16 MiB on",
			misuse: func() faults { return partialDirMisuse(a, e) },
		},
		{
			name: "inplace", verbs: copying, value: (*values.Toggle)(&e.InPlace), help: "write into existing files instead of replacing them",
			misuse: func() faults { return inPlaceMisuse(a, e) },
		},
		{
			name: "append", verbs: copying, value: (*values.Toggle)(&e.Append),
			help:   "continue files that are shorter in DST at their end, and skip those that are not (implies --inplace); what DST has is believed",
			misuse: func() faults { return appendMisuse("append", a, e) },
		},
		{
			name: "append-verify", verbs: copying, value: (*values.Toggle)(&e.AppendVerify),
			help:   "as --append, but copy a file as a whole unless DST has its beginning",
			misuse: func() faults { return appendMisuse("append-verify", a, e) },
		},
		{
			name: "delay-updates", verbs: copying, value: (*values.Toggle)(&e.DelayUpdates),
			help: "put files in place when all are copied, at the end of the run",
			misuse: func() faults {
				return faults{
					{e.DelayUpdates && e.InPlace, "--delay-updates and --inplace exclude each other: what is written in place is there at once"},
					{e.DelayUpdates && e.RemoveSource, "--delay-updates and --remove-source-files exclude each other: SRC would lose files that DST does not have yet"},
				}
			},
		},
		{
			name: "remove-source-files", heading: headingRemoved, verbs: copying, value: (*values.Toggle)(&e.RemoveSource), help: "remove files of SRC once DST has them",
			misuse: func() faults {
				return faults{
					{e.RemoveSource && e.Delete.On, "--remove-source-files and --delete exclude each other: the next run would remove what this one has moved"},
					{e.RemoveSource && e.SizeOnly, "--remove-source-files and --size-only exclude each other: what DST has can be something else"},
				}
			},
		},
		{
			name: "open-noatime", verbs: copying, value: (*values.Toggle)(&o.Noatime),
			help: "leave the access times of SRC alone, where it is ours (-U does, too)",
			misuse: misuseIf("--open-noatime: this system cannot read without changing access times; mount SRC with noatime",
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
			misuse: func() faults { return misusesAlternative(a, "link-dest", a.LinkDest) },
		},
		{
			name: "copy-dest", verbs: copying, value: (*values.Words)(&a.CopyDest), help: "copy files that are unchanged in `DIR` from there",
			misuse: func() faults { return misusesAlternative(a, "copy-dest", a.CopyDest) },
		},
		{
			name: "compare-dest", verbs: copying, value: (*values.Words)(&a.CompareDest), help: "leave out files that are unchanged in `DIR`",
			misuse: func() faults { return misusesAlternative(a, "compare-dest", a.CompareDest) },
		},
	}
}

func inPlaceMisuse(a *operand.AuxOptions, e *engine.Options) faults {
	return faults{
		{e.InPlace && a.TempDir != "", "--inplace and --temp-dir exclude each other"},
		{e.InPlace && len(a.LinkDest) > 0, "--inplace would write into the files that --link-dest shares with other trees: leave one of them out"},
		{e.InPlace && e.SizeOnly, "--inplace and --size-only exclude each other: what an interrupted run leaves half written can have the right size"},
		{e.InPlace && e.Update, "--inplace and --update exclude each other: what an interrupted run leaves half written would look newer"},
	}
}

func partialDirMisuse(a *operand.AuxOptions, e *engine.Options) faults {
	dir := a.PartialDir
	return faults{
		{dir == "", lacksDir("partial-dir")},
		{dir == "." || dir == ".." || strings.Contains(dir, "/") && !strings.HasPrefix(dir, "/"), "--partial-dir " + dir + ": write a name, which stands for one in each directory, or an absolute path"},
		{e.Append, "--partial-dir and --append exclude each other: what is appended to stays where it is"},
		{e.InPlace, "--partial-dir and --inplace exclude each other: what is written in place stays there"},
	}
}

// appendMisuse is the misuse function of --append and --append-verify.
func appendMisuse(name string, a *operand.AuxOptions, e *engine.Options) faults {
	return faults{
		{e.Append && e.WholeFile, "--" + name + " and --whole-file exclude each other"},
		{e.Append && e.DelayUpdates, "--" + name + " and --delay-updates exclude each other"},
		{e.Append && a.TempDir != "", "--" + name + " and --temp-dir exclude each other"},
		{e.Append && len(a.LinkDest) > 0, "--" + name + " would write into the files that --link-dest shares with other trees: leave one of them out"},
	}
}

// misusesAlternative is the misuse function of the three flags that name trees resembling the destination.
func misusesAlternative(a *operand.AuxOptions, name string, dirs []string) faults {
	kinds := 0
	for _, dirs := range [][]string{a.LinkDest, a.CopyDest, a.CompareDest} {
		kinds += min(1, len(dirs))
	}
	return faults{
		{slices.Contains(dirs, ""), lacksDir(name)},
		{kinds > 1, "--link-dest, --copy-dest and --compare-dest exclude each other"},
	}
}

func lacksDir(name string) string {
	return fmt.Sprintf("--%s: the directory is missing; is a shell variable unset?", name)
}

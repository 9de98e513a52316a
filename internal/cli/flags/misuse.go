package flags

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"psync/internal/content"
	"psync/internal/metrics"
	"psync/internal/run"
	"psync/internal/sshhost"
	"psync/internal/sys"
)

// A misuse is what can be wrong with a flag that was typed.
type misuse struct {
	flag    string
	isThere bool
	message string
}

// misused returns what is wrong with those flags of fs that were typed, or nil. It is called when all flags are known. The
// first misuse counts.
func (o *Options) misused(fs *pflag.FlagSet) error {
	if fs.NFlag() == 0 {
		return nil
	}
	for _, m := range slices.Concat(o.runMisuses(), o.differsMisuses(), o.scopeMisuses(), o.placeMisuses(), o.outputMisuses()) {
		if m.isThere && (fs.Changed(m.flag) || fs.Changed("no-"+m.flag)) {
			return errors.New(m.message)
		}
	}
	return nil
}

func (o *Options) runMisuses() []misuse {
	e, k, out := &o.Engine, &o.keep, &o.Output
	return []misuse{
		{"threads", o.Threads.N < 0 || o.Threads.N > run.MaxThreads, fmt.Sprintf("--threads %d: the number of workers is 1 to %d", o.Threads.N, run.MaxThreads)},
		{"require", strings.Trim(o.Operands.Require, "/") == "", lacksFile("require")},
		{"min-source-files", o.rules.filesFrom != "", "--min-source-files counts what SRC holds, and --files-from says that already: leave one of them out"},
		{"max-transfer", e.MaxTransfer == 0, "--max-transfer=0 would copy nothing: leave it out, or give -n to list what would be done"},
		{"journal", out.Journal == "" || out.Journal == "-", lacksFile("journal")},
		{"journal", e.DryRun, "--journal and --dry-run exclude each other: nothing is done that could be recorded"},
		{"journal", o.Shown.ListOnly, "--journal and --list-only exclude each other: nothing is done that could be recorded"},
		{"resume", out.Resume && out.Journal == "", "--resume goes on with a --journal, which is missing"},
		{"crtimes", k.asked.has(k.unsettable()), "--crtimes: this system cannot set creation times: leave it out"},
		{"super", !k.super, "--no-super: what root is not to keep is said by name: --no-o --no-g --no-devices"},
		{"usermap", k.users.typed && e.Keep.Chown.SetUID, "--usermap and the user of --chown exclude each other: write *:USER as the last pair instead"},
		{"groupmap", k.groups.typed && e.Keep.Chown.SetGID, "--groupmap and the group of --chown exclude each other: write *:GROUP as the last pair instead"},
	}
}

func (o *Options) differsMisuses() []misuse {
	p, d := &o.Engine.Policy, &o.Engine.Delete
	return []misuse{
		{"ignore-times", !p.Sync, notSync("ignore-times")},
		{"ignore-times", p.Checksum && p.IgnoreTimes, "--checksum and --ignore-times exclude each other"},
		{"ignore-times", p.SizeOnly && p.IgnoreTimes, "--size-only and --ignore-times exclude each other"},
		{"size-only", !p.Sync, notSync("size-only")},
		{"size-only", p.Checksum && p.SizeOnly, "--checksum and --size-only exclude each other"},
		{"checksum", !p.Sync, notSync("checksum")},
		{"modify-window", !p.Sync, notSync("modify-window")},
		{"min-age", !p.MinMtime.IsZero() && p.MinMtime.After(p.MaxMtime), "--max-age is a time after that of --min-age: no file is left"},
		{"max-delete", !d.On, "--max-delete limits --delete, which is missing"},
		{"ignore-errors", d.IgnoreErrors && !d.On, "--ignore-errors is about --delete, which is missing"},
		{"force-empty-source", d.EmptySource && !d.On, "--force-empty-source is about --delete, which is missing"},
	}
}

func (o *Options) scopeMisuses() []misuse {
	r := &o.rules
	return []misuse{
		{"files-from", r.filesFrom == "", lacksFile("files-from")},
		{"recursive", !r.recursive && !r.dirs, "without --dirs, directories are copied with what is in them: --recursive cannot be switched off"},
		{"relative", !r.relative && r.filesFrom != "", "--files-from keeps the paths that it names: --relative cannot be switched off"},
		{"dirs", r.dirs && r.relative, "--dirs and --relative exclude each other: psync sync --files-from copies directories without what is in them"},
	}
}

func (o *Options) placeMisuses() []misuse {
	e, a, dir := &o.Engine, &o.Aux, o.Aux.PartialDir
	all := []misuse{
		{"backup-dir", a.BackupDir == "", lacksDir("backup-dir")},
		{"suffix", strings.Contains(a.Suffix, "/"), "--suffix " + a.Suffix + ": a suffix is part of a name, and has no slash"},
		{"suffix", a.Suffix != "" && !a.Backup, "--suffix is about --backup, which is missing"},
		{"temp-dir", a.TempDir == "", lacksDir("temp-dir")},
		{"partial-dir", dir == "", lacksDir("partial-dir")},
		{
			"partial-dir", dir == "." || dir == ".." || strings.Contains(dir, "/") && !strings.HasPrefix(dir, "/"),
			"--partial-dir " + dir + ": write a name, which stands for one in each directory, or an absolute path",
		},
		{"partial-dir", e.Append, "--partial-dir and --append exclude each other: what is appended to stays where it is"},
		{"partial-dir", e.InPlace, "--partial-dir and --inplace exclude each other: what is written in place stays there"},
		{"inplace", e.InPlace && a.TempDir != "", "--inplace and --temp-dir exclude each other"},
		{"inplace", e.InPlace && len(a.LinkDest) > 0, "--inplace would write into the files that --link-dest shares with other trees: leave one of them out"},
		{"inplace", e.InPlace && e.SizeOnly, "--inplace and --size-only exclude each other: what an interrupted run leaves half written can have the right size"},
		{"inplace", e.InPlace && e.Update, "--inplace and --update exclude each other: what an interrupted run leaves half written would look newer"},
	}
	for _, name := range []string{"append", "append-verify"} {
		all = append(all, []misuse{
			{name, e.Append && e.WholeFile, "--" + name + " and --whole-file exclude each other"},
			{name, e.Append && e.DelayUpdates, "--" + name + " and --delay-updates exclude each other"},
			{name, e.Append && a.TempDir != "", "--" + name + " and --temp-dir exclude each other"},
			{name, e.Append && len(a.LinkDest) > 0, "--" + name + " would write into the files that --link-dest shares with other trees: leave one of them out"},
		}...)
	}
	all = append(all, []misuse{
		{"delay-updates", e.DelayUpdates && e.InPlace, "--delay-updates and --inplace exclude each other: what is written in place is there at once"},
		{
			"delay-updates", e.DelayUpdates && e.RemoveSource,
			"--delay-updates and --remove-source-files exclude each other: SRC would lose files that DST does not have yet",
		},
		{
			"remove-source-files", e.RemoveSource && e.Delete.On && !o.Rsync,
			"--remove-source-files and --delete exclude each other: the next run would remove what this one has moved",
		},
		{
			"remove-source-files", e.RemoveSource && e.SizeOnly,
			"--remove-source-files and --size-only exclude each other: what DST has can be something else",
		},
		{
			"open-noatime", o.Operands.Noatime && !sys.CanLeaveAtimes,
			"--open-noatime: this system cannot read without changing access times; mount SRC with noatime",
		},
	}...)
	several := min(1, len(a.LinkDest))+min(1, len(a.CopyDest))+min(1, len(a.CompareDest)) > 1
	for _, alternative := range []struct {
		name string
		dirs []string
	}{{"link-dest", a.LinkDest}, {"copy-dest", a.CopyDest}, {"compare-dest", a.CompareDest}} {
		all = append(all, misuse{alternative.name, slices.Contains(alternative.dirs, ""), lacksDir(alternative.name)},
			misuse{alternative.name, several, "--link-dest, --copy-dest and --compare-dest exclude each other"})
	}
	return all
}

func (o *Options) outputMisuses() []misuse {
	e, s, out := &o.Engine, &o.Shown, &o.Output
	onlyLinks := e.Content.Reflink == content.ReflinkAlways
	_, badAddress := metrics.Address(s.Metrics)
	command, badCommand := o.Remote.Words()
	return []misuse{
		{"reflink", onlyLinks && e.Content.Preallocate, "--preallocate makes blocks, and --reflink=always none: they exclude each other"},
		{"reflink", onlyLinks && e.Content.Sparse, "--sparse looks for zeros, and --reflink=always copies no bytes: they exclude each other"},
		{"progress", s.Progress && s.NoProgress, "--progress and --no-progress exclude each other"},
		{"failures", out.Failures == "", lacksFile("failures")},
		{"failures", out.Failures == "-", "--failures takes a file; for standard output give /dev/stdout"},
		{"metrics", badAddress != nil, "--metrics " + s.Metrics + " is not [HOST]:PORT"},
		{"json", out.JSON == "", lacksFile("json")},
		{"log-file", out.Log == "", lacksFile("log-file")},
		{"log-file", out.Log == "-", "--log-file takes a file; -v lists on standard output what is done"},
		{"log-file-format", out.LogFormat != nil && out.Log == "", "--log-file-format is the format of a --log-file, which is missing"},
		{"manifest", out.Manifest == "", lacksFile("manifest")},
		{"manifest", out.Manifest == "-" && o.verb != Compare, "--manifest takes a file; for standard output give /dev/stdout"},
		{
			"manifest", out.Resume,
			"--manifest and --resume exclude each other: the list would lack what the interrupted run has copied; compare -c checks all of it",
		},
		{"manifest", e.DelayUpdates, "--manifest and --delay-updates exclude each other: checksums are written before files get their names"},
		{"mhl", out.MHL && out.Resume, "--mhl and --resume exclude each other: what the interrupted run has copied was not hashed"},
		{"mhl", out.MHL && e.DelayUpdates, "--mhl and --delay-updates exclude each other: hashes are taken before files get their names"},
		{"mhl", out.MHL && e.Delete.On, "--mhl and --delete exclude each other: the history is in DST, and not in SRC, so it would be removed"},
		{"rsh", badCommand != nil, fmt.Sprintf("--rsh: %v", badCommand)},
		{"rsh", len(command) == 0 || command[0] == "", "--rsh: the command is empty"},
		{
			"remote-psync", !sshhost.IsPlain(o.Remote.Program),
			"--remote-psync: a path may have letters, digits and / . _ - + , @ % : = only, and begin with ~/, for a shell reads it",
		},
		{"links", !o.links, "symbolic links are copied as what they are: --links cannot be switched off"},
	}
}

func notSync(name string) string { return "--" + name + " says what differs, and is for -sync" }

func lacksFile(name string) string { return "--" + name + ": the name of the file is missing" }

func lacksDir(name string) string {
	return "--" + name + ": the directory is missing; is a shell variable unset?"
}

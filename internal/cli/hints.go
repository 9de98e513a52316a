package cli

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"strings"

	"psync/internal/cli/argv"
	"psync/internal/cli/flags"
	"psync/internal/engine"
	"psync/internal/engine/job"
	"psync/internal/filter/pattern"
	"psync/internal/journal"
	"psync/internal/metadata"
	"psync/internal/operand"
	"psync/internal/operand/location"
	"psync/internal/operand/removal"
	"psync/internal/quote"
	"psync/internal/run"
	"psync/internal/sshconn/hosterror"
	"psync/internal/ui"
	"psync/internal/vfs"
)

// A hint returns the advice that psync prints after an error, and whether there is any.
type hint func(error) (advice string, ok bool)

// on returns the hint for an error that wraps target.
func on(target error, advice string) hint {
	return func(err error) (string, bool) { return advice, errors.Is(err, target) }
}

// onType returns the hint for errors that wrap one of a type.
func onType[E error](advice func(E) string) hint {
	return func(err error) (string, bool) {
		e, ok := errors.AsType[E](err)
		if !ok {
			return "", false
		}
		return advice(e), true
	}
}

// onAny returns the hint for errors that wrap any of a type.
func onAny[E error](advice string) hint { return onType(func(E) string { return advice }) }

// hints returns all hints for errors.
func hints() []hint { return append(operandHints(), runHints()...) }

func operandHints() []hint {
	return []hint{
		missingHint,
		on(operand.ErrNoMarker, "check whether the volume is mounted; touch makes the file"),
		onAny[*run.FewFilesError]("check whether the volume is mounted, or allow fewer"),
		on(location.ErrDotsBelow, "write the path without, or end what is not to be kept of it by /./"),
		on(operand.ErrNoName, "copy it alone"),
		on(operand.ErrSame, "name two different directories"),
		onType(overlapHint),
		onType(sourceInDestHint),
		on(operand.ErrSourceInDest, apartHint),
		onType(earlierCopyHint),
		on(operand.ErrDestMissing, "-create makes it, and so does psync copy"),
		on(operand.ErrNoParent, "--mkpath makes all missing directories"),
		on(operand.ErrDestNotDir, "files and several sources are copied into a directory, too: name one"),
		on(removal.ErrNotRemoved, "give the directory by its name"),
		on(removal.ErrLinkWithSlash, "without the slash at the end the link itself is removed"),
		on(removal.ErrMountPoint, "unmount it first, or name what is in it"),
		on(operand.ErrBackupSame, "give a --suffix, or another directory"),
		on(operand.ErrBackupOverlaps, "choose a directory for backups outside of the source and not above it, or leave it out of the source by --exclude"),
		on(operand.ErrBackupInSource, "choose another directory for backups"),
		on(operand.ErrFilesFrom, "name one directory as SRC"),
		on(operand.ErrBackupIsSource, "give another --suffix, or a --backup-dir"),
		on(operand.ErrTempElsewhere, "a file cannot be put in place from there in one step; choose a directory on the same volume, or leave out --temp-dir"),
	}
}

func runHints() []hint {
	return []hint{
		onType(func(e *hosterror.Error) string { return e.Remedy }),
		onType(func(e *run.MemberError) string { return e.Remedy }),
		onAny[*vfs.LostError](ui.RunAgain + goesOn),
		onType(locationHint),
		on(run.ErrNoHost, "leave it out; the words of psync, such as -times, are for psync without a verb"),
		on(run.ErrSeveralHosts, "name those of one host at a time"),
		on(operand.ErrMerge, "copy them one after the other"),
		on(operand.ErrClash, "copy them one after the other, or into different directories"),
		on(operand.ErrEmpty, "an operand is empty; is a shell variable unset?"),
		onType(verbNameHint),
		onAny[*job.LimitError]("-n without --max-delete lists what would go; if that is meant, allow more"),
		onAny[*engine.StopError](ui.RunAgain + goesOn),
		onAny[*engine.RootError]("was a volume mounted or unmounted there, or was the directory renamed? See what holds the data, then " + ui.RunAgain),
		onAny[*run.OpenFilesError]("ulimit -n 1024 raises the limit for this shell"),
		onAny[*metricsError]("name another port; 0 takes one that is free"),
		on(run.ErrDestEmpty, "is a volume not mounted? If DST is to be filled anew, name another --journal"),
		onAny[*operand.SideFileError]("keep it elsewhere, or it would be copied while it is written, replaced, or removed"),
		onType(func(e *run.IncompleteError) string {
			return quote.CommandLine([]string{"status", e.Journal}) + " lists them, and the same command with --resume deals with them"
		}),
		onAny[*journal.ExistsError]("--resume goes on with it; for another job name another file"),
		onAny[*journal.JobError]("to go on with it, give the same flags and operands; for another job name another file"),
		onType(func(e *journal.LockedError) string {
			return quote.CommandLine([]string{"status", e.Name}) + " says how far it is"
		}),
		onAny[*engine.FatalError]("make room or make it writable, then " + ui.RunAgain),
	}
}

// Hints that do not belong to a particular error, or belong to several.
const (
	goesOn    = ": it goes on where this one ended"
	apartHint = "copy into a directory that does not contain the source, for its entries could be overwritten"
	// privacyHint is the hint for errors that [metadata.Profile.MayBePrivate] reports.
	privacyHint = "macOS may be protecting this: System Settings > Privacy & Security > Full Disk Access for your terminal"
)

// hintFor returns the advice for err, or "".
func hintFor(err error) string { return hintOn(metadata.Native(), err) }

// hintIn is hintFor for an error of a run with given flags.
func hintIn(o *flags.Options, err error) string {
	hint := hintFor(err)
	if o.Queue.URL != "" {
		hint = strings.ReplaceAll(hint, "the same command with --resume deals with them", "the same command with another --journal deals with them")
	}
	switch {
	case o.Output.Journal != "":
	case o.ForgetsCopies():
		hint = strings.ReplaceAll(hint, goesOn, ": it copies all again, as size and time do not show what is done")
	case o.CopiesAll():
		hint = strings.ReplaceAll(hint, goesOn, ", as psync sync, which goes on where this one ended")
	}
	if o.UI.Resumes {
		hint = strings.ReplaceAll(hint, ui.RunAgain, ui.RunAgain+" with --resume")
	}
	return hint
}

// hintOn is hintFor for a given system.
func hintOn(system *metadata.Profile, err error) string {
	for _, h := range hints() {
		if advice, ok := h(err); ok {
			return advice
		}
	}
	if system.MayBePrivate(err) {
		return privacyHint
	}
	return ""
}

// locationHint explains how to write the operand that is meant.
func locationHint(e *location.Error) string {
	if strings.Contains(e.Operand, "://") {
		return "another host is HOST:PATH or ssh://[USER@]HOST[:PORT]/PATH; a share is named by the directory where it is mounted"
	}
	if _, err := netip.ParseAddr(e.Operand[:max(0, strings.LastIndexByte(e.Operand, ':'))]); err == nil {
		return "an IPv6 address is written in brackets, as in [::1]:PATH"
	}
	return "a local name with a colon is written ./NAME"
}

func missingHint(err error) (advice string, ok bool) {
	if !errors.Is(err, operand.ErrMissing) {
		return "", false
	}
	advice = "check the spelling, and whether the volume is mounted"
	if strings.ContainsAny(err.Error(), "*?[") {
		advice = "psync expands no patterns, but for psync rsync on another host: name the directory, and what of it by --include and --exclude"
	}
	return advice, true
}

// overlapHint explains how to exclude the destination from the source.
func overlapHint(e *operand.OverlapError) string {
	const elsewhere = "choose a destination outside of the source"
	if e.Path == "" {
		return elsewhere
	}
	exclude := "--exclude=" + quote.Maybe(pattern.Anchored(e.Path), quote.UTF8(os.Getenv))
	switch {
	case e.Listed:
		return "leave the destination, and the directories above it, out of the list of --files-from; or add " + exclude
	case e.Crosses:
		return "add -x, which leaves out other file systems, or " + exclude + "; or " + elsewhere
	}
	return "add " + exclude + ", or name what is to be copied by --files-from; or " + elsewhere
}

// sourceInDestHint explains how to keep what is copied, or removed, away from the source.
func sourceInDestHint(e *operand.SourceInDestError) string {
	if e.Path == "" {
		return apartHint
	}
	return fmt.Sprintf("what SRC has, or lacks, at %s concerns SRC itself: add --exclude=%s, or %s", ui.Escape(e.Path),
		quote.Maybe(pattern.Anchored(e.Path), quote.UTF8(os.Getenv)), apartHint)
}

func earlierCopyHint(e *operand.EarlierCopyError) string {
	return fmt.Sprintf("to update it, give the arguments %s/ %s; if it is to go, write %s/ %s",
		ui.Escape(e.Source), ui.Escape(e.Path()), ui.Escape(e.Source), ui.Escape(e.Dest))
}

func verbNameHint(e *argv.VerbNameError) string {
	return fmt.Sprintf("to copy it, write %s; if the verb is meant, %s", quote.CommandLine(e.AsSource), quote.CommandLine(e.AsVerb))
}

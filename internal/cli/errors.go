package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"psync/internal/engine"
	"psync/internal/metadata"
	"psync/internal/operand"
	"psync/internal/report"
	"psync/internal/ui"
)

// Exit codes, those of rsync.
const (
	ExitOK          = 0
	ExitUsage       = 1
	ExitOperands    = 3  // a source is missing, source and destination overlap, ...
	ExitFatal       = 11 // the destination is full or read-only, or standard output was lost
	ExitInterrupted = 20
	ExitFailed      = 23 // some entries, or attributes asked for, could not be copied
	ExitVanished    = 24 // some source entries were gone when their turn came
	ExitMaxDelete   = 25 // nothing was removed, for it was more than --max-delete allows
)

const exitCodes = `Exit status:
   0  everything was copied
   1  the command line is wrong
   3  an operand is: SRC is missing, SRC and DST overlap, DST is missing or a file
  11  the destination is full or read-only, or standard output cannot be written
  20  interrupted
  23  some entries, or attributes that were asked for, could not be copied; or a
      link that another user may have planted was not followed (--insecure-links)
  24  some source entries vanished before they could be copied
  25  --max-delete was reached, and nothing removed`

// usageExit is the annotation of a verb that has an exit code of its own for a
// wrong command line.
const usageExit = "usage-exit"

// ErrInterrupted is the cause by which the context of [Main] ends when the user
// wants the run to end.
var ErrInterrupted = errors.New("interrupted")

// What can be wrong with the operands.
var (
	errMissing      = errors.New("the source does not exist")
	errNoName       = errors.New("the source has no name that it could get in the destination")
	errSame         = errors.New("source and destination are the same")
	errDestInSource = errors.New("the destination lies inside the source")
	errSourceInDest = errors.New("the source lies inside the destination")
	errDestMissing  = errors.New("the destination does not exist")
	errNoParent     = errors.New("the directory that the destination is to be made in does not exist")
	errDestNotDir   = errors.New("the destination is not a directory")

	errNobodyToAsk    = errors.New("there is no terminal to ask whether this is meant; -f removes without asking")
	errNotRemoved     = errors.New("is never removed")
	errLinkWithSlash  = errors.New("is a symbolic link, and what it leads to is never removed")
	errMountPoint     = errors.New("is a mount point")
	errNoEntry        = errors.New("does not exist")
	errBackupOverlaps = errors.New("backups would mix with the source")
	errBackupSame     = errors.New("is the destination itself, where a backup would have the name of what it is one of")
	errBackupInSource = errors.New("the source has an entry of this name, which backups would mix with")
	errFilesFrom      = errors.New("--files-from names entries of one directory, but SRC is something else")
	errTempElsewhere  = errors.New("is on another file system than the destination")
)

// remedies is what psync advises, by what is wrong.
var remedies = []struct {
	err  error
	hint string
}{
	{errMissing, "check the spelling, and whether the volume is mounted"},
	{errNoName, "copy it alone"},
	{errSame, "name two different directories"},
	{errDestInSource, "choose a destination outside of the source"},
	{errSourceInDest, "copy into a directory that does not contain the source, for its entries could be overwritten"},
	{errDestMissing, "-create makes it, and so does psync copy"},
	{errNoParent, "--mkpath makes all missing directories"},
	{errDestNotDir, "files and several sources are copied into a directory, too: name one"},
	{errNotRemoved, "give the directory by its name"},
	{errLinkWithSlash, "without the slash at the end the link itself is removed"},
	{errMountPoint, "unmount it first, or name what is in it"},
	{errBackupSame, "give a --suffix, or another directory"},
	{errBackupOverlaps, "choose a directory for backups outside of the source and not above it, or leave it out of the source by --exclude"},
	{errBackupInSource, "choose another directory for backups"},
	{errFilesFrom, "name one directory as SRC"},
	{errTempElsewhere, "a file cannot be put in place from there in one step; choose a directory on the same volume, or leave out --temp-dir"},
	{operand.ErrRemote, "this version copies between local directories; a local name with a colon is written ./NAME"},
	{operand.ErrClash, "copy them one after the other, or into different directories"},
	{operand.ErrEmpty, "an operand is empty; is a shell variable unset?"},
	{new(engine.FatalError), "make room or make it writable, then run the same command again"},
}

// complain prints what is wrong, and how to mend it if that is known.
func complain(w io.Writer, err error, hint string) {
	fmt.Fprintf(w, "psync: error: %s\n", ui.Escape(err.Error()))
	advise(w, hint)
}

func advise(w io.Writer, hint string) {
	if hint != "" {
		fmt.Fprintf(w, "psync: hint: %s\n", hint)
	}
}

// privacyHint is for what [metadata.Profile.MayBePrivate].
const privacyHint = "macOS may be protecting this: System Settings > Privacy & Security > Full Disk Access for your terminal"

// remedy returns what psync advises, or "".
func remedy(err error) string { return remedyOn(metadata.Native(), err) }

// remedyOn is remedy on a system.
func remedyOn(system *metadata.Profile, err error) string {
	var fatal *engine.FatalError
	var limit *engine.LimitError
	var hinting interface{ hint() string }
	switch {
	case errors.As(err, &limit):
		return "-n without --max-delete lists what would go; if that is meant, allow more"
	case errors.As(err, &hinting):
		return hinting.hint()
	}
	for _, r := range remedies {
		if errors.Is(err, r.err) || errors.As(r.err, &fatal) && errors.As(err, &fatal) {
			return r.hint
		}
	}
	if system.MayBePrivate(err) {
		return privacyHint
	}
	return ""
}

// exitCode tells how a run that was started has ended.
func exitCode(t report.Totals, err error) int {
	var fatal *engine.FatalError
	var limit *engine.LimitError
	switch {
	case errors.Is(err, ErrInterrupted) || errors.Is(err, context.Canceled):
		return ExitInterrupted
	case errors.As(err, &fatal):
		return ExitFatal
	case errors.As(err, &limit):
		return ExitMaxDelete
	case err != nil || t[report.Failed] > 0 || t[report.Unkeeps] > 0:
		return ExitFailed
	case t[report.Vanished] > 0:
		return ExitVanished
	}
	return ExitOK
}

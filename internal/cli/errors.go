package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"psync/internal/engine"
	"psync/internal/filter"
	"psync/internal/metadata"
	"psync/internal/operand"
	"psync/internal/quote"
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

var errNobodyToAsk = errors.New("there is no terminal to ask whether this is meant; -f removes without asking")

// remedies is what psync advises, by what is wrong.
var remedies = []struct {
	err  error
	hint string
}{
	{operand.ErrMissing, "check the spelling, and whether the volume is mounted"},
	{operand.ErrNoName, "copy it alone"},
	{operand.ErrSame, "name two different directories"},
	{operand.ErrSourceInDest, "copy into a directory that does not contain the source, for its entries could be overwritten"},
	{operand.ErrDestMissing, "-create makes it, and so does psync copy"},
	{operand.ErrNoParent, "--mkpath makes all missing directories"},
	{operand.ErrDestNotDir, "files and several sources are copied into a directory, too: name one"},
	{operand.ErrNotRemoved, "give the directory by its name"},
	{operand.ErrLinkWithSlash, "without the slash at the end the link itself is removed"},
	{operand.ErrMountPoint, "unmount it first, or name what is in it"},
	{operand.ErrBackupSame, "give a --suffix, or another directory"},
	{operand.ErrBackupOverlaps, "choose a directory for backups outside of the source and not above it, or leave it out of the source by --exclude"},
	{operand.ErrBackupInSource, "choose another directory for backups"},
	{operand.ErrFilesFrom, "name one directory as SRC"},
	{operand.ErrTempElsewhere, "a file cannot be put in place from there in one step; choose a directory on the same volume, or leave out --temp-dir"},
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
	var overlap *operand.OverlapError
	var trailingSlash *operand.TrailingSlashError
	switch {
	case errors.As(err, &limit):
		return "-n without --max-delete lists what would go; if that is meant, allow more"
	case errors.As(err, &overlap):
		return overlapHint(overlap)
	case errors.As(err, &trailingSlash):
		return trailingSlashHint(trailingSlash)
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

// overlapHint says how to leave the destination out of the source.
func overlapHint(e *operand.OverlapError) string {
	const elsewhere = "choose a destination outside of the source"
	if e.Path == "" {
		return elsewhere
	}
	exclude := "--exclude=" + quote.Maybe(filter.Anchored(e.Path), quote.UTF8(os.Getenv))
	switch {
	case e.Listed:
		return "leave the destination, and the directories above it, out of the list of --files-from; or add " + exclude
	case e.Crosses:
		return "add -x, which leaves out other file systems, or " + exclude + "; or " + elsewhere
	}
	return "add " + exclude + ", or name what is to be copied by --files-from; or " + elsewhere
}

func trailingSlashHint(e *operand.TrailingSlashError) string {
	return fmt.Sprintf("to update it, give the arguments %s/ %s; if it is to go, write %s/ %s",
		ui.Escape(e.Source), ui.Escape(e.Copy()), ui.Escape(e.Source), ui.Escape(e.Dest))
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

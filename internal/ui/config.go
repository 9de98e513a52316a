package ui

import (
	"io"

	"psync/internal/report"
)

// RunAgain is the advice for a run that ended early, unless [Config.Resumes] is set.
const RunAgain = "run the same command again"

// Config sets where and what a [Printer] writes.
type Config struct {
	Out io.Writer // the plan
	Err io.Writer // failures, warnings, progress

	Verbose bool // list the steps of the plan, and end with a line of figures
	DryRun  bool // list the steps of the plan; nothing is changed
	Itemize bool // list the steps in rsync's itemize format, which is the format "%i %n%L"

	OutFormat *OutFormat // lists the steps in this format, unless nil
	Receives  bool       // the source is on another host, and the destination is not

	Quiet    bool        // no warnings; failures are still reported
	Rsync    *RsyncLines // the lines of rsync, in place of those of psync; nil: there are none
	Original string      // what the only entry is called in the lists if that is not the name of its copy; "": it is
	Plain    bool        // Err takes no escape codes, even if it is a terminal

	InHand func() []report.InHand // returns the large files in hand, to show them below a bar; nil: they are not shown

	Resumes bool // the same command with --resume continues the run

	DropsTimes bool // the run keeps no modification times, because no option asks for them

	Failures string // the file that names what failed; "": there is none

	// The kind of a run that is not a copy; at most one is set.
	Compare bool // steps are differences, listed unless Quiet; nothing is done
	Removal bool // the run only deletes
}

// line returns the function that lists a step, or nil if the plan is not wanted.
func (c Config) line() func([]byte, report.Event) []byte {
	switch {
	case c.Compare && c.Quiet:
		return nil
	case c.OutFormat != nil:
		return c.OutFormat.Appender(c.Receives)
	case c.Itemize:
		return appendItemized
	case c.Compare:
		return appendDifference
	case c.Verbose || c.DryRun:
		return appendStep
	}
	return nil
}

// again returns the advice for continuing a run that ended early.
func (c Config) again() string {
	if c.Resumes {
		return RunAgain + " with --resume"
	}
	return RunAgain
}

// words are the words that depend on the kind of run.
type words struct{ done, doing, finish, looked string }

func (c Config) words() words {
	switch {
	case c.Compare:
		return words{done: "compared", doing: "comparing", looked: "compared"}
	case c.Removal:
		return words{done: "removed", doing: "removing", finish: "remove the rest"}
	}
	return words{done: "copied", doing: "copying", finish: "complete the copy", looked: "dry run: looked at"}
}

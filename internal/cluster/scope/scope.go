// Package scope says what of a command line hosts that share a job must have alike, and what they cannot be asked for.
package scope

import (
	"fmt"
	"slices"
	"strings"

	"psync/internal/operand/location"
)

// A Command is what is typed on each of the hosts.
type Command struct {
	Verb     string   // "" without one
	Flags    []string // as --NAME=VALUE, or --NAME for switches, by their full names, in order
	Operands []string
	Files    []string // the names of the files that flags have had read
	// ReadsAbove says that rules are read from files in directories above the roots.
	ReadsAbove bool
}

// ClassOf returns the class of a flag, given its full name without dashes.
func ClassOf(name string) Class {
	name = strings.TrimPrefix(name, "no-")
	has := func(list string) bool { return slices.Contains(strings.Fields(list), name) }
	switch {
	case refused[name] != "":
		return Refused
	case has(shared):
		return Shared
	case has(local):
		return Local
	}
	return Unknown
}

// split returns the name and the value of a flag of a [Command].
func split(flag string) (name, value string) {
	name, value, _ = strings.Cut(strings.TrimPrefix(flag, "--"), "=")
	return name, value
}

// isOff reports whether a switch is switched off, which is never refused.
func isOff(name, value string) bool {
	return strings.HasPrefix(name, "no-") || value == "false" || value == "0"
}

// SharedFlags returns those flags of a command that must be the same on all hosts.
func (c Command) SharedFlags() []string {
	return slices.DeleteFunc(slices.Clone(c.Flags), func(flag string) bool {
		name, _ := split(flag)
		return ClassOf(name) == Local
	})
}

// A RefusedError says that something of a command line cannot be used with --queue.
type RefusedError struct{ What, Why string }

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s cannot be used with --queue: %s", e.What, e.Why)
}

// verbs are the verbs, and programs whose command lines psync understands, that hosts cannot share.
var verbs = map[string]string{
	"compare": "it changes nothing; one host can do that",
	"delete":  "it needs one host only",
	"cp":      "it goes on as one process would; use psync copy",
	"rsync":   "it prints lines as one process would; use psync sync",
}

// Check returns a *[RefusedError] for the first thing of a command that hosts cannot share.
func (c Command) Check() error {
	if why := verbs[c.Verb]; why != "" {
		return &RefusedError{"psync " + c.Verb, why}
	}
	for _, flag := range c.Flags {
		if err := checkFlag(flag); err != nil {
			return err
		}
	}
	if slices.Contains(c.Files, "-") {
		return &RefusedError{"standard input", "it is another one on each host, and could not be read again; write it to a file"}
	}
	if c.ReadsAbove {
		return &RefusedError{"-F, or --filter with a path,", "it reads files above SRC, which may differ; write for instance --filter=': .rsync-filter'"}
	}
	for _, operand := range c.Operands {
		switch l, err := location.Parse(operand); {
		case err != nil:
			return err
		case !l.Account.IsHere():
			return &RefusedError{operand, "it is on another host; mount it on all hosts of the job"}
		}
	}
	return nil
}

func checkFlag(flag string) error {
	name, value := split(flag)
	switch {
	case ClassOf(name) == Unknown:
		return &RefusedError{"--" + name, "it is not known whether it must be the same on all hosts"}
	case isOff(name, value):
		return nil
	case ClassOf(name) == Refused:
		return &RefusedError{"--" + name, refused[name]}
	}
	for _, row := range values {
		if slices.Contains(strings.Fields(row.flags), name) && row.refuses(value) {
			return &RefusedError{flag, row.why}
		}
	}
	return nil
}

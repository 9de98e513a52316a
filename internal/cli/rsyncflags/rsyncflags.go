// Package rsyncflags translates command lines of rsync(1) into flags of psync sync that ask for the same. Which flags there
// are, and which take values, the flags of psync sync and the table of package foreign say.
package rsyncflags

import (
	"cmp"
	_ "embed"
	"strings"

	"github.com/spf13/pflag"

	"psync/internal/cli/foreign"
	"psync/internal/lazymap"
	"psync/internal/ui/order"
)

// Help is what --help prints.
//
//go:embed help.txt
var Help string

// A Line is a command line of rsync.
type Line struct {
	Flags    []string // of psync sync, in their long forms
	Operands []string
	HostList string // what --files-from names on the host of an operand; "": it names a file here, or nothing

	Help     string // to print instead of copying anything
	Version  int    // how often --version was given
	Quiet    bool
	Shown    Shown
	DryRun   bool
	ListOnly bool
	Streams  bool // the list of files does not have to be complete before anything is copied

	Recursive bool // directories are copied with what is in them
	Dirs      bool // directories are copied, with or without what is in them
	OneLevel  bool // without what is in them, but for operands whose contents are meant
	Links     bool // symbolic links are copied
	Deletes   bool
	Removes   order.Phase

	Timeout, ConnectTimeout bool // --timeout and --contimeout limit how long a host may be silent
}

// A UsageError refuses a command line.
type UsageError string

func (e UsageError) Error() string { return string(e) }

// Parse translates the arguments of rsync, of which known has the flags of psync sync. Flags that known lacks are among the
// Flags as they were typed, for it to refuse.
func Parse(args []string, known *pflag.FlagSet) (Line, error) {
	p := parser{known: known, keep: make(keeps)}
	if len(args) == 1 && args[0] == "-h" { // which otherwise is --human-readable
		p.Help = Help
	}
	for rest := args; len(rest) > 0; {
		arg := rest[0]
		rest = rest[1:]
		switch {
		case arg == "--":
			p.Operands, rest = append(p.Operands, rest...), nil
		case strings.HasPrefix(arg, "--"):
			rest = p.long(arg[2:], rest)
		case len(arg) > 1 && arg[0] == '-':
			rest = p.cluster(arg[1:], rest)
		default:
			p.Operands = append(p.Operands, arg)
		}
	}
	err := p.complete()
	return p.Line, err
}

// A parser collects the flags of a command line.
type parser struct {
	Line
	known  *pflag.FlagSet
	passed []string // flags that mean the same in both programs

	shown     shown
	recurse   recursion
	dirs      bool
	keep      keeps
	filesFrom bool
	list      string          // what --files-from names
	oldArgs   bool            // operands on another host are cut at blanks
	compare   map[string]bool // --checksum, --size-only and --ignore-times
	limits    []string        // flags that are about --delete
	late      bool            // --delete-before or the like

	delay      bool   // --delay-updates
	partialDir string // --partial-dir
}

// A recursion says whether directories are copied with what is in them.
type recursion uint8

const (
	noRecursion recursion = iota
	byArchive             // but for directories that --files-from names
	byName
)

// long parses a flag of the form NAME or NAME=VALUE, and returns the arguments that are left.
func (p *parser) long(arg string, rest []string) []string {
	name, value, attached := strings.Cut(arg, "=")
	takes := p.takesValue(name)
	if takes && !attached {
		if len(rest) == 0 {
			p.passed = append(p.passed, "--"+name)
			return nil
		}
		value, rest = rest[0], rest[1:]
	}
	if attached && !takes {
		p.passed = append(p.passed, "--"+arg)
		return rest
	}
	p.set(name, value, takes)
	return rest
}

// cluster parses the letters of one argument, up to the first that takes a value.
func (p *parser) cluster(letters string, rest []string) []string {
	for i := range len(letters) {
		name := p.longName(letters[i : i+1])
		if name == "" {
			p.passed = append(p.passed, "-"+letters[i:])
			return rest
		}
		if !p.takesValue(name) {
			p.set(name, "", false)
			continue
		}
		value := strings.TrimPrefix(letters[i+1:], "=")
		if i == len(letters)-1 {
			if len(rest) == 0 {
				p.passed = append(p.passed, "--"+name)
				return nil
			}
			value, rest = rest[0], rest[1:]
		}
		p.set(name, value, true)
		break
	}
	return rest
}

// longName returns the long name of a letter, or "" if there is no such flag.
func (p *parser) longName(letter string) string {
	switch {
	case len(letter) != 1:
		return ""
	case letter == "@":
		return "modify-window"
	case letter == "V":
		return "version"
	}
	if f := p.known.ShorthandLookup(letter); f != nil {
		return f.Name
	}
	return ""
}

// takesValue reports whether the long name of a flag is that of one with a value.
func (p *parser) takesValue(name string) bool {
	switch name {
	case "rsync-path", "log-format":
		return true
	case "version", "help":
		return false
	}
	if f := p.known.Lookup(name); f != nil {
		return f.NoOptDefVal == ""
	}
	f, _ := foreign.Named(name)
	return f.Value
}

// set notes down a flag by its long name.
func (p *parser) set(name, value string, hasValue bool) {
	base, off := strings.CutPrefix(name, "no-")
	if long := p.longName(base); off && long != "" {
		base = long
	}
	of := p.known.Lookup(base)
	switch {
	case p.keep.set(base, !off), p.setShown(base, value, !off), p.setScope(base, value, !off), p.setDeletion(base, value, !off):
	case off && p.known.Lookup("no-"+base) != nil:
		p.passed = append(p.passed, "--no-"+base)
	case off && of != nil && of.NoOptDefVal == "":
		p.passed = append(p.passed, "--"+base+"=0") // no limit
	case off && of != nil:
		p.passed = append(p.passed, "--"+base+"=false")
	case hasValue:
		p.passed = append(p.passed, "--"+name+"="+value)
	default:
		p.passed = append(p.passed, "--"+name)
	}
}

// pass passes a switch on, and takes back what was passed on of it.
func (p *parser) pass(name string, on bool) {
	if on {
		p.passed = append(p.passed, "--"+name)
	} else {
		p.passed = append(p.passed, "--"+name+"=false")
	}
}

// setScope sets what takes part, and what differs.
func (p *parser) setScope(name, value string, on bool) bool {
	switch name {
	case "archive":
		p.keep.archive()
		p.recurse = max(p.recurse, byArchive)
	case "recursive":
		p.recurse = noRecursion
		if on {
			p.recurse = byName
		}
	case "dirs", "old-dirs", "old-d":
		p.dirs = on
	case "relative":
		p.pass("relative", on)
	case "files-from":
		p.filesFrom, p.list = true, value
	case "checksum", "size-only", "ignore-times":
		lazymap.Set(&p.compare, name, on)
	case "old-args":
		p.oldArgs = on
	case "secluded-args", "protect-args":
		p.oldArgs = p.oldArgs && !on
		return false
	case "rsync-path":
		p.passed = append(p.passed, "--remote-psync="+value)
	case "inc-recursive", "i-r":
		p.late = p.late || !on
	case "delay-updates":
		p.delay = on
		fallthrough
	case "prune-empty-dirs":
		p.late = p.late || on
		p.pass(name, on)
	case "partial-dir":
		p.partialDir = value
	case "compress-level":
		if value == "0" {
			p.passed = append(p.passed, "--no-compress")
		}
	case "timeout":
		p.Timeout = on && value != "0"
		return false
	case "contimeout":
		p.ConnectTimeout = on && value != "0"
		return false
	case "super", "partial":
		if on {
			p.passed = append(p.passed, "--"+name)
		}
	default:
		return false
	}
	return true
}

// setDeletion sets what is removed from the destination.
func (p *parser) setDeletion(name, value string, on bool) bool {
	switch name {
	case "delete-before", "delete-after", "delete", "del", "delete-during", "delete-delay":
		p.late = p.late || on && (name == "delete-before" || name == "delete-after")
		p.Deletes = on
		p.Removes = map[string]order.Phase{"delete-before": order.Before, "delete-after": order.After, "delete-delay": order.After}[name]
	case "delete-excluded":
		p.Deletes = true
		p.passed = append(p.passed, "--delete-excluded")
	case "max-delete":
		if strings.HasPrefix(value, "-") {
			value = "0" // so that rsync before 3.0 removes nothing, either
		}
		if p.limits = append(p.limits, "--max-delete="+value); !on { // there is no limit
			p.limits = nil
		}
	case "ignore-errors":
		if on {
			p.limits = append(p.limits, "--ignore-errors")
		}
	default:
		return false
	}
	return true
}

// complete derives what the flags mean together.
func (p *parser) complete() error {
	p.Recursive = p.recurse == byName || p.recurse == byArchive && !p.filesFrom
	p.Operands = completeOperands(p.Operands, p.oldArgs)
	p.ListOnly = p.ListOnly || len(p.Operands) == 1
	p.Dirs = p.Recursive || p.dirs || p.filesFrom || p.ListOnly
	p.Links = p.keep["links"]
	p.Streams = p.Recursive && !p.late
	if err := p.completeShown(); err != nil {
		return err
	}
	if p.Deletes && !p.Dirs {
		return UsageError("--delete does not work without --recursive (-r) or --dirs (-d)")
	}
	p.Flags = p.keep.flags()
	if p.Recursive && p.recurse == byName {
		p.Flags = append(p.Flags, "--recursive")
	}
	if p.OneLevel = p.Dirs && !p.Recursive && !p.filesFrom; p.OneLevel {
		p.Flags = append(p.Flags, "--dirs")
	}
	if p.Deletes {
		p.Flags = append(p.Flags, "--delete", "--force-empty-source")
		p.Flags = append(p.Flags, p.limits...)
	}
	if p.DryRun {
		p.Flags = append(p.Flags, "--dry-run")
	}
	for _, name := range []string{"checksum", "size-only", "ignore-times"} { // the first decides, as in rsync
		if p.compare[name] {
			p.Flags = append(p.Flags, "--"+name)
			break
		}
	}
	if p.delay {
		p.partialDir = cmp.Or(p.partialDir, ".~tmp~") // where rsync keeps delayed files, and earlier runs of it have left some
	}
	if p.filesFrom {
		name, remote, err := completeList(p.list, p.Operands)
		if err != nil {
			return err
		}
		if remote {
			p.HostList = name
		}
		p.Flags = append(p.Flags, "--files-from="+name)
	}
	if p.partialDir != "" {
		p.Flags = append(p.Flags, "--partial-dir="+p.partialDir)
	}
	p.Flags = append(p.Flags, p.passed...)
	return nil
}

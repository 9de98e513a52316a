// Package info knows the kinds of lines that --info and --debug of rsync choose, with their levels.
package info

import (
	"fmt"
	"strconv"
	"strings"
)

// A Kind is a kind of lines, as rsync spells it.
type Kind string

// The kinds that psync has lines of. Flist is one of --debug, too.
const (
	Backup   Kind = "BACKUP"
	Del      Kind = "DEL"
	Flist    Kind = "FLIST"
	Name     Kind = "NAME"
	Nonreg   Kind = "NONREG"
	Progress Kind = "PROGRESS"
	Remove   Kind = "REMOVE"
	Skip     Kind = "SKIP"
	Stats    Kind = "STATS"

	DebugDeltasum Kind = "DELTASUM"
	DebugFilter   Kind = "FILTER"
)

// Levels are the levels of kinds of lines. Those of kinds that are missing are 0: they have no lines.
type Levels map[Kind]int

// A Flag is a flag that chooses kinds of lines.
type Flag struct {
	name      string
	kinds     []kind
	verbosity []string // what -v adds, by the number of times that it is given
}

type kind struct {
	name Kind
	help string
}

const maxLevel = 4

// Verbose returns the levels that -v stands for if it is given n times.
func (f *Flag) Verbose(n int) Levels {
	levels := make(Levels)
	for _, added := range f.verbosity[:min(n+1, len(f.verbosity))] {
		_ = f.Set(levels, added)
	}
	return levels
}

// Set changes levels by the value of the flag, which is case-insensitive: kinds with levels, or ALL or NONE. It returns an
// error for a kind that does not exist.
func (f *Flag) Set(levels Levels, value string) error {
	for item := range strings.SplitSeq(strings.ToUpper(value), ",") {
		name := strings.TrimRight(item, "0123456789")
		level, err := strconv.Atoi(item[len(name):])
		switch {
		case item == "":
			continue
		case item == name: // which stands for level 1
			level = 1
		case err != nil, level > maxLevel:
			level = maxLevel
		}
		found := name == "ALL" || name == "NONE"
		if name == "NONE" {
			level = 0
		}
		all := found
		for _, k := range f.kinds {
			if all || name == string(k.name) {
				levels[k.name] = level
				found = true
			}
		}
		if !found {
			return fmt.Errorf("--%s: there is no %q", f.name, strings.ToLower(item))
		}
	}
	return nil
}

// AsksForHelp reports whether a value of the flag asks for its help.
func AsksForHelp(value string) bool {
	for item := range strings.SplitSeq(value, ",") {
		if strings.EqualFold(strings.TrimRight(item, "0123456789"), "help") {
			return true
		}
	}
	return false
}

// Help returns the help of the flag.
func (f *Flag) Help() string {
	var b strings.Builder
	b.WriteString("Use OPT or OPT1 for level 1 output, OPT2 for level 2, etc.; OPT0 silences.\n\n")
	for _, k := range f.kinds {
		fmt.Fprintf(&b, "%-10s %s\n", k.name, k.help)
	}
	fmt.Fprintf(&b, "\n%-10s Set all --%s options (e.g. all%d)\n", "ALL", f.name, maxLevel)
	fmt.Fprintf(&b, "%-10s Silence all --%s options (same as all0)\n", "NONE", f.name)
	fmt.Fprintf(&b, "%-10s Output this help message\n\nOptions added at each level of verbosity:\n", "HELP")
	for n, added := range f.verbosity {
		if added != "" {
			fmt.Fprintf(&b, "%d) %s\n", n, added)
		}
	}
	return b.String()
}

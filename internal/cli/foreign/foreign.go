// Package foreign knows the flags and verbs of rsync, rclone, cp, robocopy and other copiers that psync does not have, and
// says what to write instead.
package foreign

import (
	"slices"
	"strings"
)

// A Flag is a flag of another program that psync does not have.
type Flag struct {
	Names string // long ones, and letters, separated by blanks
	Value bool   // it takes a value
	// Because says why the flag has no effect: what it asks for is so anyway, or does not matter here.
	Because string
	// Instead says why the flag is refused, and what to do instead.
	Instead string
}

// Long returns the long names of the flag, and its letter or "".
func (f Flag) Long() (names []string, letter string) {
	for name := range strings.FieldsSeq(f.Names) {
		if len(name) == 1 {
			letter = name
		} else {
			names = append(names, name)
		}
	}
	return names, letter
}

// Named returns the row of a flag, given by its name or letter.
func Named(name string) (Flag, bool) {
	for _, f := range slices.Concat(Rsync, Others) {
		if slices.Contains(strings.Fields(f.Names), name) {
			return f, true
		}
	}
	return Flag{}, false
}

// Refusal returns why psync has no flag of a name or letter, which other programs have, and what to do instead; or "".
func Refusal(name string) string {
	f, _ := Named(name)
	return f.Instead
}

// IsIgnored reports whether a flag of another program, given by its name or letter, is accepted without effect.
func IsIgnored(name string) bool {
	f, known := Named(name)
	return known && f.Instead == ""
}

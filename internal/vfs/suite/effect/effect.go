// Package effect says how operations change a tree as text, such as package fstest prints.
package effect

import (
	"cmp"
	"slices"
	"strings"
)

// A Func returns the lines of a tree after an operation was called with a name.
type Func func(lines []string, name string) []string

// isOf reports whether a line describes an entry or something below it.
func isOf(line, name string) bool {
	return strings.HasPrefix(line, name+" ") || strings.HasPrefix(line, name+"/")
}

// Removed is the effect of removing an entry and everything below it.
func Removed(lines []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return isOf(line, name) })
}

// Added is the effect of making a missing entry. rest follows its name in the line.
func Added(rest string) Func {
	return func(lines []string, name string) []string {
		if len(Removed(lines, name)) < len(lines) {
			return lines
		}
		return append(lines, name+rest)
	}
}

// Chmodded is the effect of changing the mode.
func Chmodded(mode string) Func {
	return func(lines []string, name string) []string {
		for i, line := range lines {
			if path, rest, _ := strings.Cut(line, " "); strings.TrimSuffix(path, "/") == name {
				lines[i] = path + mode + rest[len(mode)-1:]
			}
		}
		return lines
	}
}

// Linked is the effect of giving an entry a second name, replacing any entry that has it. An empty string stands for
// the name that the operation is called with.
func Linked(from, to string) Func {
	return func(lines []string, name string) []string {
		from, to := cmp.Or(from, name), cmp.Or(to, name)
		all := Removed(lines, to)
		for _, line := range lines {
			if isOf(line, from) {
				all = append(all, to+line[len(from):])
			}
		}
		return all
	}
}

// Renamed is the effect of Linked and of removing the first name.
func Renamed(from, to string) Func {
	return func(lines []string, name string) []string {
		return Removed(Linked(from, to)(lines, name), cmp.Or(from, name))
	}
}

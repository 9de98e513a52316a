package argv

import (
	"slices"
	"strings"
)

// legacyFlags are the flags with one dash that hweidner/psync has documented, and the flags that they stand
// for. A legacy flag that takes a value stands for one flag.
var legacyFlags = []struct {
	name  string
	flags []string
	value bool
}{
	{"-create", []string{"--create"}, false},
	{"-delete", []string{"--delete"}, false},
	{"-dryrun", []string{"--dry-run"}, false},
	{"-owner", []string{"--owner", "--group"}, false},
	{"-quiet", []string{"--quiet"}, false},
	{"-sync", []string{"--sync"}, false},
	{"-threads", []string{"--threads"}, true},
	{"-times", []string{"--times", "--atimes"}, false},
	{"-update", []string{"--update"}, false},
	{"-verbose", []string{"--verbose"}, false},
}

// verbsWithLegacy are the verbs after which legacy flags are understood, too. As clusters of letters they would be -e with
// a command such as "ads", which no one has.
var verbsWithLegacy = []string{"copy", "sync", "compare", "delete"}

// legacyFlag returns what a legacy flag stands for after a verb, or without one if verb is "".
func legacyFlag(verb, name string) (flags []string, value, known bool) {
	switch {
	case verb != "" && name == "-create":
		return []string{"--mkpath"}, false, true // DST itself is made anyway
	case verb == "sync" && name == "-sync":
		return nil, false, true
	}
	for _, f := range legacyFlags {
		if f.name == name {
			return f.flags, f.value, true
		}
	}
	return nil, false, false
}

// expandLegacy replaces legacy flags among the arguments of psync. It looks at whole arguments only, stops at "--",
// and leaves the arguments of verbs alone that are not in verbsWithLegacy. A verb is the first argument that is neither a
// flag nor the value of one.
func (l Line) expandLegacy(args []string) []string {
	var expanded []string
	operands, verb := 0, ""
	takesValue := l.TakesValue
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			return append(expanded, args[i:]...)
		case operands == 0 && verb == "" && l.IsVerb(arg):
			if !slices.Contains(verbsWithLegacy, arg) {
				return append(expanded, args[i:]...)
			}
			verb = arg
			takesValue = func(arg string) bool { return l.TakesValueAfter(verb, arg) }
			expanded = append(expanded, arg)
			continue
		}
		name, value, hasValue := strings.Cut(arg, "=")
		flags, takes, known := legacyFlag(verb, name)
		switch {
		case known && hasValue:
			for _, flag := range flags {
				expanded = append(expanded, flag+"="+value)
			}
		case known && takes && i+1 < len(args):
			i++
			expanded = append(expanded, flags[0]+"="+args[i])
		case known:
			expanded = append(expanded, flags...)
		case takesValue(arg) && i+1 < len(args):
			i++
			expanded = append(expanded, arg, args[i])
		default:
			if !strings.HasPrefix(arg, "-") {
				operands++
			}
			expanded = append(expanded, arg)
		}
	}
	return expanded
}

// LegacyFlags returns the legacy flags in alphabetical order.
func LegacyFlags() (names []string) {
	for _, f := range legacyFlags {
		names = append(names, f.name)
	}
	return names
}

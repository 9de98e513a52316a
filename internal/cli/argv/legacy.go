package argv

import (
	"maps"
	"slices"
	"strings"
)

// legacyFlags are the flags with one dash that hweidner/psync has documented, and the flags that they stand
// for. A legacy flag that takes a value stands for one flag.
var legacyFlags = map[string]struct {
	flags []string
	value bool
}{
	"-threads": {[]string{"--threads"}, true},
	"-verbose": {[]string{"--verbose"}, false},
	"-quiet":   {[]string{"--quiet"}, false},
	"-owner":   {[]string{"--owner", "--group"}, false},
	"-times":   {[]string{"--times", "--atimes"}, false},
	"-create":  {[]string{"--create"}, false},
	"-sync":    {[]string{"--sync"}, false},
	"-delete":  {[]string{"--delete"}, false},
	"-update":  {[]string{"--update"}, false},
	"-dryrun":  {[]string{"--dry-run"}, false},
}

// expandLegacy replaces legacy flags among the arguments of psync without a verb. It
// looks at whole arguments only, stops at "--", and leaves the arguments of verbs
// alone: after a verb, -owner is the cluster of -o -w -n -e -r. A verb is
// the first argument that is neither a flag nor the value of one.
func (l Line) expandLegacy(args []string) []string {
	var expanded []string
	operands := 0
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" || operands == 0 && l.IsVerb(arg) {
			return append(expanded, args[i:]...)
		}
		name, value, hasValue := strings.Cut(arg, "=")
		legacy, known := legacyFlags[name]
		switch {
		case known && hasValue:
			for _, flag := range legacy.flags {
				expanded = append(expanded, flag+"="+value)
			}
		case known && legacy.value && i+1 < len(args):
			i++
			expanded = append(expanded, legacy.flags[0]+"="+args[i])
		case known:
			expanded = append(expanded, legacy.flags...)
		case l.TakesValue(arg) && i+1 < len(args):
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
func LegacyFlags() []string { return slices.Sorted(maps.Keys(legacyFlags)) }

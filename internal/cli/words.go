package cli

import "strings"

// words are the single-dash words of the bare command, as hweidner/psync has
// documented them, and what they mean in flags of today. A word that takes a value
// hands it to its one flag.
var words = map[string]struct {
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

// expandWords replaces the words among the arguments of the bare command. It
// looks at whole arguments only, stops at "--", and leaves the arguments of verbs
// alone: after a verb, -owner is the cluster of -o -w -n -e -r. A verb is
// the first argument that is neither a flag nor the value of one.
func expandWords(args []string, isVerb, takesValue func(string) bool) []string {
	var expanded []string
	operands := 0
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" || operands == 0 && isVerb(arg) {
			return append(expanded, args[i:]...)
		}
		name, value, hasValue := strings.Cut(arg, "=")
		word, known := words[name]
		switch {
		case known && hasValue:
			for _, flag := range word.flags {
				expanded = append(expanded, flag+"="+value)
			}
		case known && word.value && i+1 < len(args):
			i++
			expanded = append(expanded, word.flags[0]+"="+args[i])
		case known:
			expanded = append(expanded, word.flags...)
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

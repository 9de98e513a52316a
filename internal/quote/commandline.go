package quote

import "strings"

// CommandLine returns a command line of psync for a shell, without arguments in the middle if there are many.
func CommandLine(args []string) string {
	return strings.Join(append([]string{"psync"}, Words(args)...), " ")
}

// Words returns arguments for a shell, without those in the middle if there are many.
func Words(args []string) (words []string) {
	const most = 12 // arguments that a reader looks through
	for i, arg := range args {
		if left := len(args) - most; left > 1 && i >= most-1 && i < len(args)-1 {
			if i == most-1 {
				words = append(words, "...")
			}
			continue
		}
		words = append(words, Maybe(arg, true))
	}
	return words
}

package argv

import (
	"strings"
	"testing"
)

func TestCpThatIsAName(t *testing.T) {
	for args, want := range map[string]bool{
		"cp dst":    true,
		"cp -r dst": false,
		"cp --help": false,
		"cp a b":    false, // this command line is cp's, for users with such an alias
		"cp":        false,
		"sync a":    false,
	} {
		for _, exists := range []bool{true, false} {
			err := CheckCp(strings.Fields(args), func(string) bool { return exists })
			if got := err != nil; got != (want && exists) {
				t.Errorf("psync %s, cp exists %t: got %v", args, exists, err)
			}
		}
	}
}

package argv

import (
	"strings"
	"testing"
)

func TestOtherProgramThatIsAName(t *testing.T) {
	for args, want := range map[string]bool{
		"cp dst":    true,
		"cp -r dst": false,
		"cp --help": false,
		"rsync dst": true,
		"rsync a b": false,
		"cp a b":    false, // this command line is cp's, for users with such an alias
		"cp":        false,
		"sync a":    false,
	} {
		for _, exists := range []bool{true, false} {
			err := CheckOther(strings.Fields(args), func(string) bool { return exists })
			if got := err != nil; got != (want && exists) {
				t.Errorf("psync %s, the name exists %t: got %v", args, exists, err)
			}
		}
	}
}

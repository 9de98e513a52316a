package flags

import (
	"fmt"
	"strings"
	"testing"
)

func TestFlags(t *testing.T) {
	tests := []struct {
		verb Verbs
		args string
		err  string // "": there is none
	}{
		{Bare, "-rltj8", ""},
		{Copy, "--progress --no-progress", "exclude each other"},
		{Copy, "-j 1025", "1 to 1024"},
		{Copy, "-j -1", "1 to 1024"},
		{Copy, "--transfers 4", ""},
		{Copy, "--recursive=false", "with what is in them: --recursive cannot be switched off"},
		{Copy, "--no-recursive", "with what is in them: --recursive cannot be switched off"},
		{Copy, "-r --no-r", "with what is in them: --recursive cannot be switched off"},
		{Copy, "--no-r -r", ""},
		{Copy, "--links=false", "as what they are: --links cannot be switched off"},
		{Copy, "--no-links", "as what they are: --links cannot be switched off"},
		{Copy, "-l --no-l", "as what they are: --links cannot be switched off"},
		{Copy, "--no-l -l", ""},
		{Copy, "-G", "unknown shorthand"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%d %s", tt.verb, tt.args), func(t *testing.T) {
			_, err := parse(tt.verb, strings.Fields(tt.args)...)
			if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("error %v, want one about %q", err, tt.err)
			}
		})
	}
}

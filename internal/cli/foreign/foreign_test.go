package foreign

import "testing"

// TestPathsReadNoManual holds a look for flags of robocopy, which each operand gets, to read nothing for paths that cannot be
// one: there may be thousands.
func TestPathsReadNoManual(t *testing.T) {
	if n := testing.AllocsPerRun(10, func() { InsteadOfRobocopy("/home/me/a:b") }); n != 0 {
		t.Errorf("%v allocations for a path; want none", n)
	}
	for flag, want := range map[string]string{"/mir": "psync sync --delete", "/MT:8": "-j N", "/LOG:C:/log": "--log-file=FILE", "/MIR/": ""} {
		if got := InsteadOfRobocopy(flag); got != want {
			t.Errorf("%s: %q; want %q", flag, got, want)
		}
	}
}

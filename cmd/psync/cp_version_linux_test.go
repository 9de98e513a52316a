package main

import (
	"os/exec"
	"strconv"
	"strings"
	"sync"
)

// modelOfCp is the version of GNU coreutils whose cp is the model of psync cp. Other versions have some other
// messages and exit statuses.
const modelOfCp = "9.1"

// hasModelCp reports whether cp has that version.
func hasModelCp() bool { return hasGNUCp() && gnuCpVersion() == versionNumber(modelOfCp) }

// hasGNUCp reports whether cp is GNU cp.
func hasGNUCp() bool { return gnuCpVersion() != 0 }

// gnuCpVersion returns the version of GNU cp as one number, 9001 for 9.1, or 0.
var gnuCpVersion = sync.OnceValue(func() int {
	out, err := exec.Command("cp", "--version").Output()
	line, _, _ := strings.Cut(string(out), "\n")
	version, ok := strings.CutPrefix(line, "cp (GNU coreutils) ")
	if err != nil || !ok {
		return 0
	}
	return versionNumber(version)
})

func versionNumber(s string) int {
	major, minor, _ := strings.Cut(s, ".")
	a, _ := strconv.Atoi(major)
	b, _ := strconv.Atoi(minor)
	return 1000*a + b
}

// sameExit reports whether two exit statuses are the same, as far as versions of GNU cp agree:
// those before 9.2 succeeded though the answer was that they should not.
func sameExit(theirs, ours outcome) bool {
	asked := strings.Contains(theirs.stderr, "? ")
	return theirs.exit == ours.exit || asked && gnuCpVersion() < versionNumber("9.2") && theirs.exit == 0 && ours.exit == 1
}

// sameSpecial reports whether two modes have the same set-id and sticky bits, as far as
// versions of GNU cp agree: some before 9.7 left those that the source lacks where they set modes.
func sameSpecial(theirs, ours uint32) bool {
	return theirs == ours || gnuCpVersion() < versionNumber("9.7") && theirs&ours == ours
}

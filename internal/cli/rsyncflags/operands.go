package rsyncflags

import (
	"strings"

	"psync/internal/operand/glob"
	"psync/internal/operand/location"
)

// completeOperands returns operands SRC... DST in which each SRC on another host names that host: after the first, :PATH is
// a path on the same one. With oldArgs, a SRC stands for several if it has blanks, as before rsync 3.2.4.
func completeOperands(operands []string, oldArgs bool) []string {
	sources := operands[:max(len(operands)-1, min(len(operands), 1))]
	var completed []string
	first := ""
	for i, operand := range sources {
		host, path, found := location.CutHost(operand)
		switch {
		case i == 0:
			first = host
		case host == ":" && first != "" && !strings.HasPrefix(path, ":"):
			host = first
		}
		words := []string{path}
		if found && oldArgs && path != "" {
			words = glob.Words(path)
		}
		for _, word := range words {
			completed = append(completed, host+word)
		}
	}
	return append(completed, operands[len(sources):]...)
}

// completeList returns the name of the list of --files-from, and whether it is on another host: as in rsync, on one that an
// operand is on. In a name of the form :PATH that is the first of them.
func completeList(name string, operands []string) (list string, remote bool, err error) {
	host, path, found := location.CutHost(name)
	if !found {
		return name, false, nil
	}
	for _, operand := range operands {
		if on, _, remote := location.CutHost(operand); remote && (host == ":" || host == on) {
			return on + path, true, nil
		}
	}
	return "", false, UsageError("--files-from=" + name + ": no operand is on that host")
}

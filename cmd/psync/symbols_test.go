package main

import (
	"flag"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata/darwin-symbols.txt")

// symbolList names the functions of macOS that psync needs to start, as the linker
// does, one a line. A processor behind a name says that it alone needs it.
const symbolList = "../../testdata/darwin-symbols.txt"

// TestSymbolsOfMacOS finds names that no library of macOS may have: nothing but its
// loader would notice, when psync is to start. Names that are not needed any more, or
// not with another version of Go, do no harm on the list. CROSS in the environment is the directory
// where "make cross" has put the programs, each called psync-SYSTEM-PROCESSOR.
func TestSymbolsOfMacOS(t *testing.T) {
	programs := os.Getenv("CROSS")
	if programs == "" {
		t.Skip("make cross runs this test")
	}
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip(err)
	}
	arches := []string{"amd64", "arm64"}
	needs := make(map[string][]string) // which processors need a symbol
	for _, arch := range arches {
		for _, symbol := range symbols(t, tool, filepath.Join(programs, "psync-darwin-"+arch)) {
			needs[symbol] = append(needs[symbol], arch)
		}
	}
	if *update {
		var lines []string
		for symbol, of := range needs {
			if len(of) < len(arches) {
				symbol += " " + strings.Join(of, " ")
			}
			lines = append(lines, symbol+"\n")
		}
		slices.Sort(lines)
		if err := os.WriteFile(symbolList, []byte(strings.Join(lines, "")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(symbolList)
	if err != nil {
		t.Fatal(err)
	}
	known := make(map[string][]string)
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 1 {
			known[fields[0]] = fields[1:]
		} else if len(fields) == 1 {
			known[fields[0]] = arches
		}
	}
	for _, symbol := range slices.Sorted(maps.Keys(needs)) {
		for _, arch := range needs[symbol] {
			if !slices.Contains(known[symbol], arch) {
				t.Errorf("%s is not known on %s: if libSystem has it, run make cross UPDATE=-update", symbol, arch)
			}
		}
	}
}

// symbols returns the names that a program for a Mac leaves to the loader.
func symbols(t *testing.T, tool, program string) []string {
	t.Helper()
	out, err := exec.Command(tool, "tool", "nm", program).Output()
	if err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	var found []string
	for line := range strings.Lines(string(out)) {
		if fields := strings.Fields(line); len(fields) == 2 && fields[0] == "U" {
			found = append(found, fields[1])
		}
	}
	if !slices.Contains(found, "_fsetattrlist") {
		t.Errorf("%s needs %d symbols, _fsetattrlist not among them", program, len(found))
	}
	return found
}

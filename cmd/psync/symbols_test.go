package main

import (
	"flag"
	"fmt"
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

// TestSymbolsOfMacOS finds names that libraries of macOS may lack: only the loader would notice, when psync
// starts. Obsolete names on the list, or names that another version of Go does not need, do no harm. CROSS in
// the environment is the directory with the programs of "make cross", which are called
// psync-SYSTEM-PROCESSOR.
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

// TestLinkWithLibSystem has a linker look up the names that psync leaves to the loader in Apple's list of what
// libSystem has, on either processor, and one that no library has.
func TestLinkWithLibSystem(t *testing.T) {
	programs := os.Getenv("CROSS")
	if programs == "" {
		t.Skip("make cross runs this test")
	}
	needsZig(t)
	for _, arch := range []string{"amd64", "arm64"} {
		var source strings.Builder
		const absent = "_absent_from_libSystem"
		for i, symbol := range append(symbols(t, "go", filepath.Join(programs, "psync-darwin-"+arch)), absent) {
			fmt.Fprintf(&source, "extern char symbol%d[] __asm__(%q);\nvoid *needs%[1]d = symbol%[1]d;\n", i, symbol)
		}
		dir := t.TempDir()
		file := filepath.Join(dir, "symbols.c")
		if err := os.WriteFile(file, []byte(source.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		out := zig(t, "darwin", arch, "-nostdlib", "-shared", "-lSystem", "-o", filepath.Join(dir, "symbols.dylib"), file)
		if n := strings.Count(out, "error: "); n != 1 || !strings.Contains(out, "undefined symbol: "+absent) {
			t.Errorf("%s: %d errors, where only %s is absent:\n%s", arch, n, absent, out)
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

func needsZig(t *testing.T) {
	t.Helper()
	if err := exec.Command("python3", "-m", "ziglang", "version").Run(); err != nil {
		t.Skipf("needs python3 -m ziglang, a C compiler for other systems: %v", err)
	}
}

// zig runs the C compiler for a system, and returns what it prints.
func zig(t *testing.T, goos, goarch string, args ...string) string {
	t.Helper()
	target := map[string]string{"amd64": "x86_64-", "arm64": "aarch64-"}[goarch] + strings.Replace(goos, "darwin", "macos", 1)
	cmd := exec.Command("python3", append([]string{"-m", "ziglang", "cc", "-target", target}, args...)...)
	cache := t.TempDir()
	cmd.Env = append(os.Environ(), "ZIG_GLOBAL_CACHE_DIR="+cache, "ZIG_LOCAL_CACHE_DIR="+cache)
	out, _ := cmd.CombinedOutput() // the callers want an error, and look for it
	return string(out)
}

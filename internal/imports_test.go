package internal_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rooms are the packages that alone may import a third-party module.
var rooms = map[string][]string{
	"github.com/spf13/":               {"cli", "cli/flaggroup", "cli/flags", "cli/help", "cli/manpage", "cli/misuse", "cli/rsyncflags", "cluster/command"},
	"github.com/schollz/":             {"ui"},
	"github.com/gobwas/":              {"filter/pattern"},
	"golang.org/x/term":               {"ui/terminal"},
	"golang.org/x/text/":              {"metadata"},
	"golang.org/x/time/":              {"pace"},
	"golang.org/x/sys/":               {"sys", "sys/killtimer", "landlock", "localfs", "localfs/overlap", "localfs/pagecache", "localfs/plain", "localfs/stat", "localfs/trusted"},
	"github.com/hanwen/go-fuse/":      {"delayfs"},
	"gonum.org/v1/plot":               {"bench/chart"},
	"golang.org/x/crypto/ssh":         {"sshconn", "sshconn/auth", "sshconn/client", "sshconn/hostkey"},
	"golang.org/x/sys/cpu":            {"sshconn"},
	"github.com/pkg/sftp":             {"vfs/sftpfs"},
	"github.com/klauspost/":           {"wire"},
	"github.com/cespare/":             {"mhl"},
	"github.com/nats-io/nats.go":      {"queue/natsqueue"},
	"github.com/nats-io/nats-server/": {"cluster/server"},
	"github.com/nats-io/nkeys":        {"cluster/keys"},
}

// forTests are packages that tests alone may import, and one another.
var forTests = map[string]bool{
	"vfs/memfs": true, "vfs/memfs/kernel": true, "vfs/faultfs": true, "vfs/asyncfs": true, "vfs/plainfs": true,
	"vfs/fstest": true, "vfs/hosttest": true, "vfs/suite": true, "vfs/suite/effect": true, "engine/enginetest": true,
	"campaign": true, "testtmp": true, "queue/queuetest": true,
}

// TestImportsFollowTheMap reads the map out of doc.go and holds every file
// against it, those of other systems included.
func TestImportsFollowTheMap(t *testing.T) {
	floors := readMap(t)
	seen := make(map[string]bool)
	for _, f := range goFiles(t, ".") {
		pkg := filepath.ToSlash(filepath.Dir(f))
		if pkg == "." {
			continue
		}
		seen[pkg] = true
		floor, ok := floors[pkg]
		if !ok {
			t.Errorf("%s: package %s is not on the map in doc.go", f, pkg)
			continue
		}
		for _, path := range imports(t, f) {
			checkImport(t, f, pkg, floor, path, floors)
		}
	}
	for pkg := range floors {
		if !seen[pkg] {
			t.Errorf("doc.go names package %s, which does not exist", pkg)
		}
	}
}

func checkImport(t *testing.T, file, pkg string, floor int, path string, floors map[string]int) {
	t.Helper()
	isTest := strings.HasSuffix(file, "_test.go")
	other, internal := strings.CutPrefix(path, "psync/internal/")
	switch {
	case forTests[other] && !isTest && !forTests[pkg]:
		t.Errorf("%s imports %s, which is for tests", file, path)
	case internal && isTest: // tests may look down from anywhere
	case internal && floors[other] >= floor:
		t.Errorf("%s (floor %d) imports %s (floor %d)", file, floor, other, floors[other])
	case !strings.Contains(strings.SplitN(path, "/", 2)[0], "."), strings.HasPrefix(path, "psync/"): // standard library, ourselves
	case !isTest && !mayImport(pkg, path):
		t.Errorf("%s imports %s, which is not its room", file, path)
	}
}

func mayImport(pkg, path string) bool {
	for prefix, pkgs := range rooms {
		if strings.HasPrefix(path, prefix) && slices.Contains(pkgs, pkg) {
			return true
		}
	}
	return false
}

// unwanted are packages that make every start slower, with those below them: by what they initialise and
// by the pages of the program that this touches. It says where they came from, or where they belong.
var unwanted = map[string]string{
	"net/http":                           "progressbar has a server since v3.18.0: stay at v3.15.0",
	"crypto/tls":                         "part of net/http",
	"github.com/spf13/cobra/doc":         "imports the two below; package cli writes its man pages itself",
	"github.com/russross/blackfriday/v2": "renders Markdown; 0.4 ms for its tables alone",
	"go.yaml.in/yaml/v3":                 "nothing here speaks YAML",
	"psync/internal/selftest":            "psync-selftest is a program of its own",
	"psync/internal/bench":               "psync-bench is a program of its own",
	"psync/internal/queue":               "hosts that share a job are to have a program of its own for that",
	"psync/internal/cluster":             "as queue",
	"github.com/nats-io":                 "psync-cluster is a program of its own",
	"gonum.org/v1/plot":                  "draws charts for psync-bench",
}

// TestStartIsLight finds what psync links without need.
func TestStartIsLight(t *testing.T) {
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip(err)
	}
	out, err := exec.Command(tool, "list", "-deps", "psync/cmd/psync").Output()
	if err != nil {
		t.Fatal(err)
	}
	linked := strings.Fields(string(out))
	if !slices.Contains(linked, "psync/internal/cli") {
		t.Fatalf("psync links %d packages, cli not among them", len(linked))
	}
	for _, pkg := range linked {
		for path, why := range unwanted {
			if pkg == path || strings.HasPrefix(pkg, path+"/") {
				t.Errorf("psync links %s: %s", pkg, why)
			}
		}
	}
}

// TestMapNamesFiles finds files that the map names, with their packages, and that do not exist.
func TestMapNamesFiles(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range regexp.MustCompile(`[\w/]+/\w+\.go\b`).FindAllString(string(text), -1) {
		path := name
		if strings.HasPrefix(name, "cmd/") {
			path = filepath.Join("..", name)
		}
		if _, err := os.Stat(path); err != nil {
			t.Errorf("doc.go names %s: %v", name, err)
		}
	}
}

// TestBuildTagsStayLow finds differences between systems outside of the
// packages that are for them.
func TestBuildTagsStayLow(t *testing.T) {
	may := map[string]bool{
		"sys": true, "sys/killtimer": true, "landlock": true, "ui": true, "bench": true, "delayfs": true,
		"localfs": true, "localfs/overlap": true, "localfs/pagecache": true, "localfs/plain": true, "localfs/stat": true,
		"localfs/trusted": true,
	}
	chooses := filepath.Join("metadata", "profile.go") // its table of the present system
	system := regexp.MustCompile(`_(linux|darwin|freebsd|windows|unix|bsd)(_[a-z0-9]+)?(_test)?\.go$`)
	for _, f := range goFiles(t, ".") {
		pkg := filepath.ToSlash(filepath.Dir(f))
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		tagged := system.MatchString(f) || strings.HasPrefix(string(text), "//go:build")
		asks := strings.Contains(string(text), "runtime"+".GOOS") && f != chooses
		if (tagged || asks) && !may[pkg] {
			t.Errorf("%s depends on the system; such code belongs in sys or localfs", f)
		}
	}
}

// TestEveryPackageSaysWhatItIsFor wants one package comment a package, that
// begins as go doc expects it.
func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	comments := make(map[string]int)
	for _, f := range goFiles(t, ".") {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Dir(f)
		comments[dir] += 0
		if file.Doc != nil && strings.HasPrefix(file.Doc.Text(), "Package "+file.Name.Name+" ") {
			comments[dir]++
		}
	}
	for dir, n := range comments {
		if n != 1 {
			t.Errorf("package %s has %d package comments, want 1", dir, n)
		}
	}
}

// TestTopLevel keeps the root of the project to what a newcomer can take in.
func TestTopLevel(t *testing.T) {
	want := map[string]bool{
		"go.mod": true, "go.sum": true, "cmd": true, "internal": true, "testdata": true,
		"Makefile": true, "README.md": true, "GOALS.md": true, "LICENSE": true,
		"bin": true, "dist": true, // build output, ignored by git
	}
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if name := e.Name(); !want[name] && !strings.HasPrefix(name, ".") {
			t.Errorf("%s does not belong on the top level", name)
		}
	}
}

func readMap(t *testing.T) map[string]int {
	t.Helper()
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	floors := make(map[string]int)
	for _, m := range regexp.MustCompile(`(?m)^//\t *(\d+) +(\S+) `).FindAllStringSubmatch(string(text), -1) {
		floors[m[2]], _ = strconv.Atoi(m[1])
	}
	if len(floors) == 0 {
		t.Fatal("no map found in doc.go")
	}
	return floors
}

func goFiles(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".go") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func imports(t *testing.T, file string) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(fmt.Errorf("parse %s: %w", file, err))
	}
	var paths []string
	for _, i := range f.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

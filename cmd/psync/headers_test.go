package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"psync/internal/metadata"
)

const unixPackage = "golang.org/x/sys/unix"

// TestHeadersOfMacOSAndFreeBSD has a C compiler compare what psync relies on with the headers of these systems: the
// layouts of structures, the values of constants, and the numbers of system calls. The test finds them in the
// source of psync; the tables in headers_table_test.go have their names in C.
func TestHeadersOfMacOSAndFreeBSD(t *testing.T) {
	if os.Getenv("CROSS") == "" {
		t.Skip("make cross runs this test")
	}
	needsZig(t)
	rows := make(map[string]bool)
	for _, goos := range []string{"darwin", "freebsd"} {
		for _, goarch := range []string{"amd64", "arm64"} {
			t.Run(goos+"/"+goarch, func(t *testing.T) {
				c := &comparison{T: t, goos: goos, goarch: goarch, rows: rows, asserted: make(map[string]bool)}
				c.packages(listPackages(t, goos, goarch))
				c.profile()
				c.compile()
				t.Logf("%d assertions", len(c.asserted))
			})
		}
	}
	if t.Failed() {
		return // some names may not have been seen
	}
	known := slices.Collect(maps.Keys(structures))
	for _, table := range append(slices.Collect(maps.Values(constantsOf)), notInHeaders) {
		known = slices.AppendSeq(known, maps.Keys(table))
	}
	for _, name := range known {
		if !rows[name] {
			t.Errorf("%s has a row in headers_table_test.go, but psync does not use it", name)
		}
	}
}

type listedPackage struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
}

// listPackages returns the packages of psync and psync-selftest for a system.
func listPackages(t *testing.T, goos, goarch string) []listedPackage {
	t.Helper()
	list := exec.Command("go", "list", "-deps", "-export", "-json=ImportPath,Dir,Export,GoFiles", ".", "../psync-selftest")
	list.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatal("go list: ", err)
	}
	var packages []listedPackage
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p listedPackage
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	return packages
}

// A comparison collects assertions about one system.
type comparison struct {
	*testing.T
	goos, goarch string
	sizes        types.Sizes
	rows         map[string]bool // names that were seen on any system
	asserted     map[string]bool // assertions in C
	calls        map[string]bool // functions of x/sys/unix that psync uses
	unix         *types.Package
}

// equal asserts that an expression of C has a value. Name says what in Go this is about.
func (c *comparison) equal(expr string, value any, name string) {
	c.asserted[fmt.Sprintf("_Static_assert((long long)(%s) == %vLL, %q);\n", expr, value, name)] = true
}

// packages collects from the source of psync's own packages.
func (c *comparison) packages(list []listedPackage) {
	c.sizes, c.calls = types.SizesFor("gc", c.goarch), make(map[string]bool)
	fset := token.NewFileSet()
	imported := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		i := slices.IndexFunc(list, func(p listedPackage) bool { return p.ImportPath == path })
		return os.Open(list[i].Export)
	})
	for _, p := range list {
		if !strings.HasPrefix(p.ImportPath, "psync/") {
			continue
		}
		info := types.Info{Uses: make(map[*ast.Ident]types.Object), Defs: make(map[*ast.Ident]types.Object), Types: make(map[ast.Expr]types.TypeAndValue)}
		config := types.Config{Importer: imported, Sizes: c.sizes}
		if _, err := config.Check(p.ImportPath, fset, c.parse(fset, p), &info); err != nil {
			c.Fatal(err)
		}
		c.uses(&info)
		for ident, object := range info.Defs {
			if k, ok := object.(*types.Const); ok && c.isForeign(p, fset.Position(ident.Pos()).Filename) {
				c.own(path.Base(p.ImportPath)+"."+k.Name(), k.Val())
			}
		}
	}
	for _, p := range list {
		if p.ImportPath == unixPackage && c.goos != "darwin" { // where x/sys calls functions of libSystem instead
			c.systemCalls(c.parse(fset, p))
		}
	}
}

func (c *comparison) parse(fset *token.FileSet, p listedPackage) (files []*ast.File) {
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			c.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

// isForeign reports whether a file is not for Linux, or on the list of those that describe other systems.
func (c *comparison) isForeign(p listedPackage, file string) bool {
	if slices.Contains(describing, path.Join(strings.TrimPrefix(p.ImportPath, "psync/internal/"), filepath.Base(file))) {
		return true
	}
	linux := build.Default
	linux.GOOS, linux.GOARCH = "linux", c.goarch
	match, err := linux.MatchFile(p.Dir, filepath.Base(file))
	if err != nil {
		c.Fatal(err)
	}
	return !match
}

// uses collects what a package uses of x/sys/unix and syscall: constants, structures and functions.
func (c *comparison) uses(info *types.Info) {
	for _, object := range info.Uses {
		if !isSystem(object.Pkg()) {
			continue
		}
		switch o := object.(type) {
		case *types.Const:
			c.constant(o)
		case *types.Func:
			if o.Pkg().Path() == unixPackage {
				c.calls[o.Name()], c.unix = true, o.Pkg()
			}
		}
	}
	for _, expr := range info.Types {
		of := expr.Type
		type container interface{ Elem() types.Type }
		for c, ok := of.(container); ok; c, ok = of.(container) {
			of = c.Elem()
		}
		if named, ok := of.(*types.Named); ok && isSystem(named.Obj().Pkg()) {
			if s, ok := named.Underlying().(*types.Struct); ok {
				c.layout(named, s)
			}
		}
	}
}

func isSystem(p *types.Package) bool {
	return p != nil && (p.Path() == unixPackage || p.Path() == "syscall")
}

// constant asserts the value of a constant of x/sys/unix or syscall, which mostly has the name that it has in C.
func (c *comparison) constant(k *types.Const) {
	name := k.Pkg().Name() + "." + k.Name()
	expr := k.Name()
	if call, ok := strings.CutPrefix(expr, "SYS_"); ok {
		expr = "SYS_" + strings.ToLower(call)
	}
	c.rows[name] = true
	if row, ok := constantsOf["any"][name]; ok {
		expr = row
	}
	if k.Val().Kind() == constant.Int {
		c.equal(expr, k.Val(), name)
	}
}

// own asserts the value of a constant that psync declares, or of a field of a profile.
func (c *comparison) own(name string, value constant.Value) {
	if value.Kind() != constant.Int {
		return
	}
	c.rows[name] = true
	_, known := notInHeaders[name]
	for system, table := range constantsOf {
		expr, ok := table[name]
		known = known || ok
		if ok && (system == "any" || system == c.goos) {
			c.equal(expr, value, name)
		}
	}
	if !known {
		c.Errorf("%s = %s: which constant of C is this? Add it to headers_table_test.go", name, value)
	}
}

// unusedField matches room between fields, and room for more fields, some of which later headers have used.
var unusedField = regexp.MustCompile(`^(_|Pad|Spare)`)

// layout asserts the size of a structure, and the place and size of each field.
func (c *comparison) layout(named *types.Named, s *types.Struct) {
	name := named.Obj().Pkg().Name() + "." + named.Obj().Name()
	c.rows[named.Obj().Name()] = true
	row, ok := structures[named.Obj().Name()]
	if !ok {
		c.Errorf("%s: which structure of C is this? Add it to headers_table_test.go", name)
		return
	}
	c.equal("sizeof("+row.c+")", c.sizes.Sizeof(s), name)
	fields := slices.Collect(s.Fields())
	for i, offset := range c.sizes.Offsetsof(fields) {
		field := fields[i].Name()
		if unusedField.MatchString(field) {
			continue
		}
		member, ok := row.fields[field]
		if !ok {
			member = row.prefix + strings.ToLower(field)
		}
		c.equal(fmt.Sprintf("__builtin_offsetof(%s, %s)", row.c, member), offset, name+"."+field)
		c.equal(fmt.Sprintf("sizeof(((%s *)0)->%s)", row.c, member), c.sizes.Sizeof(fields[i].Type()), name+"."+field)
	}
}

// systemCalls asserts the numbers that the functions of x/sys/unix use that psync calls, and those that these call.
func (c *comparison) systemCalls(files []*ast.File) {
	bodies := make(map[string]*ast.BlockStmt)
	for _, file := range files {
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && f.Body != nil {
				bodies[f.Name.Name] = f.Body
			}
		}
	}
	todo := slices.Collect(maps.Keys(c.calls))
	for len(todo) > 0 {
		body := bodies[todo[0]]
		delete(bodies, todo[0])
		todo = todo[1:]
		if body == nil {
			continue
		}
		ast.Inspect(body, func(n ast.Node) bool {
			if ident, ok := n.(*ast.Ident); ok {
				todo = append(todo, ident.Name)
				if k, ok := c.unix.Scope().Lookup(ident.Name).(*types.Const); ok && strings.HasPrefix(k.Name(), "SYS_") {
					c.constant(k)
				}
			}
			return true
		})
	}
}

// profile asserts the flags in the profile of the system.
func (c *comparison) profile() {
	for field, v := range reflect.ValueOf(*metadata.ProfileOf(c.goos)).Fields() {
		if v.Kind() == reflect.Uint32 && v.Uint() != 0 {
			c.own(c.goos+"."+field.Name, constant.MakeUint64(v.Uint()))
		}
	}
}

// compile has the assertions compiled, and one more that does not hold, which the compiler has to find.
func (c *comparison) compile() {
	const wrong = "an assertion that does not hold"
	var source strings.Builder
	for header := range strings.FieldsSeq(headersOf[c.goos]) {
		fmt.Fprintf(&source, "#include <%s>\n", header)
	}
	for _, assertion := range slices.Sorted(maps.Keys(c.asserted)) {
		source.WriteString(assertion)
	}
	fmt.Fprintf(&source, "_Static_assert(sizeof(int) == 1, %q);\n", wrong)
	dir := c.TempDir()
	file := filepath.Join(dir, "assertions.c")
	if err := os.WriteFile(file, []byte(source.String()), 0o644); err != nil {
		c.Fatal(err)
	}
	out := zig(c.T, c.goos, c.goarch, "-D_ACL_PRIVATE", // with which FreeBSD shows struct acl
		"-ferror-limit=0", "-c", "-o", filepath.Join(dir, "assertions.o"), file)
	if n := strings.Count(out, " error: "); n != 1 || !strings.Contains(out, wrong) {
		c.Errorf("%d errors, where only the last assertion does not hold:\n%s", n, out)
	}
}

package engine

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReachOfWorkers limits how many methods and fields workers have, including those promoted by embedding: a reader
// of a call must know all of them.
func TestReachOfWorkers(t *testing.T) {
	pkgs := typeCheck(t)
	for _, tt := range []struct {
		pkg, name       string
		methods, fields int // at most
	}{
		{"psync/internal/engine", "worker", 35, 5},
		{"psync/internal/engine/entry", "Worker", 52, 8},
	} {
		pkg := pkgs[tt.pkg]
		worker := pkg.Scope().Lookup(tt.name).Type()
		methods := 0
		for m := range types.NewMethodSet(types.NewPointer(worker)).Methods() {
			if isVisible(m.Obj(), pkg) {
				methods++
			}
		}
		fields := fieldsInReach(worker, pkg)
		t.Logf("%s.%s: %d methods and %d fields", tt.pkg, tt.name, methods, fields)
		if methods > tt.methods || fields > tt.fields {
			t.Errorf("at most %d and %d should be in reach", tt.methods, tt.fields)
		}
	}
}

// isVisible reports whether a selector in pkg can name obj.
func isVisible(obj types.Object, pkg *types.Package) bool { return obj.Exported() || obj.Pkg() == pkg }

// fieldsInReach counts the fields, including those of embedded structs, that a selector in pkg can name in a value of
// a struct type.
func fieldsInReach(t types.Type, pkg *types.Package) int {
	names := make(map[string]bool)
	var add func(t types.Type)
	add = func(t types.Type) {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		s, ok := t.Underlying().(*types.Struct)
		if !ok {
			return
		}
		for f := range s.Fields() {
			if isVisible(f, pkg) {
				names[f.Name()] = true
			}
			if f.Embedded() {
				add(f.Type())
			}
		}
	}
	add(t)
	return len(names)
}

// typeCheck returns this package without its tests, and the packages that it imports, by path.
func typeCheck(t *testing.T) map[string]*types.Package {
	t.Helper()
	exported := exportedTypes(t)
	fset := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	conf := types.Config{Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exported[path]) })}
	pkg, err := conf.Check("psync/internal/engine", fset, files, nil)
	if err != nil {
		t.Fatal(err)
	}
	pkgs := map[string]*types.Package{pkg.Path(): pkg}
	for _, p := range pkg.Imports() {
		pkgs[p.Path()] = p
	}
	return pkgs
}

// exportedTypes returns the files in which the compiler has described the dependencies of this package.
func exportedTypes(t *testing.T) map[string]string {
	t.Helper()
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", ".")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	return files
}

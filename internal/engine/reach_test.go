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
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestReachOnlyShrinks holds how many methods and fields have what the workers of a run are handed, including those
// promoted by embedding: a reader of a call must know all of them. A number that has become smaller is written down
// here.
func TestReachOnlyShrinks(t *testing.T) {
	pkgs := typeCheck(t)
	for _, tt := range []struct {
		pkg, name       string
		methods, fields int
	}{
		{"psync/internal/engine", "worker", 32, 5},
		{"psync/internal/engine", "dirClaim", 3, 13},
		{"psync/internal/engine/entry", "Worker", 38, 5},
		{"psync/internal/engine/job", "Worker", 26, 5},
		{"psync/internal/engine/job", "Run", 36, 20},
		{"psync/internal/engine/job", "Dir", 15, 34},
	} {
		pkg := pkgs[tt.pkg]
		typ := pkg.Scope().Lookup(tt.name).Type()
		methods := 0
		for m := range types.NewMethodSet(types.NewPointer(typ)).Methods() {
			if isVisible(m.Obj(), pkg) {
				methods++
			}
		}
		fields := fieldsInReach(typ, pkg)
		t.Logf("%s.%s: %d methods and %d fields", tt.pkg, tt.name, methods, fields)
		if methods != tt.methods || fields != tt.fields {
			t.Errorf("%s.%s has %d methods and %d fields in reach, want %d and %d", tt.pkg, tt.name, methods, fields, tt.methods, tt.fields)
		}
	}
}

// TestOneDirectoryType finds the structs of this package and those below it that hold an open directory or what is known
// of one. Only a job.Dir stands for a pair of directories, or for one of its sides: a directory has one life, and what
// else needs to know of it gets a vfs.Dir and facts.
func TestOneDirectoryType(t *testing.T) {
	holds := regexp.MustCompile(`^(vfs\.Dir|(pairs\.)?Pair|\*?((job|place|source)\.)?Dir)$`)
	others := map[string]bool{ // directories of other kinds, handles, options, and what is to be done in a directory
		"backup.Backup": true, "backup.Dirs": true, "backup.LazyDir": true, "backup.Options": true, "backup.Store": true, "backup.destDir": true,
		"engine.dirClaim": true, "engine.result": true, "engine.run": true, "engine.task": true, "entry.CopiedList": true, "entry.shortcut": true,
		"job.Deferral": true, "job.Job": true, "job.Options": true, "job.Partial": true, "job.Task": true, "job.dirlink": true,
		"mirror.Asker": true, "mirror.Extraneous": true, "mirror.OperandDir": true, "mirror.Premise": true,
		"job.Counterpart": true, "pairs.Pair": true, "place.Alternative": true, "source.Tree": true, "source.renamingDir": true,
	}
	var found []string
	err := filepath.WalkDir(".", func(path string, e os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				name := file.Name.Name + "." + spec.Name.Name
				if s, ok := spec.Type.(*ast.StructType); ok && !others[name] && slices.ContainsFunc(s.Fields.List, func(f *ast.Field) bool {
					return holds.MatchString(types.ExprString(f.Type))
				}) {
					found = append(found, name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(found, []string{"job.Dir"}) {
		t.Errorf("types of directories: %v, want only job.Dir", found)
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

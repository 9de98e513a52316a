package vfs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"psync/internal/vfs"
)

// TestTheInterfacesOnlyShrink holds the size of what a file system has to offer, and a wrapper to pass on. A number
// that has become smaller is written down here.
func TestTheInterfacesOnlyShrink(t *testing.T) {
	for _, tt := range []struct {
		what      string
		got, want int
	}{
		{"methods of Dir", reflect.TypeFor[vfs.Dir]().NumMethod(), 22},
		{"methods of File, without those of Node", reflect.TypeFor[vfs.File]().NumMethod() - reflect.TypeFor[vfs.Node]().NumMethod(), 13},
		{"methods of Node", reflect.TypeFor[vfs.Node]().NumMethod(), 7},
		{"methods of Host", reflect.TypeFor[vfs.Host]().NumMethod(), 8},
		{"caps", countCaps(t), 14},
		{"type assertions for what only some directories, files and hosts have", countAssertions(t), 1},
	} {
		t.Logf("%d %s", tt.got, tt.what)
		if tt.got != tt.want {
			t.Errorf("%d %s, want %d", tt.got, tt.what, tt.want)
		}
	}
}

// countCaps counts the constants of caps.go.
func countCaps(t *testing.T) (n int) {
	file, err := parser.ParseFile(token.NewFileSet(), "caps.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(node ast.Node) bool {
		if spec, ok := node.(*ast.ValueSpec); ok && spec.Names[0].Name != "_" {
			n++
		}
		return true
	})
	return n
}

// assertion matches a type assertion that finds out whether a directory, a file, a node or a host has further methods.
var assertion = regexp.MustCompile(`\.\((interface\{ Unwrap\(\) (T|(vfs\.)?(Dir|File|Node|Host)) \}|(metadata|attrs)\.[A-Z]\w*)\)|\bAs\[vfs\.\w+\]`)

// countAssertions counts those of the product.
func countAssertions(t *testing.T) (n int) {
	err := filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "/fstest/") {
			return err
		}
		for _, line := range assertion.FindAllString(read(t, path), -1) {
			t.Logf("%s: %s", path, line)
			n++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func read(t *testing.T, path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

package faultfs_test

import (
	"errors"
	"strings"
	"syscall"
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

func TestFaults(t *testing.T) {
	calls := []string{"create a", "write a", "create b", "rename b", "create d/a", "lstat d/a", "rename d/b"}
	for _, tt := range []struct{ text, fail string }{
		{"", ""},
		{"(err EIO)", strings.Join(calls, ",")},
		{"(op create, err EIO)", "create a,create b,create d/a"},
		{"(op create|rename, nth 3, err EIO)", "rename b"},
		{"(op changing, path a, err EIO)", "create a,write a,create d/a"},
		{`(path "d/*", err EIO)`, "create d/a,lstat d/a,rename d/b"},
		{`(path "d/a", op any, err EIO)`, "create d/a,lstat d/a"},
		{"(op write, err EIO) (op lstat, err EACCES)", "write a,lstat d/a"},
	} {
		f, err := faultfs.Parse(strings.ReplaceAll(tt.text, "path a", `path "a"`))
		if err != nil {
			t.Error(err)
			continue
		}
		var failed []string
		for _, call := range calls {
			op, at, _ := strings.Cut(call, " ")
			if f.Before(op, at) != nil {
				failed = append(failed, call)
			}
		}
		if got := strings.Join(failed, ","); got != tt.fail || f.Pending() {
			t.Errorf("%s: %s fail, pending %v; want %s", tt.text, got, f.Pending(), tt.fail)
		}
	}
}

func TestFaultsThatCannotBeRead(t *testing.T) {
	for _, text := range []string{
		"op create", "(", "()", "(op create)", "(err EWHAT)", "(err EIO", "(err EIO nth 1)", `(path "[", err EIO)`,
		"(path a, err EIO)", "(what 1, err EIO)", "(nth x, err EIO)", "(err EIO))", `(path "a, err EIO)`,
	} {
		if _, err := faultfs.Parse(text); err == nil {
			t.Errorf("%s is no error", text)
		}
	}
}

func TestFaultThatHasNotComeIsPending(t *testing.T) {
	f, err := faultfs.Parse("(op create, nth 2, err EIO)")
	must(t, err)
	for _, want := range []bool{true, false} {
		_ = f.Before("create", "a")
		if f.Pending() != want {
			t.Errorf("pending: %v, want %v", !want, want)
		}
	}
}

// TestInjectKnowsPaths has a rename fail in one of two directories.
func TestInjectKnowsPaths(t *testing.T) {
	inner := memfs.New().TestRoot(t)
	fstest.Fill(t, inner, "a/f 644 x\nb/f 644 x")
	root := faultfs.Inject(inner, `(op rename, path "b/*", err ENOSPC)`)
	for _, dir := range []string{"a", "b"} {
		d, err := root.OpenDir(dir, vfs.NoFollow)
		must(t, err)
		if err := d.Rename("f", nil, "g", nil); errors.Is(err, syscall.ENOSPC) != (dir == "b") {
			t.Errorf("rename in %s: %v", dir, err)
		}
		must(t, d.Close())
	}
	if got, want := fstest.Tree(t, inner), "a/ 755\na/g 644 x\nb/ 755\nb/f 644 x\n"; got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

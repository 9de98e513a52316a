package gnucp

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"psync/internal/gnucp/policy"
	"psync/internal/localfs"
	"psync/internal/report"
)

// A swapper replaces a directory by a symbolic link when a certain message is printed.
type swapper struct {
	t      *testing.T
	when   string // the message
	dir    string
	target string // of the link
	said   strings.Builder
}

func (s *swapper) Write(p []byte) (int, error) {
	s.said.Write(p)
	if s.when != "" && strings.Contains(string(p), s.when) {
		s.when = ""
		if err := os.Rename(s.dir, s.dir+" as it was"); err != nil {
			s.t.Error(err)
		}
		if err := os.Symlink(s.target, s.dir); err != nil {
			s.t.Error(err)
		}
	}
	return len(p), nil
}

// state describes all entries below dir, with their contents.
func state(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fi, err := e.Info()
		if err != nil {
			return err
		}
		text := ""
		if fi.Mode().IsRegular() {
			text = readFile(t, path)
		}
		fmt.Fprintln(&b, strings.TrimPrefix(path, dir), fi.Mode(), fi.ModTime().UnixNano(), text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestDirectoriesReplacedByLinks replaces directories by links to an outside directory while they are copied.
// The entries of the outside directory must be neither changed nor copied.
func TestDirectoriesReplacedByLinks(t *testing.T) {
	archive := policy.Options{Recursive: true, Preserve: policy.Preserve{Mode: true, Timestamps: true, Links: true}}
	update, merge := archive, archive
	update.Update = policy.UpdateOlder
	merge.KeepDirlinks = true
	for _, c := range []struct {
		what    string
		options policy.Options
		dst     string
		dir     string // that is replaced,
		when    string // this is said
	}{
		{"a directory that was just made", archive, "new", "new/a", "-> 'new/a'"},
		{"a directory with a directory that was just made", archive, "new", "new/a", "-> 'new/a/sub'"},
		{"a directory with a file that is just copied", archive, "new", "new/a", "-> 'new/a/f'"},
		{"a directory that holds the first name of a file", archive, "new", "new/a", "-> 'new/b'"},
		{"a directory of an update", update, "new", "new/a", "-> 'new/a/sub'"},
		{"a directory of a merge", merge, "old", "old/src/a", "-> 'old/src/a/sub'"},
		{"an operand that was just made", archive, "new", "new", "-> 'new'"},
		{"an operand with a directory that was just made", archive, "new", "new", "-> 'new/a'"},
		{"an operand that existed", archive, "old", "old/src", "-> 'old/src/a/sub'"},
		{"the directory that an operand goes into", archive, "old", "old", "-> 'old/src/a/sub'"},
		{"a directory of the source", archive, "new", "src/a", "-> 'new/a'"},
		{"a directory of the source with a directory that was just made", archive, "new", "src/a", "-> 'new/a/sub'"},
		{"the source", archive, "new", "src", "-> 'new/a'"},
	} {
		for _, open := range []int{0, 100} {
			for _, threads := range []int{1, 8} {
				t.Run(fmt.Sprintf("%s, %d open, %d threads", c.what, open, threads), func(t *testing.T) {
					dir := tree(t, "src/", "src/a/", "src/a/sub/", "src/a/sub/f: new", "src/a/f: new", "src/b/", "src/b/f = src/a/f", "src/b/sub/", "src/b/sub/f: new",
						"old/", "old/src/", "old/src/a/", "old/src/a/f: old",
						"victim/", "victim/f: secret", "victim/sub/", "victim/sub/f: secret", "victim/src/", "victim/a/", "victim/a/f: secret", "victim/a/sub/", "victim/a/sub/f: secret")
					if inode(t, dir, "src/a") > inode(t, dir, "src/b") {
						t.Skip("the file system does not give directories increasing inode numbers")
					}
					t.Chdir(dir)
					for _, name := range []string{"src/a", "src/a/sub", "src/b", "src/b/sub", "src"} {
						if err := os.Chtimes(name, time.Unix(1e9, 0), time.Unix(1e9, 0)); err != nil {
							t.Fatal(err)
						}
					}
					before := state(t, "victim")
					s := &swapper{t: t, when: c.when, dir: filepath.Join(dir, c.dir), target: filepath.Join(dir, "victim")}
					c.options.Verbose, c.options.Threads = true, threads
					r := newRun(Job{
						Options: c.options, Operands: []string{"src", c.dst}, Name: "cp", Terminal: true,
						Host: localfs.Host{}, Stdin: strings.NewReader(""), Stdout: s, Stderr: s, Stats: new(report.Stats),
						NewTemporary: func() string { return ".temporary" },
					})
					r.dirs.Limit = open
					if _, err := r.copy(t.Context()); err != nil {
						t.Error(err)
					}
					if s.when != "" {
						t.Errorf("no worker said %q", s.when)
					}
					if after := state(t, "victim"); after != before {
						t.Errorf("what the link leads to was\n%s\nis\n%s", before, after)
					}
					if copied := state(t, c.dst); strings.Contains(copied, "secret") {
						t.Errorf("what the link leads to was copied:\n%s", copied)
					}
					if t.Failed() {
						t.Log(s.said.String())
					}
				})
			}
		}
	}
}

// TestWaysToOperandsReplacedByLinks replaces directories on the way to operands, and directories that --parents
// makes.
func TestWaysToOperandsReplacedByLinks(t *testing.T) {
	archive := policy.Options{Recursive: true, Preserve: policy.Preserve{Mode: true, Timestamps: true, Links: true}}
	update, parents, plain := archive, archive, policy.Options{Recursive: true, Parents: true}
	update.Update = policy.UpdateOlder
	parents.Parents = true
	for _, c := range []struct {
		what     string
		options  policy.Options
		operands []string
		dir      string // that is replaced,
		when     string // this is said
	}{
		{"that of the source", archive, []string{"up/src", "new"}, "up", "-> 'new/a'"},
		{"that of a destination that was just made", archive, []string{"up/src", "down/new"}, "down", "-> 'down/new'"},
		{"that of a destination with a directory that was just made", archive, []string{"up/src", "down/new"}, "down", "-> 'down/new/a'"},
		{"that of a destination that existed", archive, []string{"up/src", "down/old"}, "down", "-> 'down/old/src/a'"},
		{"that of a source, a file", archive, []string{"up/src/f", "new"}, "up/src", "-> 'new'"},
		{"that of a destination, a file", archive, []string{"up/src/f", "down/g"}, "down", "-> 'down/g'"},
		{"that of a destination, an update", update, []string{"up/src/f", "down/g"}, "down", "-> 'down/g'"},
		{"that of several sources", archive, []string{"up/src/f", "up/src/a", "down"}, "up/src", "-> 'down/f'"},
		{"a parent that was just made", parents, []string{"up/src/a", "down"}, "down/up", "up -> down/up\n"},
		{"a parent below one that was just made", parents, []string{"up/src/a", "down"}, "down/up", "up/src -> down/up/src"},
		{"the last parent", parents, []string{"up/src/a", "down"}, "down/up/src", "up/src -> down/up/src"},
		{"the last parent, without attributes", plain, []string{"up/src/a", "down"}, "down/up/src", "up/src -> down/up/src"},
		{"the parent of a file", parents, []string{"up/src/f", "down"}, "down/up/src", "-> 'down/up/src/f'"},
		{"a parent of the source", parents, []string{"up/src/a", "down"}, "up", "up -> down/up\n"},
		{"the target", parents, []string{"up/src/a", "down"}, "down", "up -> down/up\n"},
	} {
		for _, open := range []int{0, 100} {
			for _, threads := range []int{1, 8} {
				t.Run(fmt.Sprintf("%s, %d open, %d threads", c.what, open, threads), func(t *testing.T) {
					dir := tree(t, "up/", "up/src/", "up/src/a/", "up/src/a/f: new", "up/src/a/g: new", "up/src/f: new",
						"down/", "down/old/", "victim/", "victim/f: secret", "victim/g: secret")
					t.Chdir(dir)
					for _, name := range []string{"a", "src", "src/a", "new", "new/a", "old", "old/src", "old/src/a", "up", "up/src", "up/src/a"} {
						err := os.MkdirAll(filepath.Join("victim", name), 0o755)
						for _, file := range []string{"f", "g"} {
							err = errors.Join(err, os.WriteFile(filepath.Join("victim", name, file), []byte("secret"), 0o600))
						}
						if err != nil {
							t.Fatal(err)
						}
					}
					for _, name := range []string{"up/src/a", "up/src", "up"} {
						if err := errors.Join(os.Chmod(name, 0o750), os.Chtimes(name, time.Unix(1e9, 0), time.Unix(1e9, 0))); err != nil {
							t.Fatal(err)
						}
					}
					before := state(t, "victim")
					s := &swapper{t: t, when: c.when, dir: filepath.Join(dir, c.dir), target: filepath.Join(dir, "victim")}
					c.options.Verbose, c.options.Threads = true, threads
					r := newRun(Job{
						Options: c.options, Operands: c.operands, Name: "cp", Terminal: true,
						Host: localfs.Host{}, Stdin: strings.NewReader(""), Stdout: s, Stderr: s, Stats: new(report.Stats),
						NewTemporary: func() string { return ".temporary" },
					})
					r.dirs.Limit = open
					if _, err := r.copy(t.Context()); err != nil {
						t.Error(err)
					}
					if s.when != "" {
						t.Errorf("no worker said %q", s.when)
					}
					if after := state(t, "victim"); after != before {
						t.Errorf("what the link leads to was\n%s\nis\n%s", before, after)
					}
					for _, copied := range []string{"new", "down", "down as it was"} {
						if _, err := os.Lstat(copied); err == nil && strings.Contains(state(t, copied), "secret") {
							t.Errorf("what the link leads to was copied to %s", copied)
						}
					}
					if t.Failed() {
						t.Log(s.said.String())
					}
				})
			}
		}
	}
}

package gnucp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"psync/internal/gnucp/listing"
	"psync/internal/gnucp/policy"
	"psync/internal/localfs"
	"psync/internal/report"
	"psync/internal/vfs"
)

// cp copies operands, which are below dir, and returns the messages.
func cp(t *testing.T, ctx context.Context, dir string, o policy.Options, operands ...string) (said string, ok bool, err error) {
	t.Helper()
	for i := range operands {
		operands[i] = filepath.Join(dir, operands[i])
	}
	if o.Threads == 0 {
		o.Threads = 8
	}
	var out bytes.Buffer
	ok, err = Copy(ctx, Job{
		Options: o, Operands: operands, Name: "cp", UTF8: true,
		Host: localfs.Host{}, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Stats: new(report.Stats),
	})
	return strings.ReplaceAll(out.String(), dir+"/", ""), ok, err
}

// tree makes directories, files and links in a new directory, in the given order, which is the order of their
// inode numbers on file systems that assign increasing numbers: "a/" is a directory, "a -> b" a symbolic link,
// "a = b" a hard link, "a: text" a file.
func tree(t *testing.T, entries ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, e := range entries {
		at := func(name string) string { return filepath.Join(dir, name) }
		var err error
		if name, ok := strings.CutSuffix(e, "/"); ok {
			err = os.Mkdir(at(name), 0o777)
		} else if name, target, ok := strings.Cut(e, " -> "); ok {
			err = os.Symlink(target, at(name))
		} else if name, other, ok := strings.Cut(e, " = "); ok {
			err = os.Link(at(other), at(name))
		} else {
			name, text, _ := strings.Cut(e, ": ")
			err = os.WriteFile(at(name), []byte(text), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func readFile(t *testing.T, path ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func inode(t *testing.T, path ...string) uint64 {
	t.Helper()
	fi, err := os.Stat(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return uint64(fi.Sys().(*syscall.Stat_t).Ino)
}

// TestWritesThroughLinksInOrder copies over links that lead to files which are also written by their own names.
// The file that cp writes last has to win, as a whole.
func TestWritesThroughLinksInOrder(t *testing.T) {
	entries := []string{"src/", "dst/"}
	for i := range 20 {
		a, b := fmt.Sprintf("a%d", i), fmt.Sprintf("b%d", i)
		entries = append(entries, "src/"+a+"/", "src/"+a+"/f: "+strings.Repeat("A", 1<<18), "src/"+b+"/", "src/"+b+"/f: "+strings.Repeat("B", 1<<18),
			"dst/"+a+"/", "dst/"+b+"/", "dst/"+b+"/f: old", "dst/"+a+"/f -> ../"+b+"/f")
	}
	dir := tree(t, entries...)
	o := policy.Options{Recursive: true, NoTargetDirectory: true}
	if said, ok, err := cp(t, t.Context(), dir, o, "src", "dst"); !ok || err != nil || said != "" {
		t.Fatalf("%q, %v, %v", said, ok, err)
	}
	for i := range 20 {
		got := readFile(t, dir, fmt.Sprintf("dst/b%d/f", i))
		if !strings.HasPrefix(got, "B") && !strings.HasPrefix(got, "A") || strings.Trim(got, got[:1]) != "" || len(got) != 1<<18 {
			t.Errorf("b%d/f is a mixture, or of another length: %d bytes", i, len(got))
		}
		first, second := inode(t, dir, fmt.Sprintf("src/a%d", i)), inode(t, dir, fmt.Sprintf("src/b%d", i))
		if want := "B"; first < second && got[:1] != want {
			t.Errorf("b%d/f has %s, want %s, which comes last", i, got[:1], want)
		}
	}
}

// TestReadsWhatOthersWrite copies a link whose target is the destination of another operand or entry. cp reads
// there what it has written before.
func TestReadsWhatOthersWrite(t *testing.T) {
	long := strings.Repeat("new", 1<<20)
	for _, c := range []struct {
		what     string
		entries  []string
		options  policy.Options
		operands []string
		copied   string
	}{
		{
			"a link as an operand",
			[]string{"x/", "x/a: " + long, "t/", "t/a: old", "link -> t/a"},
			policy.Options{Follow: policy.FollowAll},
			[]string{"x/a", "link", "t"},
			"t/link",
		},
		{
			"a link in an operand",
			[]string{"d/", "d/link -> ../t/a", "x/", "x/a: " + long, "t/", "t/a: old"},
			policy.Options{Follow: policy.FollowAll, Recursive: true},
			[]string{"x/a", "d", "t"},
			"t/d/link",
		},
		{
			"a link in a tree",
			[]string{"s/", "s/sub/", "s/sub/a: " + long, "t/", "t/sub/", "t/sub/a: old", "s/z/", "s/z/link -> ../../t/sub/a"},
			policy.Options{Follow: policy.FollowAll, Recursive: true, NoTargetDirectory: true},
			[]string{"s", "t"},
			"t/z/link",
		},
	} {
		dir := tree(t, c.entries...)
		if inOrder := len(c.operands) > 2 || inode(t, dir, "s/sub") < inode(t, dir, "s/z"); !inOrder {
			t.Logf("%s: the file system numbers entries in no order", c.what)
			continue
		}
		if said, ok, err := cp(t, t.Context(), dir, c.options, c.operands...); !ok || err != nil {
			t.Errorf("%s: %q, %v, %v", c.what, said, ok, err)
		}
		if got := readFile(t, dir, c.copied); got != long {
			t.Errorf("%s: %d bytes of %q were copied, want %d", c.what, len(got), got[:min(len(got), 3)], len(long))
		}
	}
}

// TestScansOneTreeTwice covers a source and a destination with directories in common.
func TestScansOneTreeTwice(t *testing.T) {
	for range 20 {
		dir := tree(t, "d/", "d/x/", "d/x/x/", "d/x/x/y/", "d/x/z/", "d/y/", "d/x/f: text")
		o := policy.Options{Recursive: true, NoTargetDirectory: true, Follow: policy.FollowAll}
		if _, _, err := cp(t, t.Context(), dir, o, "d/x", "d"); err != nil || readFile(t, dir, "d/f") != "text" {
			t.Fatal(err)
		}
	}
}

// TestLinksWhatALinkLeadsTo follows links where a copy exists as a link: other names must become names of the
// link's target.
func TestLinksWhatALinkLeadsTo(t *testing.T) {
	dir := tree(t, "src/", "src/l -> f", "src/f: data", "dst/", "dst/l -> f", "dst/f: old")
	o := policy.Options{Recursive: true, NoTargetDirectory: true, Follow: policy.FollowAll, Preserve: policy.Preserve{Links: true}}
	if said, ok, err := cp(t, t.Context(), dir, o, "src", "dst"); !ok || err != nil {
		t.Fatalf("%q, %v, %v", said, ok, err)
	}
	for _, name := range []string{"l", "f"} {
		if got := readFile(t, dir, "dst", name); got != "data" {
			t.Errorf("%s holds %q", name, got)
		}
	}
}

// TestHardLinksOfAParallelCopy checks that the names of a file in many directories become names of one file,
// both in a new destination and in an existing one.
func TestHardLinksOfAParallelCopy(t *testing.T) {
	entries := []string{"src/", "src/f: data"}
	for i := range 30 {
		entries = append(entries, fmt.Sprintf("src/d%d/", i), fmt.Sprintf("src/d%d/f = src/f", i), fmt.Sprintf("src/d%d/g: other", i))
	}
	dir := tree(t, entries...)
	o := policy.Options{Recursive: true, NoTargetDirectory: true, Preserve: policy.Preserve{Links: true, Mode: true, Timestamps: true}}
	for range 2 {
		if said, ok, err := cp(t, t.Context(), dir, o, "src", "dst"); !ok || err != nil || said != "" {
			t.Fatalf("%q, %v, %v", said, ok, err)
		}
		want := inode(t, dir, "dst/f")
		for i := range 30 {
			if got := inode(t, dir, fmt.Sprintf("dst/d%d/f", i)); got != want {
				t.Errorf("d%d/f is another file", i)
			}
		}
	}
}

// TestSaysEverythingInOrder checks that a parallel copy prints the same messages as one worker does.
func TestSaysEverythingInOrder(t *testing.T) {
	entries := []string{"src/", "many/", "one/"}
	for i := range 40 {
		d := fmt.Sprintf("src/d%d", i)
		entries = append(entries, d+"/", d+"/sub/", d+"/sub/a: 1", d+"/b: 2", d+"/loop -> loop", d+"/c -> b")
	}
	dir := tree(t, entries...)
	o := policy.Options{Recursive: true, Verbose: true, Follow: policy.FollowAll}
	many, ok, err := cp(t, t.Context(), dir, o, "src", "many")
	if ok || err != nil {
		t.Errorf("links that lead to themselves were copied: %v", err)
	}
	o.Threads = 1
	one, _, _ := cp(t, t.Context(), dir, o, "src", "one")
	if many != strings.ReplaceAll(one, "'one/", "'many/") {
		t.Errorf("with many workers:\n%s\nwith one:\n%s", many, one)
	}
}

// TestOperandsInOrder checks the same for operands that wait for each other and for operands that do not.
func TestOperandsInOrder(t *testing.T) {
	entries := []string{"many/", "one/"}
	var names []string
	for i := range 50 {
		name := fmt.Sprintf("f%d", i)
		entries = append(entries, name+": x")
		names = append(names, name)
		if i%10 == 0 {
			names = append(names, name, "missing"+name) // named twice, and missing
		}
	}
	dir := tree(t, entries...)
	o := policy.Options{Verbose: true, Follow: policy.FollowAll}
	many, _, _ := cp(t, t.Context(), dir, o, append(names[:len(names):len(names)], "many")...)
	o.Threads = 1
	one, _, _ := cp(t, t.Context(), dir, o, append(names[:len(names):len(names)], "one")...)
	if many != strings.ReplaceAll(one, "'one/", "'many/") || !strings.Contains(many, "specified more than once") {
		t.Errorf("with many workers:\n%s\nwith one:\n%s", many, one)
	}
}

// An interrupter ends a run when a message is printed.
type interrupter struct{ stop context.CancelCauseFunc }

func (i interrupter) Write(p []byte) (int, error) {
	i.stop(errInterrupt)
	return len(p), nil
}

var errInterrupt = errors.New("interrupt")

// TestInterruptLeavesNoPart checks that a new file which was begun is gone, and that an existing file has its
// new beginning.
func TestInterruptLeavesNoPart(t *testing.T) {
	dir := tree(t, "a: "+strings.Repeat("a", 8<<20))
	ctx, stop := context.WithCancelCause(t.Context())
	ok, err := Copy(ctx, Job{
		Options: policy.Options{Verbose: true, Threads: 2}, Operands: []string{dir + "/a", dir + "/new"}, Terminal: true,
		Host: localfs.Host{}, Stdin: strings.NewReader(""), Stdout: interrupter{stop}, Stderr: os.Stderr, Stats: new(report.Stats),
	})
	if ok || err != errInterrupt {
		t.Errorf("got %v, %v", ok, err)
	}
	if _, err := os.Lstat(dir + "/new"); !os.IsNotExist(err) {
		t.Errorf("a part is left: %v", err)
	}
}

// TestOutputThatFails checks that a message which cannot be printed is an error in the end.
func TestOutputThatFails(t *testing.T) {
	dir := tree(t, "a: x")
	var said bytes.Buffer
	ok, err := Copy(t.Context(), Job{
		Options: policy.Options{Verbose: true}, Operands: []string{dir + "/a", dir + "/b"}, Name: "cp",
		Host: localfs.Host{}, Stdin: strings.NewReader(""), Stdout: full{}, Stderr: &said, Stats: new(report.Stats),
	})
	if ok || err != nil || said.String() != "cp: write error: No space left on device\n" {
		t.Errorf("got %v, %v, %q", ok, err, said.String())
	}
	if readFile(t, dir, "b") != "x" {
		t.Error("the copy was not made")
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// TestEmptyDirectories copies empty directories, some of which one call cannot copy.
func TestEmptyDirectories(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o027))
	entries := []string{"a/", "a/plain/", "a/wide/", "a/locked/", "a/sticky/", "a/full/", "a/full/f: x", "a/plain2/", "a/sub/"}
	modes := map[string]os.FileMode{
		"plain": 0o750, "wide": 0o777, "locked": 0o500, "sticky": 0o777 | os.ModeSticky, "full": 0o751, "plain2": 0o700, "sub": 0o755,
	}
	old := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, threads := range []int{1, 8} {
		for _, preserve := range []bool{false, true} {
			dir := tree(t, entries...)
			for name, mode := range modes {
				path := filepath.Join(dir, "a", name)
				if err := errors.Join(os.Chmod(path, mode), os.Chtimes(path, old, old)); err != nil {
					t.Fatal(err)
				}
			}
			o := policy.Options{Recursive: true, Threads: threads}
			o.Preserve.Mode, o.Preserve.Timestamps = preserve, preserve
			if said, ok, err := cp(t, t.Context(), dir, o, "a", "b"); !ok || err != nil {
				t.Fatalf("%s, %v", said, err)
			}
			for name, mode := range modes {
				if !preserve {
					mode &^= 0o027
				}
				fi, err := os.Stat(filepath.Join(dir, "b", name))
				if err != nil {
					t.Fatal(err)
				}
				if fi.Mode() != os.ModeDir|mode || fi.ModTime().Equal(old) != preserve {
					t.Errorf("threads %d, preserve %v: %s is %v of %v", threads, preserve, name, fi.Mode(), fi.ModTime())
				}
			}
			if err := os.Mkdir(filepath.Join(dir, "c"), 0o700); err != nil {
				t.Fatal(err)
			}
			said, ok, _ := cp(t, t.Context(), dir, o, "a/sub", "a", "c")
			if want := "cp: will not create hard link 'c/a/sub' to directory 'c/sub'\n"; ok || said != want {
				t.Errorf("cp says %q, want %q", said, want)
			}
		}
	}
}

// TestDistinctNames finds names that a file system may take for one.
func TestDistinctNames(t *testing.T) {
	for _, tt := range []struct {
		names []string
		want  bool
	}{
		{nil, true},
		{[]string{"a", "b", "ab"}, true},
		{[]string{"a", "b", "A"}, false},
		{[]string{"\u00e4", "a\u0308"}, false},
		{[]string{"a", "a."}, false},
	} {
		entries, err := listing.Read(func(yield func([]vfs.Entry) error) error {
			var list []vfs.Entry
			for _, name := range tt.names {
				list = append(list, vfs.Entry{Name: name})
			}
			return yield(list)
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := areDistinct(entries); got != tt.want {
			t.Errorf("areDistinct(%q) = %v, want %v", tt.names, got, tt.want)
		}
	}
}

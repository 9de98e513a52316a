package main

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

// A filler makes a random tree, with modes and times of every kind. It is the same for the same parameters.
type filler struct {
	params map[string]int
	chance *rand.Rand
	dirs   []string // parents before children
}

// cmdFill makes a tree by chance, below a directory that is made if need be:
//
//	fill DIR [dirs=N] [depth=N] [files=N] [links=N] [size=N] [odd=1] [seed=N]
//
// files and links are those of the whole tree, size is that of the largest files
// in bytes; odd=1 adds entries with odd names.
func cmdFill(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: fill DIR [KEY=NUMBER...]")
	}
	f := &filler{params: map[string]int{"dirs": 0, "depth": 3, "files": 0, "links": 0, "size": 10000, "odd": 0, "seed": 1}}
	for _, arg := range args[1:] {
		key, value, _ := strings.Cut(arg, "=")
		n, err := strconv.Atoi(value)
		ts.Check(err)
		if _, known := f.params[key]; !known {
			ts.Fatalf("fill: unknown key %s", key)
		}
		f.params[key] = n
	}
	f.chance = rand.New(rand.NewPCG(uint64(f.params["seed"]), 0))
	ts.Check(f.fill(ts.MkAbs(args[0])))
}

func (f *filler) fill(root string) error {
	f.dirs = []string{root}
	if err := os.MkdirAll(root, 0o755); err != nil {
		return err
	}
	for i := range f.params["dirs"] {
		if err := f.dir(root, fmt.Sprintf("dir%d", i)); err != nil {
			return err
		}
	}
	for i := range f.params["files"] {
		if err := f.file(filepath.Join(f.anyDir(), fmt.Sprintf("file%d", i))); err != nil {
			return err
		}
	}
	for i := range f.params["links"] {
		if err := f.link(filepath.Join(f.anyDir(), fmt.Sprintf("link%d", i))); err != nil {
			return err
		}
	}
	if f.params["odd"] > 0 {
		for _, name := range oddNames() {
			if err := f.odd(root, name); err != nil {
				return err
			}
		}
	}
	return f.finish()
}

func (f *filler) anyDir() string { return f.dirs[f.chance.IntN(len(f.dirs))] }

func (f *filler) dir(root, name string) error {
	parent := f.anyDir()
	if strings.Count(strings.TrimPrefix(parent, root), "/") >= f.params["depth"] {
		parent = root
	}
	path := filepath.Join(parent, name)
	f.dirs = append(f.dirs, path)
	return os.Mkdir(path, 0o755)
}

func (f *filler) file(path string) error {
	// The square root of a uniform distribution yields many small files and few large ones.
	size := int(f.chance.Float64() * f.chance.Float64() * float64(f.params["size"]+1))
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(f.chance.Uint32())
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return err
	}
	modes := []fs.FileMode{0o644, 0o644, 0o600, 0o755, 0o444, 0o400, 0o666, 0o777, 0o500, 0o640}
	return f.setAttrs(path, modes)
}

func (f *filler) link(path string) error {
	targets := []string{".", "..", "file1", "../file2", "nowhere", "/nonexistent/absolute", "dir0", path}
	if err := os.Symlink(targets[f.chance.IntN(len(targets))], path); err != nil {
		return err
	}
	return f.setAttrs(path, nil)
}

// odd makes an entry of any kind.
func (f *filler) odd(root, name string) error {
	path := filepath.Join(root, name)
	switch f.chance.IntN(3) {
	case 0:
		f.dirs = append(f.dirs, path)
		return os.Mkdir(path, 0o755)
	case 1:
		return f.link(path)
	}
	return f.file(path)
}

// finish sets the attributes of the directories, children first.
func (f *filler) finish() error {
	modes := []fs.FileMode{0o755, 0o755, 0o700, 0o750, 0o555, 0o500, 0o777}
	for i := len(f.dirs) - 1; i >= 0; i-- {
		if i == 0 {
			modes = []fs.FileMode{0o755} // the rest of the script uses it
		}
		if err := f.setAttrs(f.dirs[i], modes); err != nil {
			return err
		}
	}
	return nil
}

// setAttrs gives an entry one of modes, if there are any, and a time between 1965 and 2045.
func (f *filler) setAttrs(path string, modes []fs.FileMode) error {
	if len(modes) > 0 {
		if err := os.Chmod(path, modes[f.chance.IntN(len(modes))]); err != nil {
			return err
		}
	}
	from, to := time.Date(1965, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2045, 1, 1, 0, 0, 0, 0, time.UTC)
	at := from.Add(time.Duration(f.chance.Int64N(int64(to.Sub(from)))))
	ts, err := unix.TimeToTimespec(at)
	if err != nil {
		return err
	}
	return os.NewSyscallError("utimensat", unix.UtimesNanoAt(unix.AT_FDCWD, path, []unix.Timespec{ts, ts}, unix.AT_SYMLINK_NOFOLLOW))
}

// oddNames are names that programs get wrong.
func oddNames() []string {
	names := []string{
		" leading", "trailing ", "two\nlines", "tab\there", "\n", " ", "-rf", "--", "-threads", "-", "...", "..dots", ".hidden",
		"*", "?", "[a-z]", `back\slash`, `\`, `"quoted"`, "'", "$HOME", "~", "a:b", "#", "%s%n", "\x1b[31mred", "\x7f",
		"häßlich", "日本語", "\u202eright to left", "\ufeff", strings.Repeat("n", 255), ".psync-", ".psync-00000000-1-00000000-1-00000000",
	}
	if runtime.GOOS == "linux" { // others want UTF-8
		names = append(names, "\xff\xfe", "latin\xe9", "\xed\xa0\x80", strings.Repeat("\xff", 255))
	}
	return names
}

// cmdGive gives trees to the user of asuser, where that is another one:
//
//	give PATH...
func cmdGive(ts *testscript.TestScript, neg bool, args []string) {
	if neg || os.Geteuid() != 0 {
		return
	}
	for _, arg := range args {
		ts.Check(filepath.WalkDir(ts.MkAbs(arg), func(path string, _ fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return syscall.Lchown(path, nobodyUID, nobodyUID)
		}))
	}
}

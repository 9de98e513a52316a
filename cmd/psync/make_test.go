package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"psync/internal/localfs"
	"psync/internal/vfs/fstest"
)

// testingKey is that of the testing.TB among the values of a script.
type testingKey struct{}

// cmdPlant makes the tree that a file describes, as fstest.Fill reads it, below a
// directory that is made if need be:
//
//	plant DIR FILE
func cmdPlant(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: plant DIR FILE")
	}
	path := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(path, 0o755))
	ts.Check(awaitTick())
	dir, err := localfs.Open(path)
	ts.Check(err)
	defer dir.Close()
	fstest.Fill(ts.Value(testingKey{}).(testing.TB), dir, ts.ReadFile(args[1]))
}

// awaitTick returns when new entries of a file system get a later time than at the call. The clock ticks
// every few milliseconds, and if two trees were made in one tick, the second may look like a copy of the
// first.
func awaitTick() error {
	var first time.Time
	for {
		probe, err := os.CreateTemp("", "tick")
		if err != nil {
			return err
		}
		info, err := probe.Stat()
		if err := errors.Join(err, probe.Close(), os.Remove(probe.Name())); err != nil {
			return err
		}
		if now := info.ModTime(); first.IsZero() {
			first = now
		} else if now.After(first) {
			return nil
		}
	}
}

// cmdDeep makes a chain of directories, each called NAME and with the same FILEs in it, and a
// file called bottom in the last. The path to it may be longer than any system call takes:
//
//	deep DIR LEVELS NAME [FILE...]
func cmdDeep(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: deep DIR LEVELS NAME [FILE...]")
	}
	levels, err := strconv.Atoi(args[1])
	ts.Check(err)
	path, name := ts.MkAbs(args[0]), args[2]
	ts.Check(os.MkdirAll(path, 0o755))
	dir, err := os.OpenRoot(path)
	ts.Check(err)
	for range levels {
		ts.Check(dir.Mkdir(name, 0o755))
		sub, err := dir.OpenRoot(name)
		ts.Check(err)
		dir.Close()
		dir = sub
		for _, file := range args[3:] {
			ts.Check(dir.WriteFile(file, []byte(file), 0o644))
		}
	}
	ts.Check(dir.WriteFile("bottom", []byte("reached\n"), 0o644))
	dir.Close()
}

// cmdMultiply makes COUNT further hard links to a file, called FILE.1 and so on, as many files to copy that
// take neither time to make nor space:
//
//	multiply FILE COUNT
func cmdMultiply(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: multiply FILE COUNT")
	}
	count, err := strconv.Atoi(args[1])
	ts.Check(err)
	path := ts.MkAbs(args[0])
	for i := range count {
		ts.Check(os.Link(path, fmt.Sprintf("%s.%d", path, i+1)))
	}
}

// cmdSocket makes a socket that no process listens on:
//
//	socket PATH
func cmdSocket(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: socket PATH")
	}
	// The path of a socket must be short when it is made.
	dir, err := os.MkdirTemp("", "s")
	ts.Check(err)
	defer os.Remove(dir)
	short := filepath.Join(dir, "s")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: short, Net: "unix"})
	ts.Check(err)
	l.SetUnlinkOnClose(false)
	l.Close()
	ts.Check(os.Rename(short, ts.MkAbs(args[0])))
}

// cmdSparse makes a file of SIZE bytes that is a hole except for a few bytes at each OFFSET:
//
//	sparse FILE SIZE [OFFSET...]
func cmdSparse(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: sparse FILE SIZE [OFFSET...]")
	}
	f, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	defer f.Close()
	ts.Check(f.Truncate(parseSize(ts, args[1])))
	for _, arg := range args[2:] {
		_, err := f.WriteAt([]byte("data at "+arg), parseSize(ts, arg))
		ts.Check(err)
	}
}

// cmdAllocated fails unless a file takes at most SIZE bytes on the disk:
//
//	[!] allocated SIZE FILE
func cmdAllocated(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: allocated SIZE FILE")
	}
	info, err := os.Lstat(ts.MkAbs(args[1]))
	ts.Check(err)
	got := info.Sys().(*syscall.Stat_t).Blocks * 512
	if most := parseSize(ts, args[0]); got <= most == neg {
		ts.Fatalf("%s takes %d bytes, limit %d", args[1], got, most)
	}
}

// parseSize reads a number of bytes, with a binary unit or without: 12, 64K, 1M, 64G.
func parseSize(ts *testscript.TestScript, s string) int64 {
	shift := 0
	for i, unit := range []string{"K", "M", "G", "T"} {
		if number, ok := strings.CutSuffix(s, unit); ok {
			s, shift = number, 10*(i+1)
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	ts.Check(err)
	return n << shift
}

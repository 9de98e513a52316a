package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"psync/internal/cli"
	"psync/internal/landlock"
	"psync/internal/wire"
)

// TestKernelConfinesRuns runs psync in a process of its own, which then tries to change what it should not, from
// several threads.
func TestKernelConfinesRuns(t *testing.T) {
	if l, err := landlock.New(); err != nil {
		t.Skip(err)
	} else {
		l.Close()
	}
	if _, _, errno := syscall.AllThreadsSyscall(syscall.SYS_GETPPID, 0, 0, 0); errno != 0 {
		t.Skip("the runtime cannot restrict all threads: this test was built with cgo")
	}
	frame, err := wire.Append(nil, wire.Frame{ID: 1, Message: &wire.Hello{Major: wire.Major}})
	if err != nil {
		t.Fatal(err)
	}
	hello := base64.RawURLEncoding.EncodeToString(frame)
	const (
		inDst     = "make dst/new, write dst/f, mkdir dst/d, rename dst/g dst/sub/g, link dst/f dst/sub/f, remove dst/h, "
		elsewhere = "make new, write other/f, mkdir made, remove other/f, link other/f other/sub/f, rename other/f other/sub/g, " +
			"rename dst/f other/g, link dst/f other/g, symlink other/s, fifo other/p, "
		inSrc     = "make src/new, write src/f, mkdir src/d, link src/f src/sub/f, rename src/f src/g, "
		inEmptied = "make src/new, mkdir src/d, rename src/sub dst/sub/sub, "
	)
	for _, tt := range []struct {
		name, line         string
		allowed, forbidden string
	}{
		{"copy", "copy --landlock src dst", inDst + "read other/f", elsewhere + inSrc + "remove src/f"},
		{"bare", "--landlock src dst", inDst, elsewhere + inSrc + "remove src/f"},
		{"sync", "sync --landlock --delete src/sub dst/sub", "make dst/sub/new", elsewhere + inSrc + "write dst/f, remove src/f"},
		{"new", "copy --landlock src dst/made", "make dst/made/new, rename dst/made/f dst/made/g", elsewhere + "write dst/f"},
		{"link on the way", "copy --landlock src link", inDst, elsewhere + inSrc + "remove src/f"},
		{"dry run", "copy --landlock -n src dst", "read other/f", elsewhere + inDst + inSrc + "remove src/f"},
		{"one file", "copy --landlock src/f dst", inDst, elsewhere + inSrc + "remove src/f"},
		{"sources are removed", "copy --landlock --remove-source-files src dst", inDst + "remove src/sub", elsewhere + inEmptied},
		{"many sources are removed", "copy --landlock --remove-source-files s1 s2 s3 s4 s5 s6 s7 s8 src dst", inDst + "remove s2, remove src/sub", "make new, write other/f, rename other/f other/sub/g, " + inEmptied},
		{"backups", "copy --landlock --backup-dir=../other src dst", inDst + "make other/new, rename dst/sub/g other/g", inSrc + "make new, mkdir made"},
		{"backups in a new directory", "sync --landlock -I --backup-dir=../other/x/y src dst", inDst + "make other/x/y/new", inSrc + "make new, mkdir made"},
		{"temporaries", "copy --landlock --temp-dir=../other src dst", inDst + "make other/new", inSrc + "make new"},
		{"links from another tree", "copy --landlock --link-dest=../other src dst", inDst + "link other/f dst/l", inSrc + "make new, remove other/f, make other/new, mkdir other/d"},
		{"copies from another tree", "copy --landlock --copy-dest=../other src dst", inDst, elsewhere + inSrc + "link other/f dst/l"},
		{"deletion", "delete --landlock -f dst/h", "remove dst/f", "make dst/new, write dst/f, rename dst/f dst/sub/f, make new, remove other/f, " + inSrc},
		{"dry run of a deletion", "delete --landlock -n -f dst/h", "read dst/h", "make dst/new, remove dst/h"},
		{"others may write", "copy src open", "make open/new", elsewhere + inSrc},
		{"others may write on the way", "copy src open/dst", "make open/dst/new", elsewhere + inSrc + "make open/new"},
		{"others may write to what goes", "delete -f open", "remove other/f", "make new, write other/f, " + inSrc},
		{"others may not write", "copy src dst", inDst + inSrc + "make new", ""},
		{"others may not write to what goes", "delete -f s1", inDst + inSrc + "make new", ""},
		{"another directory for temporaries", "copy --temp-dir=../other src dst", inDst + "make other/new", inSrc + "make new"},
		{"links of the destination", "copy --landlock -K src dst", inDst + inSrc + "make new", ""},
		{"server", "serve --stdio --root dst --first " + hello, inDst, elsewhere + inSrc},
		{"server that only reads", "serve --stdio --read-only --first " + hello, "read dst/f, remove tmp/f", elsewhere + inDst + inSrc},
		{"server without a directory for temporaries", "TMPDIR=none serve --stdio --root dst --first " + hello, inDst, elsewhere + inSrc},
		{"server without limits", "serve --stdio --first " + hello, inDst + "make new, remove other/f", ""},
		{"switched off", "copy --no-landlock src dst", inDst + inSrc + "make new, remove other/f", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			plantConfined(t, dir)
			var out bytes.Buffer
			tmp, line := "tmp", tt.line
			if args, without := strings.CutPrefix(line, "TMPDIR=none "); without {
				tmp, line = "none", args
			}
			c := exec.CommandContext(t.Context(), "confined", append([]string{tt.allowed, tt.forbidden}, strings.Fields(line)...)...)
			c.Dir, c.Stderr = dir, &out
			c.Env = append(os.Environ(), "TMPDIR="+filepath.Join(dir, tmp))
			if err := c.Run(); err != nil {
				t.Errorf("%v\n%s", err, &out)
			}
		})
	}
}

func plantConfined(t *testing.T, dir string) {
	t.Helper()
	for _, name := range []string{"src/f", "src/sub/", "dst/f", "dst/g", "dst/h", "dst/sub/", "other/f", "other/sub/", "s1/x", "s2/", "s3/", "s4/", "s5/", "s6/", "s7/", "s8/", "open/dst/", "tmp/f"} {
		path := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if strings.HasSuffix(name, "/") {
			err = os.MkdirAll(path, 0o755)
		}
		if err == nil && !strings.HasSuffix(name, "/") {
			err = os.WriteFile(path, []byte(name), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("dst", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "open"), 0o777); err != nil {
		t.Fatal(err)
	}
}

// confined runs psync, and then tries what should be allowed and forbidden by now:
//
//	confined ALLOWED FORBIDDEN [ARG...]
func confined() {
	tries, stop := threads()
	defer stop()
	code := cli.Main(context.Background(), os.Args[3:], cli.Process{Stdin: os.Stdin, Stdout: io.Discard, Stderr: os.Stderr, Confine: true})
	if code != cli.ExitOK {
		die(fmt.Errorf("psync exits with %d", code))
	}
	wrong := 0
	for _, forbidden := range []bool{true, false} {
		list := os.Args[1]
		if forbidden {
			list = os.Args[2]
		}
		for i, try := range strings.Split(list, ", ") {
			if try == "" {
				continue
			}
			err := tries[i%len(tries)](try)
			denied := errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EXDEV)
			if denied != forbidden || !denied && err != nil {
				fmt.Fprintf(os.Stderr, "%s: %v, which is to be forbidden: %v\n", try, err, forbidden)
				wrong++
			}
		}
	}
	if wrong > 0 {
		os.Exit(1) // the deferred call only ends threads
	}
}

// threads returns functions that change an entry as a line says, each from a thread that exists by now.
func threads() (tries []func(line string) error, stop func()) {
	var ends sync.WaitGroup
	var lines []chan string
	for range 4 {
		line, result, ready := make(chan string), make(chan error), make(chan bool)
		ends.Go(func() {
			runtime.LockOSThread()
			close(ready)
			for l := range line {
				result <- change(l)
			}
		})
		<-ready
		lines = append(lines, line)
		tries = append(tries, func(l string) error { line <- l; return <-result })
	}
	return tries, func() {
		for _, line := range lines {
			close(line)
		}
		ends.Wait()
	}
}

func change(line string) error {
	words := strings.Fields(line)
	path, to := words[1], words[len(words)-1]
	switch words[0] {
	case "make":
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		return errors.Join(err, closeFile(f))
	case "write":
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
		return errors.Join(err, closeFile(f))
	case "read":
		_, err := os.ReadFile(path)
		return err
	case "mkdir":
		return os.Mkdir(path, 0o777)
	case "remove":
		return os.Remove(path)
	case "rename":
		return os.Rename(path, to)
	case "link":
		return os.Link(path, to)
	case "symlink":
		return os.Symlink("target", path)
	case "fifo":
		return syscall.Mkfifo(path, 0o666)
	}
	return fmt.Errorf("%s?", words[0])
}

func closeFile(f *os.File) error {
	if f == nil {
		return nil
	}
	return f.Close()
}

package engine

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"psync/internal/engine/changed"
	"psync/internal/engine/source"
	"psync/internal/localfs"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// TestFilesWrittenWhileTheyAreCopied has a program rewrite each file, keeping its size, at about the time when it is
// copied. A copy with the size and the modification time of its source must have the contents of its source: the next
// sync would take it for current.
func TestFilesWrittenWhileTheyAreCopied(t *testing.T) {
	const files, size = 400, 60_000
	dir := t.TempDir()
	path := func(root, name string) string { return filepath.Join(dir, root, "d", name) }
	if err := os.MkdirAll(path("src", ""), 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range files {
		if err := os.WriteFile(path("src", fmt.Sprint(i)), make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	names := namesIn(t, path("src", ""))
	// The files must have been at rest for a moment, or else none is copied the short way.
	<-time.After(changed.AtRest(64<<10, true))
	var running sync.WaitGroup
	done := make(chan struct{})
	running.Go(func() {
		data := bytes.Repeat([]byte{'x'}, size)
		for next, written := 0, -1; next < files && !isClosed(done); {
			if stat(t, path("dst", names[next])) != nil {
				next++ // the copy has read this one
				continue
			}
			if written == next {
				runtime.Gosched()
				continue
			}
			if err := rewrite(path("src", names[next]), data); err != nil {
				t.Error(err)
			}
			written = next
		}
	})
	copyLocally(t, filepath.Join(dir, "src"), filepath.Join(dir, "dst"))
	close(done)
	running.Wait()
	current := 0
	for _, name := range names {
		from, to := stat(t, path("src", name)), stat(t, path("dst", name))
		if to == nil || from.Size() != to.Size() || !from.ModTime().Equal(to.ModTime()) {
			continue
		}
		current++
		want, err := os.ReadFile(path("src", name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path("dst", name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s looks current and has other contents: %v", name, err)
		}
	}
	t.Logf("%d of %d files are current", current, files)
}

// namesIn returns the names in a directory in the order of the system.
func namesIn(t *testing.T, path string) []string {
	t.Helper()
	d, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// rewrite writes over a file in one call.
func rewrite(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(data, 0)
	return errors.Join(err, f.Close())
}

// copyLocally copies a directory of this host to a new one. Files may fail.
func copyLocally(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Mkdir(to, 0o700); err != nil {
		t.Fatal(err)
	}
	var dirs [2]vfs.Dir
	for i, path := range []string{from, to} {
		d, err := localfs.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		dirs[i] = d
	}
	b := newTestbed(t, "", "")
	b.job.Sources, b.job.Dest, b.job.DestIsNew = []source.Tree{{Dir: dirs[0], Label: from}}, dirs[1], true
	b.job.Keep, b.job.Threads = metadata.Keep{Mtime: true}, 1
	if err := b.run(t.Context()); err != nil && b.record.lines(report.Fail) == nil {
		t.Fatal(err)
	}
}

// stat returns what is at a path, or nil if there is nothing.
func stat(t *testing.T, path string) os.FileInfo {
	t.Helper()
	fi, err := os.Lstat(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return fi
}

package enginetest

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"psync/internal/engine"
	"psync/internal/localfs"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
)

// TestChangesByOthers changes trees of another host while a run works with them, after it has listed them: no file
// that another process has written may be lost because of that. open opens a directory through that host, and dir
// returns a new one.
func TestChangesByOthers(t *testing.T, open func(t *testing.T, path string) vfs.Dir, dir func(testing.TB) string) {
	t.Run("of the source, before its files are removed", func(t *testing.T) {
		from, to := files(t, dir(t), "old", 2), files(t, t.TempDir(), "old", 2)
		job := NewJob(open(t, from), when(t, to, "lstat", func() { write(t, from, "rewritten") }), engine.Options{Threads: 2}, new(Events))
		job.RemoveSource = true
		run(t, job)
		for _, name := range names {
			if read(from, name) != "rewritten" && read(to, name) != "rewritten" {
				t.Errorf("%s is lost", name)
			}
		}
	})
	t.Run("of the destination, before files of the source that it has are removed", func(t *testing.T) {
		from, to := files(t, t.TempDir(), "same", 2), files(t, dir(t), "same", 2)
		at := time.Now().Add(-time.Hour).Truncate(time.Second)
		for _, name := range names {
			for _, in := range []string{from, to} {
				must(t, os.Chtimes(filepath.Join(in, name), at, at))
			}
		}
		removed := func() {
			for _, name := range names {
				must(t, os.Remove(filepath.Join(to, name)))
			}
		}
		job := NewJob(when(t, from, "lstat", removed), open(t, to), engine.Options{Threads: 1}, new(Events))
		job.RemoveSource, job.Delete.On = true, false
		run(t, job)
		lost := 0
		for _, name := range names {
			if read(from, name) != "same" && read(to, name) != "same" {
				lost++
			}
		}
		if lost > 1 { // the one that had been looked up
			t.Errorf("%d of %d files are lost", lost, len(names))
		}
	})
	t.Run("of the source, before what it lacks is removed", func(t *testing.T) {
		from, to := dir(t), files(t, t.TempDir(), "precious", 2)
		for _, in := range []string{from, to} {
			must(t, os.WriteFile(filepath.Join(in, "f"), nil, 0o644))
		}
		job := NewJob(open(t, from), when(t, to, "lstat", func() { files(t, from, "precious", 2) }), engine.Options{Threads: 2}, new(Events))
		run(t, job)
		for _, name := range names {
			if read(to, name) != "precious" {
				t.Errorf("%s is removed", name)
			}
		}
	})
	testOlderFilesReplaced(t, open, dir)
}

func testOlderFilesReplaced(t *testing.T, open func(t *testing.T, path string) vfs.Dir, dir func(testing.TB) string) {
	for name, set := range map[string]func(*engine.Job){
		"replaced":                       func(*engine.Job) {},
		"written in place":               func(j *engine.Job) { j.Policy.InPlace = true },
		"replaced at the end of the run": func(j *engine.Job) { j.Policy.DelayUpdates = true },
		"replaced, with backups":         func(j *engine.Job) { j.Backup.On, j.Backup.Suffix, j.Policy.BacksUp = true, "~", true },
	} {
		t.Run("of the destination, before older files are "+name, func(t *testing.T) {
			from, to := files(t, t.TempDir(), "new", 1), files(t, dir(t), "old", 2)
			job := NewJob(when(t, from, "open", func() { write(t, to, "edited") }), open(t, to), engine.Options{Threads: 2}, new(Events))
			job.Policy.Update, job.Delete.On = true, false
			set(&job)
			run(t, job)
			for _, name := range names {
				if got := read(to, name); got != "edited" {
					t.Errorf("%s has %q", name, got)
				}
			}
		})
	}
}

// names are the files that other processes write.
var names = func() (all []string) {
	for i := range 20 {
		all = append(all, fmt.Sprint("f", i))
	}
	return all
}()

// files makes the files, with times that many hours ago, and returns their directory.
func files(t *testing.T, dir, data string, hours int) string {
	t.Helper()
	write(t, dir, data)
	at := time.Now().Add(-time.Duration(hours) * time.Hour).Truncate(time.Second)
	for _, name := range names {
		must(t, os.Chtimes(filepath.Join(dir, name), at, at))
	}
	return dir
}

func write(t *testing.T, dir, data string) {
	t.Helper()
	for _, name := range names {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666))
	}
}

// read returns the contents of a file, or "" if it does not exist.
func read(dir, name string) string {
	data, _ := os.ReadFile(filepath.Join(dir, name))
	return string(data)
}

// when opens a directory of this host, and calls do before the first operation of a kind on a file.
func when(t *testing.T, dir, kind string, do func()) vfs.Dir {
	t.Helper()
	d, err := localfs.Open(dir)
	must(t, err)
	t.Cleanup(func() { _ = d.Close() })
	var once sync.Once
	return faultfs.New(d, func(op, name string) error {
		if op == kind && strings.HasPrefix(path.Base(name), "f") {
			once.Do(do)
		}
		return nil
	})
}

// run runs a job in which files that were changed by other processes may fail.
func run(t *testing.T, job engine.Job) {
	t.Helper()
	must(t, engine.Run(t.Context(), job))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

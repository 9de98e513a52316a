package sftpfs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/localfs"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/sftpfs/pipeline"
)

// A delayedChannel delays what is written to another one by a second, and so each round trip.
type delayedChannel struct {
	io.ReadWriteCloser
	sent chan delayed
	end  func() // closes sent
	done chan struct{}
}

type delayed struct {
	at    time.Time
	bytes []byte
}

func delay(rwc io.ReadWriteCloser) *delayedChannel {
	sent := make(chan delayed, 1<<16)
	d := &delayedChannel{rwc, sent, sync.OnceFunc(func() { close(sent) }), make(chan struct{})}
	go func() {
		defer close(d.done)
		for s := range d.sent {
			time.Sleep(time.Until(s.at))
			if _, err := rwc.Write(s.bytes); err != nil {
				return
			}
		}
	}()
	return d
}

func (d *delayedChannel) Write(p []byte) (int, error) {
	d.sent <- delayed{time.Now().Add(time.Second), append([]byte(nil), p...)}
	return len(p), nil
}

func (d *delayedChannel) Close() error {
	d.end()
	err := d.ReadWriteCloser.Close()
	<-d.done
	return err
}

// TestRoundTrips counts how many round trips operations take one after the other, and their requests.
func TestRoundTrips(t *testing.T) {
	path := t.TempDir()
	must(t, os.WriteFile(filepath.Join(path, "there"), []byte("contents"), 0o600))
	must(t, os.WriteFile(filepath.Join(path, "larger"), make([]byte, 3*pipeline.MaxData), 0o600))
	for _, tt := range []struct {
		name            string
		trips, requests int
		do              func(d vfs.Dir) error
		ordered         bool // requests are carried out in their order
	}{
		{"a small file", 2, 4, func(d vfs.Dir) error {
			return makeFile(d, "small", "contents")
		}, false},
		{"a file of several packets", 3, 6, func(d vfs.Dir) error {
			return makeFile(d, "large", string(make([]byte, 3*pipeline.MaxData)))
		}, false},
		{"a small file with its time", 2, 5, func(d vfs.Dir) error {
			f, err := d.OpenFile("timed", vfs.Create, 0o640)
			if err != nil {
				return err
			}
			_, err = f.WriteAt([]byte("contents"), 0)
			return errors.Join(err, vfs.Chtimes(f, time.Time{}, time.Unix(1e9, 0)), f.Close())
		}, true},
		{"a directory", 1, 2, func(d vfs.Dir) error { return vfs.Mkdir(d, "dir", 0o755) }, false},
		{"a directory with another mode than the server gives it", 2, 3, func(d vfs.Dir) error { return vfs.Mkdir(d, "closed", 0o700) }, false},
		{"a directory that is there", 1, 2, func(d vfs.Dir) error {
			if err := vfs.Mkdir(d, "dir", 0o755); !errors.Is(err, fs.ErrExist) {
				return fmt.Errorf("%w, want that it exists", err)
			}
			return nil
		}, false},
		{"reading a small file", 2, 5, readFile("there"), true},
		{"reading a small file where reads go beside other requests", 4, 5, readFile("there"), false},
		{"reading a file of several packets", 3, 7, readFile("larger"), true},
		{"a file with a set-id bit, which a later write would take away", 4, 5, func(d vfs.Dir) error {
			f, err := d.OpenFile("setid", vfs.Create, 0o640)
			if err != nil {
				return err
			}
			_, err = f.WriteAt([]byte("contents"), 0)
			return errors.Join(err, vfs.Chmod(f, 0o755|fs.ModeSetuid), f.Close())
		}, false},
		{"a file that is cut off where a write goes beyond", 4, 5, func(d vfs.Dir) error {
			f, err := d.OpenFile("cut", vfs.Create, 0o640)
			if err != nil {
				return err
			}
			_, err = f.WriteAt([]byte("contents"), 0)
			return errors.Join(err, f.Truncate(4), f.Close())
		}, false},
		{"a file whose size is asked for", 4, 5, func(d vfs.Dir) error {
			f, err := d.OpenFile("asked", vfs.Create, 0o640)
			if err != nil {
				return err
			}
			_, err = f.WriteAt([]byte("contents"), 0)
			_, statErr := vfs.Stat(f)
			return errors.Join(err, statErr, f.Close())
		}, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			counted := newRequestCounter(delay(inProcess(t)))
			h, err := NewHost(counted, Options{Number: 1})
			must(t, err)
			defer func() { _ = h.Close() }()
			d, err := h.Open(path, vfs.OpenOptions{})
			must(t, err)
			must(t, d.ReadDir(func([]vfs.Entry) error { return nil }))
			h.ext.ordered = tt.ordered
			counted.take()
			start := time.Now()
			must(t, tt.do(d))
			trips := int(time.Since(start) / time.Second)
			if requests, n := counted.take(); trips != tt.trips || n > tt.requests {
				t.Errorf("%s: %d round trips with %d requests, want %d with %d: %v", tt.name, trips, n, tt.trips, tt.requests, requests)
			}
		})
	}
}

// readFile returns a function that reads a file as the engine does.
func readFile(name string) func(d vfs.Dir) error {
	return func(d vfs.Dir) error {
		f, err := d.OpenFile(name, vfs.ReadOnly, 0)
		if err != nil {
			return err
		}
		attr, err := vfs.Stat(f)
		p := make([]byte, 4*pipeline.MaxData)
		n, readErr := f.ReadAt(p, 0)
		if int64(n) != attr.Size || readErr != io.EOF {
			err = fmt.Errorf("read %d bytes of %d, %w", n, attr.Size, readErr)
		}
		_, changeErr := f.Statx(vfs.StatxChange)
		return errors.Join(err, changeErr, f.Close())
	}
}

func makeFile(d vfs.Dir, name, contents string) error {
	f, err := d.OpenFile(name, vfs.Create, 0o640)
	if err != nil {
		return err
	}
	_, err = f.WriteAt([]byte(contents), 0)
	return vfs.JoinErrors(err, f.Close())
}

// TestNewFileOfALostSession makes a file when the channel ends before an answer.
func TestNewFileOfALostSession(t *testing.T) {
	for _, request := range []byte{3, 6, 4} {
		s := newHostile()
		s.answers[3] = func(id uint32, _ []byte) []byte { return cat([]byte{102}, u32(id), str("file")) }
		s.answers[10] = s.answers[4]
		s.answers[6] = s.answers[4]
		s.answers[request] = func(uint32, []byte) []byte { return nil }
		d, err := newHostileHost(t, s).Open("/home", vfs.OpenOptions{})
		must(t, err)
		if err := makeFile(d, "f", "contents"); !isLost(err) {
			t.Errorf("request %d: got %v, want that the session is lost", request, err)
		}
	}
}

// TestKeptRequestFails makes what a new file keeps fail when it is sent with another request, whose error the caller may
// ignore. Closing the file fails then, too.
func TestKeptRequestFails(t *testing.T) {
	for _, tt := range []struct {
		request byte
		code    uint32
		with    func(f vfs.File) error
	}{
		{6, 5, func(f vfs.File) error { return vfs.Chown(f, 1, 1) }},
		{6, 5, func(f vfs.File) error { return vfs.Chmod(f, 0o600) }},
		{6, 8, vfs.File.Sync},
		{6, 4, func(f vfs.File) error { return f.Truncate(10) }},
		{6, 4, func(f vfs.File) error { _, err := f.Statx(vfs.StatxAll); return err }},
		{10, 3, func(f vfs.File) error { return vfs.Chown(f, 1, 1) }},
	} {
		s := newHostile()
		s.answers[3] = func(id uint32, _ []byte) []byte { return cat([]byte{102}, u32(id), str("file")) }
		s.answers[6], s.answers[10] = s.answers[4], s.answers[4]
		s.answers[8] = func(id uint32, _ []byte) []byte { return cat([]byte{105}, u32(id), attributes(0o100644, 8)) }
		s.answers[tt.request] = func(id uint32, _ []byte) []byte { return status(id, tt.code, "no") }
		d, err := newHostileHost(t, s).Open("/home", vfs.OpenOptions{})
		must(t, err)
		f, err := d.OpenFile("f", vfs.Create, 0o640)
		must(t, err)
		_, err = f.WriteAt([]byte("contents"), 0)
		must(t, err)
		if err := tt.with(f); err == nil {
			t.Errorf("request %d with status %d: no error", tt.request, tt.code)
		}
		if err := f.Close(); err == nil {
			t.Errorf("request %d with status %d: it was closed without an error", tt.request, tt.code)
		}
		if n, err := f.WriteAt([]byte("more"), 8); n != 0 || err == nil {
			t.Errorf("writing after that: %d, %v", n, err)
		}
	}
	d, err := newHost(t, server{"package sftp", inProcess, 0}, Options{}).Open(t.TempDir(), vfs.OpenOptions{})
	must(t, err)
	f, err := d.OpenFile("f", vfs.Create, 0o640)
	must(t, err)
	must(t, f.Close())
	if n, err := f.WriteAt([]byte("contents"), 0); n != 0 || err == nil {
		t.Errorf("writing to a file that is closed: %d, %v", n, err)
	}
}

// TestTimesOfANewFileFail makes one of the requests fail that are sent when a new file gets its times. Closing the file fails, too,
// unless only its times could not be set.
func TestTimesOfANewFileFail(t *testing.T) {
	for request, ok := range map[byte]bool{pipeline.TypeFsetstat: false, pipeline.TypeWrite: false, pipeline.TypeClose: false, pipeline.TypeSetstat: true} {
		s := newHostile()
		s.answers[3] = func(id uint32, _ []byte) []byte { return cat([]byte{102}, u32(id), str("file")) }
		s.answers[6], s.answers[9], s.answers[10] = s.answers[4], s.answers[4], s.answers[4]
		s.answers[request] = func(id uint32, _ []byte) []byte { return status(id, 3, "no") }
		h := newHostileHost(t, s)
		h.ext.ordered = true
		d, err := h.Open("/home", vfs.OpenOptions{})
		must(t, err)
		f, err := d.OpenFile("f", vfs.Create, 0o640)
		must(t, err)
		_, err = f.WriteAt([]byte("contents"), 0)
		must(t, err)
		if err := vfs.Chtimes(f, time.Time{}, time.Unix(1e9, 0)); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("request %d fails, and setting the times: %v", request, err)
		}
		if err := f.Close(); (err == nil) != ok {
			t.Errorf("request %d fails, and closing the file: %v", request, err)
		}
	}
}

// TestWriteIsInProgressUntilItIsAnswered checks that a channel that waits for answers counts as busy: another is opened when
// there are many such operations.
func TestWriteIsInProgressUntilItIsAnswered(t *testing.T) {
	path := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		h, err := NewHost(delay(inProcess(t)), Options{Number: 1})
		must(t, err)
		defer func() { _ = h.Close() }()
		d, err := h.Open(path, vfs.OpenOptions{})
		must(t, err)
		f, err := d.OpenFile("f", vfs.Create, 0o640)
		must(t, err)
		must(t, vfs.Chmod(f, 0o600))
		wrote := make(chan error)
		go func() {
			_, err := f.WriteAt(make([]byte, 3*pipeline.MaxData), 0)
			wrote <- err
		}()
		synctest.Wait()
		if n := h.channels.all[0].busy.Load(); n != 1 {
			t.Errorf("%d operations in progress, want 1", n)
		}
		must(t, <-wrote)
		must(t, f.Close())
		if n := h.channels.all[0].busy.Load(); n != 0 {
			t.Errorf("%d operations in progress in the end", n)
		}
	})
}

// TestTripsOfACopy counts the round trips that a worker takes for each small file, there and back.
func TestTripsOfACopy(t *testing.T) {
	for _, tt := range []struct {
		ordered           bool
		push, again, pull int
	}{{true, 2, 3, 2}, {false, 3, 4, 4}} {
		var trips [2][3]int
		for i, files := range []int{10, 20} {
			var tree strings.Builder
			for n := range files {
				fmt.Fprintf(&tree, "f%d 644 @2001-01-01T00:00:00Z contents\n", n)
			}
			from, there, back := t.TempDir(), t.TempDir(), t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				h, err := NewHost(delay(inProcess(t)), Options{Number: 1})
				must(t, err)
				defer func() { _ = h.Close() }()
				h.ext.ordered = tt.ordered
				local := open(t, localfs.Host{}, from)
				fstest.Fill(t, local, tree.String())
				for step, copies := range []func(){
					func() { syncTrees(t, local, open(t, h, there), h.Info().User, 1) },
					func() {
						fstest.Fill(t, local, strings.ReplaceAll(tree.String(), "contents", "other"))
						syncTrees(t, local, open(t, h, there), h.Info().User, 1)
					},
					func() {
						syncTrees(t, open(t, h, there), open(t, localfs.Host{}, back), localfs.Host{}.Info().User, 1)
					},
				} {
					start := time.Now()
					copies()
					trips[i][step] = int(time.Since(start) / time.Second)
				}
			})
		}
		for step, want := range []int{tt.push, tt.again, tt.pull} {
			if got := float64(trips[1][step]-trips[0][step]) / 10; got != float64(want) {
				t.Errorf("ordered %v, step %d: %v round trips a file, want %d", tt.ordered, step, got, want)
			}
		}
	}
}

package journal

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// sent keeps what a sender sends.
type sent struct {
	mu      sync.Mutex // guards the fields below
	batches [][]byte
	err     error
}

func (s *sent) send(records []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.batches = append(s.batches, bytes.Clone(records))
	return s.err
}

func (s *sent) n() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.batches)
}

func TestSenderSendsBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := new(sent)
		w := NewSender(Key{1}, Batch{Directories: 3, Delay: time.Minute, Bytes: 1 << 20}, s.send)
		add := func(n int) {
			for i := range n {
				w.Directory(&Directory{ID: ID{byte(i)}})
			}
			synctest.Wait()
		}
		add(2)
		if n := s.n(); n != 0 {
			t.Errorf("2 directories: %d batches", n)
		}
		add(1)
		if n := s.n(); n != 1 {
			t.Errorf("3 directories: %d batches", n)
		}
		add(1)
		time.Sleep(time.Minute)
		synctest.Wait()
		if n := s.n(); n != 2 {
			t.Errorf("after the delay: %d batches", n)
		}
		add(1)
		if err := w.Commit(); err != nil || s.n() != 3 {
			t.Errorf("Commit = %v; %d batches", err, s.n())
		}
		if err := w.Commit(); err != nil || s.n() != 3 {
			t.Errorf("Commit = %v; %d batches", err, s.n())
		}
		add(1)
		if err := errors.Join(w.Flush(), w.Commit()); err != nil || s.n() != 4 {
			t.Errorf("Flush = %v; %d batches", err, s.n())
		}
	})
}

func TestSenderThatFails(t *testing.T) {
	s := &sent{err: errors.New("no")}
	w := NewSender(Key{1}, Batch{Directories: 3, Delay: time.Hour}, s.send)
	var failed error
	w.Failed = func(err error) { failed = err }
	w.Directory(&Directory{})
	if err := w.Commit(); err != s.err || failed != s.err {
		t.Errorf("Commit = %v, and %v was reported", err, failed)
	}
	w.Directory(&Directory{})
	if err := w.Flush(); err != s.err || s.n() != 1 {
		t.Errorf("Flush = %v after %d batches", err, s.n())
	}
}

// TestLargeRecordsAreCut sends a directory with many subdirectories. Unless everything that it leads to has arrived, it is
// not done.
func TestLargeRecordsAreCut(t *testing.T) {
	const size = 1 << 10
	s := new(sent)
	w := NewSender(Key{1}, Batch{Directories: 1000, Delay: time.Hour, Bytes: size}, s.send)
	root := &Directory{ID: w.Key.Root(0), Entries: 200, Bytes: 7, Empty: 3}
	for i := range 200 {
		root.Children = append(root.Children, fmt.Sprint(strings.Repeat("x", i), i))
	}
	w.Directory(root)
	for _, name := range root.Children {
		w.Directory(&Directory{ID: w.Key.Child(root.ID, name)})
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	for i := range s.batches {
		if n := len(s.batches[i]); n > size {
			t.Errorf("batch %d has %d bytes", i, n)
		}
		a := audited(t, w.Key, s.batches[:i+1])
		if isLast := i == len(s.batches)-1; a.Complete() != isLast {
			t.Errorf("after batch %d of %d, the audit is %+v", i+1, len(s.batches), a)
		} else if isLast && (a.Found != 204 || a.Entries != 200 || a.Bytes != 7) {
			t.Errorf("audit %+v", a)
		}
	}
}

// audited returns the audit of a journal that has some batches.
func audited(t *testing.T, k Key, batches [][]byte) *Audit {
	t.Helper()
	name := filepath.Join(t.TempDir(), "journal")
	w, err := Create(os.OpenFile, name, Job{Roots: []string{"/src"}}, Session{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := w.Close(End{}); err != nil {
			t.Error(err)
		}
	}()
	for i, b := range batches {
		if _, sound, err := w.Append(b, uint64(i+1)); err != nil || !sound {
			t.Fatal(sound, err)
		}
	}
	f, err := Read(name, "")
	if err != nil || f.Queued != int64(len(batches)) {
		t.Fatalf("%v; the journal has the records up to %d", err, f.Queued)
	}
	defer f.Close()
	f.Key = k // instead of a random one
	a, err := f.Audit()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestAppendedRecordsMustBeSound appends what no sender sends.
func TestAppendedRecordsMustBeSound(t *testing.T) {
	json, err := appendJSON(nil, kindEnd, End{})
	if err != nil {
		t.Fatal(err)
	}
	good := appendCompletion(appendDirectory(nil, &Directory{ID: ID{1}, Children: []string{"a"}, Waits: true}), Completion{ID: ID{1}})
	for _, tt := range []struct {
		name    string
		records []byte
		sound   bool
		counts  Counts
	}{
		{"good ones", good, true, Counts{Found: 1, Done: 1}},
		{"failed ones", appendDirectory(nil, &Directory{Empty: 2, Failed: 1}), true, Counts{2, 2, 1}},
		{"none", nil, true, Counts{}},
		{"a part", good[:len(good)-1], false, Counts{}},
		{"unknown ones", []byte("?"), false, Counts{}},
		{"an end", json, false, Counts{}},
		{"an end after good ones", append(slices.Clip(good), json...), false, Counts{}},
		{"a sync", appendSync(nil, 9), false, Counts{}},
		{"an offset", appendOffset(nil, 9), false, Counts{}},
	} {
		name := filepath.Join(t.TempDir(), "journal")
		w, err := Create(os.OpenFile, name, Job{Roots: []string{"/src"}}, Session{})
		if err != nil {
			t.Fatal(err)
		}
		counts, sound, err := w.Append(tt.records, 5)
		if err != nil || sound != tt.sound || counts != tt.counts {
			t.Errorf("%s: %+v, %v, %v", tt.name, counts, sound, err)
		}
		if err := w.Close(End{}); err != nil {
			t.Fatal(err)
		}
		f, err := Read(name, "")
		if err != nil || f.Queued != 5 || f.Untrusted != 0 || f.End == nil {
			t.Fatalf("%s: %v, %+v", tt.name, err, f)
		}
		f.Close()
	}
}

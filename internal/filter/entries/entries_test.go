package entries_test

import (
	"io"
	"strings"
	"testing"

	"psync/internal/filesfrom"
	"psync/internal/filter"
)

// A file of names with a line that cannot be a path is not a file of names. Only a small part of it is read.
func TestEndlessEntryIsAnError(t *testing.T) {
	for _, nul := range []bool{false, true} {
		endless := &endlessLine{head: "a\x00b\x00"}
		if !nul {
			endless.head = "a\nb\n"
		}
		_, err := filesfrom.Parse(endless, nul, false, false)
		if err == nil || !strings.Contains(err.Error(), "entry 3 is longer than 65536 bytes") {
			t.Errorf("nul %t: got error %v", nul, err)
		}
		if endless.read > 1<<20 {
			t.Errorf("nul %t: %d bytes were read", nul, endless.read)
		}

		b := filter.Builder{
			Open:  func(string) (io.ReadCloser, error) { return io.NopCloser(&endlessLine{}), nil },
			From0: nul,
		}
		err = b.ExcludeFrom("rules")
		if err == nil || !strings.HasPrefix(err.Error(), "rules: entry 1 is longer than") {
			t.Errorf("nul %t: got error %v", nul, err)
		}
	}
}

func TestLengthOfAnEntry(t *testing.T) {
	for n, want := range map[int]bool{65536: true, 65537: false} {
		_, err := filesfrom.Parse(strings.NewReader(strings.Repeat("a/", n)[:n]+"\n"), false, false, false)
		if ok := err == nil; ok != want {
			t.Errorf("%d bytes: got error %v", n, err)
		}
	}
}

func TestNULWithoutFrom0IsAnError(t *testing.T) {
	const names = "a\nb\x00c\x00"
	if _, err := filesfrom.Parse(strings.NewReader(names), false, false, false); err == nil || !strings.Contains(err.Error(), "entry 2 holds a NUL byte") || !strings.Contains(err.Error(), "use -0") {
		t.Errorf("got error %v", err)
	}
	b := filter.Builder{Open: func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(names)), nil }}
	if err := b.ExcludeFrom("rules"); err == nil || !strings.Contains(err.Error(), "use -0") {
		t.Errorf("got error %v", err)
	}
}

// An endlessLine is head followed by a line without end.
type endlessLine struct {
	head string
	read int
}

func (l *endlessLine) Read(p []byte) (int, error) {
	n := copy(p, l.head)
	l.head = l.head[n:]
	for i := n; i < len(p); i++ {
		p[i] = 'x'
	}
	l.read += len(p)
	return len(p), nil
}

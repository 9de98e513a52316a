package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestCommonOffset has a queue lose its last records, and give their offsets to others.
func TestCommonOffset(t *testing.T) {
	record := func(n int) []byte { return appendCompletion(nil, Completion{ID: ID{byte(n)}}) }
	for _, tt := range []struct {
		name    string
		journal [][2]int // offsets and records; 0: not a sound one
		queue   map[int64]int
		want    int64
		lost    bool
	}{
		{"nothing", nil, map[int64]int{1: 1}, 0, false},
		{"all", [][2]int{{1, 1}, {3, 2}, {4, 3}}, map[int64]int{1: 1, 3: 2, 4: 3, 7: 4}, 4, false},
		{"the last one is lost", [][2]int{{1, 1}, {3, 2}, {4, 3}}, map[int64]int{1: 1, 3: 2}, 3, true},
		{"another one has its offset", [][2]int{{1, 1}, {3, 2}, {4, 3}}, map[int64]int{1: 1, 3: 2, 4: 9}, 3, true},
		{"two have others", [][2]int{{1, 1}, {3, 2}, {4, 3}}, map[int64]int{1: 1, 3: 8, 4: 9, 5: 9}, 1, true},
		{"all have others", [][2]int{{1, 1}, {3, 2}}, map[int64]int{1: 8, 3: 9}, 0, true},
		{"the offsets went back before", [][2]int{{1, 1}, {3, 2}, {4, 3}, {3, 8}}, map[int64]int{1: 1, 3: 8}, 3, true},
		{"and more followed", [][2]int{{1, 1}, {3, 2}, {4, 3}, {2, 8}, {5, 9}}, map[int64]int{1: 1, 2: 8, 4: 7}, 2, true},
		{"one was not sound", [][2]int{{1, 1}, {3, 0}}, map[int64]int{1: 1}, 1, false},
	} {
		name := filepath.Join(t.TempDir(), "journal")
		w, err := Create(os.OpenFile, name, Job{Roots: []string{"/src"}}, Session{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range tt.journal {
			data := record(r[1])
			if r[1] == 0 {
				data = []byte("nonsense")
			}
			if _, _, err := w.Append(data, uint64(r[0])); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(End{}); err != nil {
			t.Fatal(err)
		}
		f, err := Read(name, "")
		if err != nil {
			t.Fatal(err)
		}
		got, lost, err := f.CommonOffset(func(r QueueRecord) (bool, error) {
			n, is := tt.queue[r.Offset]
			return is && r.Is(record(n)), nil
		})
		if err != nil || got != tt.want || lost != tt.lost {
			t.Errorf("%s: %d, %v, %v, want %d, %v", tt.name, got, lost, err, tt.want, tt.lost)
		}
		failure := errors.New("no answer")
		if _, _, err := f.CommonOffset(func(QueueRecord) (bool, error) { return false, failure }); len(tt.journal) > 0 && !errors.Is(err, failure) {
			t.Errorf("%s: %v", tt.name, fmt.Errorf("without an answer: %w", err))
		}
		f.Close()
	}
}

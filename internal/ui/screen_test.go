package ui

import (
	"strings"
	"sync"
	"testing"
)

// A screen is a terminal that supports the escape sequences that a bar needs.
type screen struct {
	t *testing.T

	mu     sync.Mutex // guards what follows
	lines  []string   // the last one has the cursor
	column int
	widest int // columns used so far
	writes int
}

func newScreen(t *testing.T) *screen { return &screen{t: t, lines: []string{""}} }

// String returns the visible text, without trailing blanks.
func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	lines := make([]string, len(s.lines))
	for i, line := range s.lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}

// Count returns the number of writes so far.
func (s *screen) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writes
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writes++
	for text := string(b); text != ""; {
		text = s.takeLocked(text)
	}
	return len(b), nil
}

// takeLocked executes the first character or escape sequence of text, and returns the rest.
func (s *screen) takeLocked(text string) string {
	line := &s.lines[len(s.lines)-1]
	for code, do := range map[string]func(){
		"\r":      func() { s.column = 0 },
		"\n":      func() { s.lines, s.column = append(s.lines, ""), 0 },
		"\x1b[2K": func() { *line = strings.Repeat(" ", s.column) },
		"\x1b[0K": func() { *line = (*line)[:s.column] },
	} {
		if rest, ok := strings.CutPrefix(text, code); ok {
			do()
			return rest
		}
	}
	c := text[0]
	if c < ' ' || c > '~' {
		s.t.Errorf("unexpected %q", text)
	}
	*line = (*line)[:s.column] + string(c) + (*line)[min(s.column+1, len(*line)):]
	s.column++
	s.widest = max(s.widest, s.column)
	return text[1:]
}

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
	lines  []string
	row    int // of the cursor
	column int
	widest int // columns used so far
	writes int
}

func newScreen(t *testing.T) *screen { return &screen{t: t, lines: []string{""}} }

// String returns the visible text, without trailing blanks, and without empty lines below the cursor.
func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	lines := make([]string, len(s.lines))
	for i, line := range s.lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	for len(lines) > s.row+1 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
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
	line := &s.lines[s.row]
	for code, do := range map[string]func(){
		"\r":      func() { s.column = 0 },
		"\n":      s.nextLineLocked,
		"\x1b[2K": func() { *line = strings.Repeat(" ", s.column) },
		"\x1b[0K": func() { *line = (*line)[:min(s.column, len(*line))] },
		"\x1b[0J": func() { *line, s.lines = (*line)[:min(s.column, len(*line))], s.lines[:s.row+1] },
		"\x1b[1A": func() { s.row-- },
		"\x1b[2A": func() { s.row -= 2 },
		"\x1b[3A": func() { s.row -= 3 },
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

func (s *screen) nextLineLocked() {
	s.row, s.column = s.row+1, 0
	if s.row == len(s.lines) {
		s.lines = append(s.lines, "")
	}
}

// Package recording runs commands on a terminal and renders its screen as an animated SVG.
package recording

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// Columns is the width of the terminal.
const Columns = 84

// A Frame is the contents of a terminal from a time on, relative to the start of the recording.
type Frame struct {
	At    time.Duration
	Lines []string
}

const (
	typing  = 1200 * time.Millisecond // how long a command is shown before it runs
	between = 150 * time.Millisecond  // frames at shorter intervals are dropped
)

// Record runs each command in a shell on a terminal, with script(1), and returns the frames. It stops with an error if
// a command fails.
func Record(ctx context.Context, commands []string) ([]Frame, error) {
	var r recorder
	for _, command := range commands {
		r.screen.write("$ " + command + "\n")
		r.show(0)
		if err := r.run(ctx, command); err != nil {
			return nil, fmt.Errorf("%s: %w", command, err)
		}
	}
	r.screen.write("$ ")
	r.show(typing)
	return r.frames, nil
}

type recorder struct {
	screen screen
	frames []Frame
	now    time.Duration // since the recording began, not counting the startup of commands
}

// show adds a frame at some time after the previous one.
func (r *recorder) show(after time.Duration) {
	r.now += after
	r.frames = append(r.frames, Frame{r.now, r.screen.visible()})
}

// run runs a command and adds its frames.
func (r *recorder) run(ctx context.Context, command string) error {
	r.now += typing
	cmd := exec.CommandContext(ctx, "script", "-qefc", fmt.Sprintf("stty cols %d; %s", Columns, command), "/dev/null")
	cmd.Stdin = bytes.NewReader(nil)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	began, start, shown := time.Now(), r.now, r.now
	buf := make([]byte, 64<<10)
	for err == nil {
		var n int
		n, err = out.Read(buf)
		r.screen.write(string(buf[:n]))
		if r.now = start + time.Since(began); r.now-shown >= between {
			r.show(0)
			shown = r.now
		}
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	r.show(0)
	return cmd.Wait()
}

// A screen is a terminal emulator for the output of psync: lines, carriage returns and erasures.
type screen struct {
	lines  []string // the last one has the cursor; "" before the first
	column int
}

func (s *screen) write(text string) {
	if len(s.lines) == 0 {
		s.lines = []string{""}
	}
	for text != "" {
		line := &s.lines[len(s.lines)-1]
		switch {
		case strings.HasPrefix(text, "\x1b[2K"):
			*line, text = strings.Repeat(" ", s.column), text[4:]
		case strings.HasPrefix(text, "\x1b[0K"):
			*line, text = (*line)[:min(s.column, len(*line))], text[4:]
		case text[0] == '\r':
			s.column, text = 0, text[1:]
		case text[0] == '\n':
			s.lines, s.column, text = append(s.lines, ""), 0, text[1:]
		default:
			*line = (*line)[:min(s.column, len(*line))] + text[:1] + (*line)[min(s.column+1, len(*line)):]
			s.column, text = s.column+1, text[1:]
		}
	}
}

// rows is the height of the terminal.
const rows = 12

// visible returns the last lines.
func (s *screen) visible() []string {
	lines := s.lines[max(0, len(s.lines)-rows):]
	visible := make([]string, len(lines))
	for i, line := range lines {
		visible[i] = strings.TrimRight(line, " ")
	}
	return visible
}

package bench

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// A usage holds the resources that one run of a command took.
type usage struct {
	wall, user, system time.Duration
	rss                int64 // peak resident set in bytes
	rssFloor           int64 // the smallest rss that can be measured
}

func (u usage) elapsed() time.Duration { return u.wall }
func (u usage) cpu() time.Duration     { return u.user + u.system }

// timeCommand runs a command and returns its usage, including that of its children.
func timeCommand(ctx context.Context, argv []string) (usage, error) {
	resetPeakRSS()
	start := time.Now()
	ended, err := execute(ctx, argv)
	wall := time.Since(start)
	if err != nil {
		return usage{}, err
	}
	return usage{
		wall:     wall,
		user:     ended.UserTime(),
		system:   ended.SystemTime(),
		rss:      maxRSS(ended),
		rssFloor: peakRSS(),
	}, nil
}

// execute runs a command. When ctx ends, the command is killed with its children. An error includes the first
// line of the command's standard error.
func execute(ctx context.Context, argv []string) (*os.ProcessState, error) {
	var complaint head
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Stderr = &complaint
	killWithChildren(cmd)
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, cmp.Or(complaint.line(), "no message"))
	}
	return cmd.ProcessState, nil
}

// A head keeps the beginning of what is written to it.
type head struct {
	text []byte
}

func (h *head) Write(p []byte) (int, error) {
	const most = 1000
	h.text = append(h.text, p[:min(len(p), most-len(h.text))]...)
	return len(p), nil
}

// line returns the first line that is not blank.
func (h *head) line() string {
	for line := range bytes.Lines(h.text) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return string(line)
		}
	}
	return ""
}

package rsyncflags_test

import (
	"fmt"
	"testing"
	"time"

	"psync/internal/cli/rsyncflags"
	"psync/internal/sshconn/client"
	"psync/internal/sshconn/hosterror"
	"psync/internal/vfs"
)

func TestExitCode(t *testing.T) {
	silent := fmt.Errorf("box: %w", hosterror.TimeoutError(time.Second))
	waits, connects := rsyncflags.Line{Timeout: true}, rsyncflags.Line{ConnectTimeout: true}
	tests := []struct {
		name string
		line rsyncflags.Line
		err  error
		want int
	}{
		{"no error", waits, nil, 12},
		{"silent during the run", waits, &vfs.LostError{Err: silent}, 30},
		{"lost, with --contimeout alone", connects, &vfs.LostError{Err: silent}, 12},
		{"lost", waits, &vfs.LostError{Err: vfs.ErrMount}, 12},
		{"silent at the beginning", waits, &hosterror.Error{Err: silent}, 30},
		{"not connected to in time", connects, &hosterror.Error{Err: silent}, 35},
		{"not connected to", rsyncflags.Line{}, &hosterror.Error{Err: silent}, 255},
		{"the command failed", waits, &hosterror.Error{Err: &client.ExitError{Status: 1}}, 12},
		{"the ssh of -e failed", waits, &hosterror.Error{Err: &client.ExitError{Status: 255}}, 255},
	}
	for _, tt := range tests {
		if got := tt.line.ExitCode(12, tt.err); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

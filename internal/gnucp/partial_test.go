package gnucp

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"psync/internal/gnucp/policy"
)

// TestInterruptedCopyThatWasReplacedStays interrupts a copy of a pipe when another file has taken
// the place of the part.
func TestInterruptedCopyThatWasReplacedStays(t *testing.T) {
	for _, replaced := range []bool{false, true} {
		dir := tree(t, "other: whole")
		pipe, dst := filepath.Join(dir, "pipe"), filepath.Join(dir, "dst")
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Skip(err)
		}
		ctx, interrupt := context.WithCancelCause(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_, _, _ = cp(t, ctx, dir, policy.Options{Recursive: true, CopyContents: true}, "pipe", "dst")
		}()
		in, err := os.OpenFile(pipe, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		// This is more than a pipe holds: when all bytes are written, some were read, so the copy exists.
		if _, err := in.Write(make([]byte, 2<<20)); err != nil {
			t.Fatal(err)
		}
		if replaced {
			if err := os.Rename(filepath.Join(dir, "other"), dst); err != nil {
				t.Fatal(err)
			}
		}
		interrupt(errInterrupt)
		in.Close()
		<-ended
		_, err = os.Lstat(dst)
		switch {
		case replaced && err != nil:
			t.Errorf("what has replaced the part is gone: %v", err)
		case replaced && readFile(t, dst) != "whole":
			t.Errorf("what has replaced the part has changed: %q", readFile(t, dst))
		case !replaced && !errors.Is(err, os.ErrNotExist):
			t.Errorf("a part is left: %v", err)
		}
	}
}

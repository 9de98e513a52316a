package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"testing"
)

// failAfter fails after n writes.
type failAfter struct {
	n   int
	err error
}

func (w *failAfter) Write(p []byte) (int, error) {
	if w.n--; w.n < 0 {
		return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: w.err}
	}
	return len(p), nil
}

func TestOutputReportsItsLossOnce(t *testing.T) {
	for _, c := range []struct {
		w    io.Writer
		want string // "": no error
	}{
		{new(bytes.Buffer), ""},
		{&failAfter{n: 9}, ""},
		{&failAfter{n: 1, err: syscall.ENOSPC}, "writing standard output: no space left on device"},
		{&failAfter{err: syscall.EIO}, "writing standard output: input/output error"},
		{&failAfter{err: syscall.EPIPE}, ""},
	} {
		out := &output{w: c.w}
		for range 3 {
			if n, err := fmt.Fprint(out, "line"); n != 4 || err != nil {
				t.Errorf("%T: write returns %d, %v", c.w, n, err)
			}
		}
		got := ""
		if err := out.close(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%T: got %q, want %q", c.w, got, c.want)
		}
	}
}

func TestOutputReportsAnErrorOfClose(t *testing.T) {
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if err := (&output{w: f}).close(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("got %v", err)
	}
}

func TestExitCodeWithoutOutput(t *testing.T) {
	for _, c := range []struct {
		code       int
		comparison bool
		want       int
	}{
		{ExitOK, false, ExitFatal},
		{ExitUsage, false, ExitUsage},
		{ExitOperands, false, ExitOperands},
		{ExitInterrupted, false, ExitInterrupted},
		{ExitFailed, false, ExitFailed},
		{ExitOK, true, ExitTrouble},
		{ExitDiffers, true, ExitTrouble},
		{ExitTrouble, true, ExitTrouble},
	} {
		if got := withoutOutput(c.code, c.comparison); got != c.want {
			t.Errorf("%d, comparison %t: got %d, want %d", c.code, c.comparison, got, c.want)
		}
	}
}

package stdout

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
		out := &Writer{To: c.w}
		for range 3 {
			if n, err := fmt.Fprint(out, "line"); n != 4 || err != nil {
				t.Errorf("%T: write returns %d, %v", c.w, n, err)
			}
		}
		got := ""
		if err := out.Close(); err != nil {
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
	if err := (&Writer{To: f}).Close(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("got %v", err)
	}
}

// Package stdout writes standard output for programs that go on when it is lost.
package stdout

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"syscall"
)

// A Writer is standard output. After the first error, it writes nothing more but still reports success, so that a run
// continues without its output. Close returns the first error. A Writer is safe for concurrent use.
type Writer struct {
	To io.Writer

	mu  sync.Mutex // guards what follows
	err error
}

func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		_, w.err = w.To.Write(p)
	}
	return len(p), nil
}

// Fd returns the file descriptor of the output, for the check for a terminal, or an invalid descriptor if there
// is none.
func (w *Writer) Fd() uintptr {
	if f, ok := w.To.(*os.File); ok {
		return f.Fd()
	}
	return ^uintptr(0)
}

// Close closes the output and returns the first write error, which some file systems report only on close.
// EPIPE is not an error: the reader has chosen to stop.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if f, ok := w.To.(*os.File); ok && w.err == nil {
		w.err = f.Close()
	}
	if w.err == nil || errors.Is(w.err, syscall.EPIPE) {
		return nil
	}
	err := w.err
	if pe := new(fs.PathError); errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("writing standard output: %w", err)
}

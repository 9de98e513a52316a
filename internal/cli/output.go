package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"syscall"
)

// An output is standard output. After the first error, output writes nothing more but still reports success, so
// that a run continues without its output. The method close returns the first error. An output is safe for
// concurrent use.
type output struct {
	w io.Writer

	mu  sync.Mutex // guards what follows
	err error
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		_, o.err = o.w.Write(p)
	}
	return len(p), nil
}

// Fd returns the file descriptor of the output, for the check for a terminal, or an invalid descriptor if there
// is none.
func (o *output) Fd() uintptr {
	if f, ok := o.w.(*os.File); ok {
		return f.Fd()
	}
	return ^uintptr(0)
}

// close closes the output and returns the first write error, which some file systems report only on close.
// EPIPE is not an error: the reader has chosen to stop.
func (o *output) close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if f, ok := o.w.(*os.File); ok && o.err == nil {
		o.err = f.Close()
	}
	if o.err == nil || errors.Is(o.err, syscall.EPIPE) {
		return nil
	}
	err := o.err
	if pe := new(fs.PathError); errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("writing standard output: %w", err)
}

// withoutOutput returns the exit code of a program that has lost its output and would have exited with code
// otherwise. A comparison without its output has failed, whatever its result.
func withoutOutput(code int, comparison bool) int {
	switch {
	case comparison:
		return ExitTrouble
	case code == ExitOK:
		return ExitFatal
	}
	return code
}

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

// An output is standard output. It remembers the first error of writing to it and writes
// nothing more, but reports success: a run goes on without its list, and the end of the
// program tells. It is safe for concurrent use.
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

// Fd returns the descriptor of what is written to, by which terminals are known, or one
// that no file has.
func (o *output) Fd() uintptr {
	if f, ok := o.w.(*os.File); ok {
		return f.Fd()
	}
	return ^uintptr(0)
}

// close ends the output, and returns why not all of it was written. That the reader has
// gone is his choice, and no error. Some file systems report only now what they could
// not store.
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

// withoutOutput returns the exit code of a program that would have ended with code if
// its output had not been lost. What a comparison has found is in the output.
func withoutOutput(code int, comparison bool) int {
	switch {
	case comparison:
		return ExitTrouble
	case code == ExitOK:
		return ExitFatal
	}
	return code
}

package terminal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/term"
)

// A Terminal is the controlling terminal of the process, whatever the standard streams
// are.
type Terminal struct{ file *os.File }

// Open returns the terminal of the process, or an error if it has none.
func Open() (*Terminal, error) {
	f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	return &Terminal{f}, nil
}

// Ask asks the user a question and returns the line that the user types.
func (t *Terminal) Ask(ctx context.Context, question string) (string, error) {
	return t.ask(ctx, question, func() (string, error) {
		line, err := bufio.NewReader(t.file).ReadString('\n')
		return strings.TrimRight(line, "\r\n"), err
	})
}

// AskSecret is Ask without echo.
func (t *Terminal) AskSecret(ctx context.Context, question string) (string, error) {
	fd := int(t.file.Fd())
	before, err := term.GetState(fd)
	if err != nil {
		return "", err
	}
	answer, err := t.ask(ctx, question, func() (string, error) {
		secret, err := term.ReadPassword(fd)
		return string(secret), err
	})
	if ctx.Err() != nil {
		err = errors.Join(err, term.Restore(fd, before)) // read is still waiting, without echo
	}
	_, _ = fmt.Fprintln(t.file) // the user's own newline was not shown
	return answer, err
}

// ask asks a question and calls read for the answer.
func (t *Terminal) ask(ctx context.Context, question string, read func() (string, error)) (string, error) {
	if _, err := fmt.Fprint(t.file, question); err != nil {
		return "", err
	}
	return Await(ctx, read)
}

// Await returns what read returns, or the cause of ctx if that ends first; then read goes on.
func Await(ctx context.Context, read func() (string, error)) (string, error) {
	type answer struct {
		text string
		err  error
	}
	answers := make(chan answer, 1) // buffered, because the answer may come when no receiver is left
	go func() {
		text, err := read()
		answers <- answer{text, err}
	}()
	select {
	case a := <-answers:
		return a.text, a.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

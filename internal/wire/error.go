package wire

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"

	"psync/internal/vfs"
)

// An Error answers a request that failed, or is part of an answer.
type Error struct {
	Name string // of the error number, such as "ENOENT", or of an error of vfs, such as "unsupported"; may be ""
	Text string // what it says, if Name does not say it
	// GroupOnly says that it is in a vfs.GroupOnlyError.
	GroupOnly bool
}

func (e *Error) fields(c *coder) {
	c.text(&e.Name)
	c.text(&e.Text)
	c.bool(&e.GroupOnly)
}

// untrustedLink is the name of a vfs.UntrustedLinkError, whose text is the number of its user. With anywhere after it,
// links of others are not followed wherever they are.
const (
	untrustedLink = "untrusted-link"
	anywhere      = " anywhere"
)

// A named error has the same name on every system.
type named struct {
	name string
	err  error
}

// general returns errors that have no number. The special ones come before those that they match.
func general() []named {
	return []named{
		{"mount", vfs.ErrMount},
		{"changed", vfs.ErrChanged},
		{"not-tried", vfs.ErrNotTried},
		{"eof", io.EOF},
		{"unexpected-eof", io.ErrUnexpectedEOF},
		{"stopped", context.Canceled},
		{"timeout", os.ErrDeadlineExceeded},
		{"closed", fs.ErrClosed},
		{"not-exist", fs.ErrNotExist},
		{"exist", fs.ErrExist},
		{"permission", fs.ErrPermission},
		{"invalid", fs.ErrInvalid},
		{"unsupported", errors.ErrUnsupported},
	}
}

// numbered are the errors that every system numbers, each in its own way.
var numbered = [...]struct {
	name  string
	errno syscall.Errno
}{
	{"E2BIG", syscall.E2BIG},
	{"EACCES", syscall.EACCES},
	{"EAGAIN", syscall.EAGAIN},
	{"EBADF", syscall.EBADF},
	{"EBUSY", syscall.EBUSY},
	{"EDEADLK", syscall.EDEADLK},
	{"EDQUOT", syscall.EDQUOT},
	{"EEXIST", syscall.EEXIST},
	{"EFAULT", syscall.EFAULT},
	{"EFBIG", syscall.EFBIG},
	{"EINTR", syscall.EINTR},
	{"EINVAL", syscall.EINVAL},
	{"EIO", syscall.EIO},
	{"EISDIR", syscall.EISDIR},
	{"ELOOP", syscall.ELOOP},
	{"EMFILE", syscall.EMFILE},
	{"EMLINK", syscall.EMLINK},
	{"ENAMETOOLONG", syscall.ENAMETOOLONG},
	{"ENFILE", syscall.ENFILE},
	{"ENODEV", syscall.ENODEV},
	{"ENOENT", syscall.ENOENT},
	{"ENOEXEC", syscall.ENOEXEC},
	{"ENOLCK", syscall.ENOLCK},
	{"ENOMEM", syscall.ENOMEM},
	{"ENOSPC", syscall.ENOSPC},
	{"ENOSYS", syscall.ENOSYS},
	{"ENOTCONN", syscall.ENOTCONN},
	{"ENOTDIR", syscall.ENOTDIR},
	{"ENOTEMPTY", syscall.ENOTEMPTY},
	{"ENOTSUP", syscall.ENOTSUP},
	{"ENOTTY", syscall.ENOTTY},
	{"ENXIO", syscall.ENXIO},
	{"EOPNOTSUPP", syscall.EOPNOTSUPP},
	{"EOVERFLOW", syscall.EOVERFLOW},
	{"EPERM", syscall.EPERM},
	{"EPIPE", syscall.EPIPE},
	{"ERANGE", syscall.ERANGE},
	{"EROFS", syscall.EROFS},
	{"ESPIPE", syscall.ESPIPE},
	{"ESRCH", syscall.ESRCH},
	{"ESTALE", syscall.ESTALE},
	{"ETIMEDOUT", syscall.ETIMEDOUT},
	{"ETXTBSY", syscall.ETXTBSY},
	{"EXDEV", syscall.EXDEV},
}

// ErrorOf returns err for a message, or nil for nil. Operation and path of an fs.PathError are left out: the other
// side knows by which it asked.
func ErrorOf(err error) *Error {
	if err == nil {
		return nil
	}
	_, groupOnly := errors.AsType[*vfs.GroupOnlyError](err)
	err = cause(err)
	if u, ok := errors.AsType[*vfs.UntrustedLinkError](err); ok {
		text := strconv.FormatUint(uint64(u.Owner), 10)
		if u.Strict {
			text += anywhere
		}
		return &Error{Name: untrustedLink, Text: text}
	}
	name, known := nameOf(err)
	text := err.Error()
	if known != nil && text == known.Error() {
		text = ""
	}
	return &Error{Name: name, Text: shorten(text), GroupOnly: groupOnly}
}

// cause returns what a system call has returned.
func cause(err error) error {
	for {
		switch e := err.(type) {
		case *fs.PathError:
			err = e.Err
		case *os.LinkError:
			err = e.Err
		case *os.SyscallError:
			err = e.Err
		case *vfs.GroupOnlyError:
			err = e.Err
		default:
			return err
		}
	}
}

// nameOf returns the name of an error, and the error that has it on this side; or else nothing.
func nameOf(err error) (name string, known error) {
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		for _, n := range numbered {
			if n.errno == errno {
				return n.name, n.errno
			}
		}
	}
	for _, g := range general() {
		if errors.Is(err, g.err) {
			return g.name, g.err
		}
	}
	return "", nil
}

// shorten cuts a text off where it is too long for a message.
func shorten(text string) string {
	text = strings.ReplaceAll(text, "\x00", " ")
	if len(text) <= maxText {
		return text
	}
	return strings.ToValidUTF8(text[:maxText], "")
}

// Err returns the error that e stands for, or nil if e is nil. It matches what the error on the other side
// matched, by the numbers of this system. Its text is shown without control characters.
func (e *Error) Err() error {
	switch {
	case e == nil:
		return nil
	case e.GroupOnly:
		return &vfs.GroupOnlyError{Err: e.cause()}
	}
	return e.cause()
}

func (e *Error) cause() error {
	text := printable(e.Text)
	known := e.known()
	switch {
	case known == nil:
		return errors.New(cmp.Or(text, "unknown error "+printable(e.Name)))
	case text == "" || e.Name == untrustedLink:
		return known
	}
	return &textError{text, known}
}

func (e *Error) known() error {
	if e.Name == untrustedLink {
		text, strict := strings.CutSuffix(e.Text, anywhere)
		owner, err := strconv.ParseUint(text, 10, 32)
		if err != nil {
			return nil
		}
		return &vfs.UntrustedLinkError{Owner: uint32(owner), Strict: strict}
	}
	for _, n := range numbered {
		if n.name == e.Name {
			return n.errno
		}
	}
	for _, g := range general() {
		if g.name == e.Name {
			return g.err
		}
	}
	return nil
}

// A textError is a known error about which the other side says more.
type textError struct {
	text string
	err  error
}

func (e *textError) Error() string { return e.text }
func (e *textError) Unwrap() error { return e.err }

// printable replaces what could control a terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return '?'
		}
		return r
	}, text)
}

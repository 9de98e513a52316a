package cli

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"psync/internal/agent"
	"psync/internal/cli/help"
	"psync/internal/cli/stdout"
	"psync/internal/localfs"
	"psync/internal/operand"
	"psync/internal/run"
	"psync/internal/sys"
	"psync/internal/version"
	"psync/internal/vfs"
)

// errNoStdio refuses a server that would have nothing to speak over.
var errNoStdio = errors.New("psync serve speaks over its standard input and output only, and wants --stdio")

// serveCommand returns the verb by which a psync on another host has this one work for it. The list of verbs does not
// show it, for no one types it. What it may do is decided by its flags alone, which a command in authorized_keys(5)
// fixes: it looks at no environment variable, such as SSH_ORIGINAL_COMMAND.
func (a *app) serveCommand() *cobra.Command {
	c := &cobra.Command{Use: "serve --stdio [--root DIR] [--read-only]", Args: cobra.NoArgs, Hidden: true}
	if a.typed == nil {
		help.Describe(c, "serve")
	}
	var stdio bool
	var first string
	o := agent.Options{Socket: true, Version: version.String()}
	f := c.Flags()
	f.SortFlags = false
	f.BoolVar(&stdio, "stdio", false, "speak over standard input and output")
	f.StringVar(&first, "first", "", "take `FRAMES`, in base64 for URLs, for the first ones of the client")
	f.StringVar(&o.Root, "root", "", "take every path beneath `DIR`, and follow no symbolic link on the way")
	f.BoolVar(&o.ReadOnly, "read-only", false, "refuse every change")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if !stdio {
			return errNoStdio
		}
		var err error
		if o.First, err = base64.RawURLEncoding.DecodeString(first); err != nil {
			return fmt.Errorf("--first: %w", err)
		}
		a.started = true
		return a.serve(c.Context(), o, f.Changed("root"))
	}
	return c
}

// serve runs the verb serve. Nothing but frames goes to standard output.
func (a *app) serve(ctx context.Context, o agent.Options, confined bool) error {
	if confined {
		root, err := rootDir(o.Root)
		if err != nil {
			return err
		}
		o.Root = root
	}
	if a.Connecting != nil {
		a.Connecting()
	}
	channel := &stdio{a.Stdin, a.Stdout}
	if in, ok := a.Stdin.(*os.File); ok {
		channel.Reader = channelEnd(in)
	}
	if out, ok := a.Stdout.(*stdout.Writer); ok {
		channel.Writer = out.To // which fails when no one reads
		if file, ok := out.To.(*os.File); ok {
			channel.Writer = channelEnd(file)
		}
	}
	a.unstarted = ExitConnection
	o.Process = localfs.ThisProcess()
	if a.Confine && (confined || o.ReadOnly) {
		o.Confine = func() { run.ConfineServer(o.Root, o.ReadOnly) }
	}
	return agent.Serve(ctx, channel, o)
}

// rootDir returns the absolute path of a directory that a server is confined to. An empty one, which would mean no
// limit, is refused.
func rootDir(dir string) (string, error) {
	if dir == "" {
		return "", operand.ErrEmpty
	}
	root, err := filepath.EvalSymlinks(dir)
	if err == nil {
		root, err = filepath.Abs(root)
	}
	if err != nil {
		return "", err
	}
	attr, err := localfs.Host{}.Stat(root, vfs.Follow)
	if err == nil && !attr.Mode.IsDir() {
		err = &os.PathError{Op: "serve", Path: dir, Err: errors.New("not a directory")}
	}
	return root, err
}

// stdio is the channel of a server: what it hears and says.
type stdio struct {
	io.Reader
	io.Writer
}

// pipeSize is how many bytes the pipes to and from the SSH server hold, so that neither side has to wait for the other
// after each few packets. An unprivileged user may not have larger ones on Linux.
const pipeSize = 1 << 20

// channelEnd returns standard input or output as an end of the channel.
func channelEnd(f *os.File) *os.File {
	_ = sys.GrowPipe(f, pipeSize) // otherwise it goes on more slowly
	return interruptible(f)
}

// interruptible returns a file that is a pipe or a socket in a form that Close interrupts while it is waited for, or
// else the file itself.
func interruptible(f *os.File) *os.File {
	info, err := f.Stat()
	if err != nil || info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) == 0 {
		return f
	}
	fd, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		return f
	}
	if err := syscall.SetNonblock(fd, true); err != nil {
		return f // the process ends with the other descriptor
	}
	return os.NewFile(uintptr(fd), f.Name())
}

// Close closes both.
func (s *stdio) Close() error {
	var errs []error
	for _, end := range []any{s.Reader, s.Writer} {
		if c, ok := end.(io.Closer); ok {
			errs = append(errs, c.Close())
		}
	}
	return errors.Join(errs...)
}

package selftest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"psync/internal/localfs"
	"psync/internal/operand"
	"psync/internal/operand/location"
	"psync/internal/quote"
	"psync/internal/selftest/survey"
	"psync/internal/vfs"
)

// surveyWorkers is the number of workers of a survey.
const surveyWorkers = 16

// predict reports what a copy of SRC to DST will not keep.
func (f flags) predict(stdout io.Writer) (code int, err error) {
	ctx, stop := untilSignalled()
	defer stop()
	var host localfs.Host
	src, dst, where, err := f.openOperands(host)
	if err != nil {
		return exitTrouble, err
	}
	defer src.Close()
	defer dst.Close()
	host.ClearUmask()
	p := survey.Printer{Out: stdout, UTF8: quote.UTF8(os.Getenv)}
	if where != f.operands[1] {
		fmt.Fprintf(stdout, "DST does not exist; tried in the nearest directory above it, %s\n", quote.Name(where, p.UTF8))
	}
	c := survey.Config{Source: src, Dest: dst, User: host.Info().User, Workers: surveyWorkers}
	if f.verbose {
		c.Found = lister(p)
	}
	r, err := survey.Run(ctx, c)
	switch {
	case err != nil && ctx.Err() != nil:
		return exitInterrupted, context.Cause(ctx)
	case err != nil:
		return exitTrouble, err
	}
	p.Print(r)
	if !r.Kept() {
		return exitNotKept, nil
	}
	return exitOK, nil
}

// openOperands opens SRC, whose access times stay unchanged, and DST, or the nearest directory above a DST that does not
// exist. The path of what is opened for DST is where.
func (f flags) openOperands(host localfs.Host) (src, dst vfs.Dir, where string, err error) {
	for _, operand := range f.operands {
		l, err := location.Parse(operand)
		if err != nil {
			return nil, nil, "", err
		}
		if !l.Account.IsHere() {
			return nil, nil, "", fmt.Errorf("%s is on another host: run psync-selftest there, or mount it here", operand)
		}
	}
	if err := host.Prepare(vfs.Preparation{Xattrs: true, ACLs: true}); err != nil {
		return nil, nil, "", err
	}
	where = f.operands[1]
	if _, err := host.Stat(where, vfs.NoFollow); errors.Is(err, fs.ErrNotExist) {
		if where, _, err = operand.NearestDir(host, where); err != nil {
			return nil, nil, "", err
		}
	}
	if _, inside, err := host.Inside(where, f.operands[0]); err != nil {
		return nil, nil, "", err
	} else if inside {
		return nil, nil, "", errors.New("DST lies inside SRC")
	}
	if src, err = host.Open(f.operands[0], vfs.OpenOptions{Noatime: true}); err != nil {
		return nil, nil, "", err
	}
	if dst, err = host.Open(where, vfs.OpenOptions{}); err != nil {
		return nil, nil, "", errors.Join(err, src.Close())
	}
	return src, dst, where, nil
}

// lister returns a function that prints each entry that is not kept.
func lister(p survey.Printer) func(path string, k survey.Kind, detail string) {
	var mu sync.Mutex // serializes lines
	return func(path string, k survey.Kind, detail string) {
		mu.Lock()
		defer mu.Unlock()
		line := quote.Name(path, p.UTF8) + ": " + k.String()
		if detail != "" {
			line += " (" + p.Printable(detail) + ")"
		}
		fmt.Fprintln(p.Out, line)
	}
}

package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"psync/internal/engine/job"
	"psync/internal/engine/source"
	"psync/internal/manifest"
	"psync/internal/mhl"
	"psync/internal/mhl/history"
	"psync/internal/operand"
	"psync/internal/version"
	"psync/internal/vfs"
)

// checksums are what a copy records of the contents of files.
type checksums struct {
	list    *manifest.Writer  // or nil
	history *history.Recorder // of MHL, or nil
}

// openChecksums prepares for recording what the options ask for. It refuses a history that cannot be continued.
func (o *Options) openChecksums(ctx context.Context, t *trees) (c checksums, err error) {
	roots := t.roots
	if t.options.DryRun || len(roots.Sources) == 0 { // all are missing, and ignored
		return c, nil
	}
	if o.Output.MHL {
		if err := o.checkHistories(ctx, t); err != nil {
			return c, fmt.Errorf("--mhl: %w", err)
		}
		c.history = history.NewRecorder()
	}
	if o.Output.Manifest != "" {
		f, err := o.createFile(o.Output.Manifest, roots.Umask)
		if err != nil {
			return c, fmt.Errorf("--manifest: %w", err)
		}
		c.list = manifest.NewWriter(f)
	}
	return c, nil
}

// checkHistories refuses histories of the destination that cannot be continued, and those that copies of others would
// replace. It warns of the first one of the sources that cannot be continued once it is in the destination.
func (o *Options) checkHistories(ctx context.Context, t *trees) error {
	roots := t.roots
	inDest := make(map[string]bool)
	check := func(path string, dir vfs.Dir) error {
		inDest[path] = true
		if err := history.Check(dir); err != nil {
			return inNested(path, err)
		}
		return nil
	}
	if _, err := vfs.Lstat(roots.Dest, mhl.Dir); !errors.Is(err, fs.ErrNotExist) {
		if err := check("", roots.Dest); err != nil {
			return err
		}
	}
	if err := history.Nested(ctx, roots.Dest, nil, check); err != nil {
		return err
	}
	var warned bool
	for _, s := range roots.Sources {
		err := t.eachHistory(ctx, s, func(path string, dir vfs.Dir) error {
			dest := vfs.Join(s.Into, path)
			if inDest[dest] {
				return fmt.Errorf("SRC and DST both have a history in %s, and a copy of SRC's would replace DST's; move one of them elsewhere",
					vfs.Join(dest, mhl.Dir))
			}
			if err := history.Check(dir); err != nil && !warned {
				warned = true
				o.Messages.warn(fmt.Sprintf("--mhl will write no history, because of that of SRC: %v", inNested(path, err)))
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// inNested says which directory the history that an error is about belongs to, unless it is the first one.
func inNested(path string, err error) error {
	if path == "" {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// eachHistory calls found for each directory of a source whose history a copy takes along.
func (t *trees) eachHistory(ctx context.Context, s source.Tree, found func(path string, dir vfs.Dir) error) error {
	if s.Dir == nil {
		return nil
	}
	rules := t.options.Rules
	if s.Rules != nil {
		rules = s.Rules
	}
	hidden := func(path string) bool {
		first, _, _ := strings.Cut(path, "/")
		return s.Names != nil && !slices.Contains(s.Names, first) || rules != nil && rules.Hidden(path, true)
	}
	if !hidden(mhl.Dir) {
		if _, err := vfs.Lstat(s.Dir, mhl.Dir); err == nil {
			if err := found("", s.Dir); err != nil {
				return err
			}
		}
	}
	if t.options.Files != nil || t.options.OneLevel {
		return nil
	}
	return history.Nested(ctx, s.Dir, hidden, found)
}

// bothHashes are two hashes of one file.
type bothHashes [2]job.FileHash

// Write implements [job.FileHash]. Hashes take everything.
func (b bothHashes) Write(p []byte) (int, error) {
	_, _ = b[0].Write(p)
	return b[1].Write(p)
}

// Record implements [job.FileHash].
func (b bothHashes) Record(path string, attr vfs.Attr) {
	b[0].Record(path, attr)
	b[1].Record(path, attr)
}

// hashes returns how the files of a copy are hashed.
func (c checksums) hashes(hosts operand.Hosts) (h job.FileHashes) {
	h.OfDest = receives(hosts)
	forList := func() job.FileHash { return c.list.NewFileHash() }
	forHistory := func() job.FileHash { return c.history.NewFileHash() }
	switch {
	case c.list != nil && c.history != nil:
		h.New = func() job.FileHash { return bothHashes{forList(), forHistory()} }
	case c.list != nil:
		h.New = forList
	case c.history != nil:
		h.New = forHistory
	}
	return h
}

// receives reports whether files come from another host to this one.
func receives(hosts operand.Hosts) bool { return hosts.Source.IsRemote() && !hosts.Dest.IsRemote() }

// ErrNoMHL says that a history was not written because the run has not succeeded.
var ErrNoMHL = errors.New("the history of --mhl was not written, as not everything was copied")

// An MHLError says that a history cannot be written, or that it does not say what is there.
type MHLError struct{ Err error }

func (e *MHLError) Error() string { return e.Err.Error() }
func (e *MHLError) Unwrap() error { return e.Err }

// writeHistory writes the history of MHL, if there is one, once a copy has succeeded, and returns what is wrong with it.
func (c checksums) writeHistory(ctx context.Context, on operand.Host, roots *operand.Roots) (errs []error) {
	failed, err := c.history.Write(ctx, roots.Dest, nameOf(roots.DestPath, on), creator())
	for _, path := range failed {
		errs = append(errs, &MHLError{fmt.Errorf("%s: is not what its history says", vfs.Join(roots.DestLabel(), path))})
	}
	if err != nil {
		errs = append(errs, &MHLError{fmt.Errorf("--mhl: %w", err)})
	}
	return errs
}

// nameOf returns the last element of the path of a directory, for the names of files.
func nameOf(dir string, on operand.Host) string {
	if full, err := on.Resolve(dir); err == nil {
		dir = full
	}
	if name := path.Base(dir); name != "/" && name != "." {
		return name
	}
	return "root"
}

func creator() mhl.Creator {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return mhl.Creator{Host: host, Tool: "psync", Version: version.String(), Created: time.Now()}
}

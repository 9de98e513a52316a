package cli

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"psync/internal/cli/flags"
	"psync/internal/journal"
	"psync/internal/operand"
	"psync/internal/operand/location"
	"psync/internal/sys"
	"psync/internal/version"
	"psync/internal/vfs"
)

// A recordedRun is what a run has to do with its journal. Without a journal, it is nil.
type recordedRun struct {
	name     string
	writer   *journal.Writer
	progress *journal.Progress // nil: the run does not go on with one
}

// An IncompleteError says that directories are not done, as the audit of the journal finds.
type IncompleteError struct {
	Journal string
	Open    int64 // directories that are not done
	Found   int64
}

func (e *IncompleteError) Error() string {
	return fmt.Sprintf("%d of %d directories are not done, says the journal", e.Open, e.Found)
}

// errDestEmpty says that what the journal says was done is not there.
var errDestEmpty = errors.New("DST is empty, and the journal says that directories in it are done")

// openJournal makes the journal of a run, or opens it to go on with, if the run has anything to do. files are the hashes of
// files that flags name.
func (a *app) openJournal(o *flags.Options, args, files []string, roots *operand.Roots) (*recordedRun, error) {
	name := o.Journal
	if name == "" || len(roots.Sources) == 0 {
		return nil, nil
	}
	job, err := a.recordedJob(o, args, files, roots)
	if err != nil {
		return nil, err
	}
	session := journal.Session{Started: time.Now(), Program: "psync " + version.String(), PID: os.Getpid()}
	session.Host, _ = os.Hostname() // which only people read
	if v, err := roots.Dest.Statfs(); err == nil && !v.Network {
		session.Boot = sys.BootID()
	}
	r := &recordedRun{name: name}
	if !o.Resume {
		r.writer, err = journal.Create(openerOf(o), name, job, session)
		return r, err
	}
	var cut int64
	r.writer, r.progress, cut, err = journal.Resume(openerOf(o), name, job, session, o.KeepsHardLinks())
	if err == nil && r.progress != nil && r.progress.Bytes > 0 && len(o.Aux.CompareDest) == 0 && isEmpty(roots.Dest) {
		return nil, errors.Join(errDestEmpty, r.close(ExitOperands))
	}
	if cut > 0 && err == nil {
		a.warn(o, fmt.Sprintf("%d bytes at the end of %s are damaged or incomplete, or the disk may lack what they tell of: what they say was done is done again", cut, name))
	}
	if r.progress == nil && err == nil {
		a.note(o, name+" is new: everything is still to be done")
	}
	return r, err
}

// recordedJob returns what the journal is about, as it can be told from any working directory.
func (a *app) recordedJob(o *flags.Options, args, files []string, roots *operand.Roots) (j journal.Job, err error) {
	abs := func(arg string) string {
		path, wrong := absolute(arg)
		err = cmp.Or(err, wrong)
		return path
	}
	j = journal.Job{Verb: o.Verb(), Settings: append(o.Deciding(a.line), files...), Dest: abs(args[len(args)-1])}
	for _, src := range args[:len(args)-1] {
		j.Sources = append(j.Sources, abs(src))
	}
	for _, s := range roots.Sources {
		j.Roots = append(j.Roots, abs(s.Label))
		j.Copies = append(j.Copies, abs(vfs.Join(roots.DestLabel(), s.Into)))
	}
	return j, err
}

// absolute returns the absolute path of a local operand, with the slash at its end, or the operand of another host. If it
// guessed where the working directory cannot be told, the next run would take the journal for that of another job.
func absolute(arg string) (string, error) {
	l, err := location.Parse(arg)
	if err != nil || !l.Account.IsHere() {
		return arg, nil
	}
	path, err := filepath.Abs(l.Path)
	if err != nil {
		return "", fmt.Errorf("--journal: the working directory is unknown: %w; name SRC and DST with absolute paths", err)
	}
	if strings.HasSuffix(arg, "/") && path != "/" {
		path += "/"
	}
	return path, nil
}

// isEmpty reports whether a directory has no entries.
func isEmpty(d vfs.Dir) bool {
	empty := true
	err := d.ReadDir(func([]vfs.Entry) error {
		empty = false
		return errNotEmpty
	})
	return err == nil && empty
}

var errNotEmpty = errors.New("the directory has entries")

// hashed returns an OpenFunc like open. What it opens is added to hashes when it has been read.
func hashed(open flags.OpenFunc, hashes *[]string) flags.OpenFunc {
	return func(name string) (io.ReadCloser, error) {
		f, err := open(name)
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }()
		text, err := io.ReadAll(f)
		if err != nil {
			return nil, err
		}
		*hashes = append(*hashes, fmt.Sprintf("%s (%x)", name, sha256.Sum256(text)))
		return io.NopCloser(strings.NewReader(string(text))), nil
	}
}

// An auditRecord is what the summary of the log says of an audit.
type auditRecord struct {
	Journal  string `json:"journal"`
	Complete bool   `json:"complete"`
	Found    int64  `json:"found"` // directories, as the others
	Done     int64  `json:"done"`
	Failed   int64  `json:"failed"`
	Missing  int64  `json:"missing"`
}

// audit says whether the journal proves that everything is done, if the run has come to its end.
func (r *recordedRun) audit(ctx context.Context, a *app, o *flags.Options, err error) error {
	if r == nil || err != nil || ctx.Err() != nil {
		return err
	}
	f, err := journal.Read(r.name, sys.BootID())
	if err != nil {
		return err
	}
	defer f.Close()
	result, err := f.Audit()
	if err != nil {
		return err
	}
	a.log.Add("audit", auditRecord{r.name, result.Complete(), result.Found, result.Done, result.Failed, result.Missing})
	if !result.Complete() {
		return &IncompleteError{r.name, result.Failed + result.Missing, result.Found}
	}
	what := fmt.Sprintf("complete: the journal says that all %d directories are done", result.Found)
	if looked := r.looked(); looked < result.Found {
		what += fmt.Sprintf("; this run looked at %d of them in DST, and %s looks at all", looked, shellLine([]string{"status", "--check", r.name}))
	}
	a.note(o, what)
	return nil
}

// looked returns how many directories the run has seen in DST.
func (r *recordedRun) looked() int64 {
	if r.progress == nil {
		return math.MaxInt64 // it began the journal, and so looked at all
	}
	return r.progress.Present()
}

// close ends the session.
func (r *recordedRun) close(status int) error {
	if r == nil {
		return nil
	}
	return r.writer.Close(journal.End{Ended: time.Now(), Status: status})
}

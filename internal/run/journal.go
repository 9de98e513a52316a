package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"psync/internal/journal"
	"psync/internal/operand"
	"psync/internal/operand/location"
	"psync/internal/sys"
	"psync/internal/version"
	"psync/internal/vfs"
)

// A journaled has what a run needs of its journal. Without a journal, it is nil.
type journaled struct {
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

// ErrDestEmpty says that what the journal says was done is not there.
var ErrDestEmpty = errors.New("DST is empty, and the journal says that directories in it are done")

// StatusRefused is the exit status that the journal records of a run that was refused with [ErrDestEmpty].
const StatusRefused = 3

// openJournal makes the journal of a run, or opens it to go on with, if the run has anything to do.
func (o *Options) openJournal(roots *operand.Roots) (*journaled, error) {
	name := o.Output.Journal
	if name == "" || len(roots.Sources) == 0 {
		return nil, nil
	}
	job, err := o.journalJob(roots)
	if err != nil {
		return nil, err
	}
	session := journal.Session{Started: time.Now(), Program: "psync " + version.String(), PID: os.Getpid()}
	session.Host, _ = os.Hostname() // which only people read
	if v, err := roots.Dest.Statfs(); err == nil && !v.Network {
		session.Boot = sys.BootID()
	}
	j := &journaled{name: name}
	if !o.Output.Resume {
		if j.writer, err = journal.Create(o.openFile, name, job, session); err != nil {
			return nil, err
		}
		return j, nil
	}
	var cut int64
	if j.writer, j.progress, cut, err = journal.Resume(o.openFile, name, job, session, o.Engine.HardLinks); err != nil {
		return nil, err
	}
	if j.progress != nil && j.progress.Bytes > 0 && len(o.Aux.CompareDest) == 0 && isEmpty(roots.Dest) {
		return nil, errors.Join(ErrDestEmpty, j.end(StatusRefused))
	}
	if cut > 0 {
		o.Messages.warn(fmt.Sprintf("%d bytes at the end of %s are damaged or incomplete, or the disk may lack what they record: what they say was done is done again", cut, name))
	}
	if j.progress == nil {
		o.Messages.note(name + " is new: everything is still to be done")
	}
	return j, nil
}

// journalJob returns what the journal is about, as it can be recognized from any working directory.
func (o *Options) journalJob(roots *operand.Roots) (j journal.Job, err error) {
	abs := func(arg string) string {
		path, wrong := absolute(arg)
		err = cmp.Or(err, wrong)
		return path
	}
	j = journal.Job{Verb: o.Command.Verb, Settings: o.Command.Settings, Dest: abs(o.Dest)}
	for _, src := range o.Sources {
		j.Sources = append(j.Sources, abs(src))
	}
	for _, s := range roots.Sources {
		j.Roots = append(j.Roots, abs(s.Label))
		j.Copies = append(j.Copies, abs(vfs.Join(roots.DestLabel(), s.Into)))
	}
	return j, err
}

// absolute returns the absolute path of a local operand, with the slash at its end, or the operand of another host. If it
// guessed where the working directory cannot be found, the next run would take the journal for that of another job.
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

// An Audit says what the journal proves of a run that has come to its end.
type Audit struct {
	Journal  string `json:"journal"`
	Complete bool   `json:"complete"`
	Found    int64  `json:"found"` // directories, as the others
	Done     int64  `json:"done"`
	Failed   int64  `json:"failed"`
	Missing  int64  `json:"missing"`

	Looked int64 `json:"-"` // directories that the run has seen in DST
}

// audit says what the journal proves, if the run has come to its end. The error, if it does not prove that everything is
// done, is an *[IncompleteError].
func (j *journaled) audit(ctx context.Context, ended error) (*Audit, error) {
	if j == nil || ended != nil || ctx.Err() != nil {
		return nil, ended
	}
	f, err := journal.Read(j.name, sys.BootID())
	if err != nil {
		return nil, err
	}
	defer f.Close()
	result, err := f.Audit()
	if err != nil {
		return nil, err
	}
	audit := &Audit{j.name, result.Complete(), result.Found, result.Done, result.Failed, result.Missing, min(j.looked(), result.Found)}
	if !audit.Complete {
		err = &IncompleteError{j.name, result.Failed + result.Missing, result.Found}
	}
	return audit, err
}

// looked returns how many directories the run has seen in DST.
func (j *journaled) looked() int64 {
	if j.progress == nil {
		return math.MaxInt64 // it began the journal, and so looked at all
	}
	return j.progress.Present()
}

// end ends the session.
func (j *journaled) end(status int) error {
	if j == nil {
		return nil
	}
	return j.writer.Close(journal.End{Ended: time.Now(), Status: status})
}

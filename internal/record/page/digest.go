// Package page makes one HTML page of the logs of runs, for people who answer for the data. The page loads nothing
// from elsewhere and has no scripts.
package page

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"path"

	"psync/internal/record"
)

// Limits of what a page shows.
const (
	mostExamples = 5
	mostGroups   = 30
	mostDirs     = 20
	mostRuns     = 50
	mostTimed    = 200_000 // directories whose times are remembered
)

// A Digest is what logs say.
type Digest struct {
	Runs     []*Run
	Events   map[string]*Sum
	Sizes    [65]Sum // files that were copied, by the bits of their size
	Failures *groups
	Unkept   *groups
	Removed  *groups // by directory
	Moved    *groups // removed from the source once the destination had it, by directory
	Skipped  *groups
	Damaged  int64 // lines that could not be read

	dirs map[string]*dirTimes // of files that were copied
}

// A Run is one run of psync. Of a dry run or a comparison, nothing is in the sums of what was done.
type Run struct {
	Start   Line
	Summary *Line // nil if the log ends without
	Copied  Sum   // files
	Times   timeline
}

// A dirTimes is when files of a directory were copied.
type dirTimes struct {
	first, last float64
	sum         Sum
}

// New returns a digest of no logs.
func New() *Digest {
	return &Digest{
		Events: make(map[string]*Sum), Failures: newGroups(), Unkept: newGroups(), Removed: newGroups(), Moved: newGroups(), Skipped: newGroups(),
		dirs: make(map[string]*dirTimes),
	}
}

// errNoLog says that a file is something else.
var errNoLog = errors.New("is no log of --json: it does not begin with a start")

// Read adds a log. It returns an error if the log cannot be read, or is none that this package knows.
func (d *Digest) Read(log io.Reader) error {
	r := bufio.NewReaderSize(log, 1<<20)
	var run *Run
	for {
		text, err := r.ReadBytes('\n')
		if len(bytes.TrimSpace(text)) > 0 {
			var l Line
			switch bad := json.Unmarshal(text, &l); {
			case bad == nil && l.Event == "start":
				if l.Schema != record.Schema {
					return fmt.Errorf("has the schema %d, and this psync knows %d", l.Schema, record.Schema)
				}
				run = &Run{Start: l}
				d.Runs = append(d.Runs, run)
			case run == nil:
				return errNoLog
			case bad != nil:
				d.Damaged++
			default:
				d.add(run, &l)
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	if run == nil {
		return errNoLog
	}
	return nil
}

// add adds a line of a run.
func (d *Digest) add(run *Run, l *Line) {
	if l.Event == "summary" {
		run.Summary = l
		return
	}
	sum := d.Events[l.Event]
	if sum == nil {
		sum = new(Sum)
		d.Events[l.Event] = sum
	}
	sum.add(l.Size)
	switch l.Event {
	case "copy", "replace":
		if l.Type == "file" && !run.Start.DryRun {
			d.Sizes[bits.Len64(uint64(max(0, l.Size)))].add(l.Size)
			run.Copied.add(l.Size)
			run.Times.add(l.T, l.Size)
			d.addDir(path.Dir(l.Path), l)
		}
	case "fail", "vanish":
		what := l.Message
		if l.Error != "" {
			what = l.Error
			if l.Op != "" {
				what = l.Op + ": " + l.Error
			}
		}
		if l.Event == "vanish" {
			what = "vanished while it was copied"
		}
		d.Failures.add(what, l.Remedy, l.name())
	case "unkept":
		d.Unkept.add(l.Attribute+": "+l.Message, l.Remedy, l.name())
	case "delete":
		if !run.Start.DryRun {
			d.Removed.add(path.Dir(l.Path), "", l.name())
		}
	case "removed_source":
		d.Moved.add(path.Dir(l.Path), "", l.name())
	case "skip":
		what := l.Type
		if l.Message != "" {
			what = l.Message
		}
		d.Skipped.add(what, "", l.name())
	}
}

// addDir adds a file to the times of its directory.
func (d *Digest) addDir(dir string, l *Line) {
	t := d.dirs[dir]
	if t == nil {
		if len(d.dirs) >= mostTimed {
			return
		}
		t = &dirTimes{first: l.T}
		d.dirs[dir] = t
	}
	t.first, t.last = min(t.first, l.T), max(t.last, l.T)
	t.sum.add(l.Size)
}

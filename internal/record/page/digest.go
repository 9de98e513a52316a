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
	maxExamples = 5
	maxGroups   = 30
	maxDirs     = 20
	maxRuns     = 50
	maxTimed    = 200_000 // directories whose times are remembered
	minCharted  = 1       // seconds: what took less has no chart
)

// A Digest is what logs say.
type Digest struct {
	Runs    []*Run
	Events  map[string]*Sum
	Sizes   [65]Sum // files that were copied, by the bits of their size
	Removed *groups // by directory
	Moved   *groups // removed from the source once the destination had it, by directory
	Damaged int64   // lines that could not be read, or whose run has no beginning

	dirs map[string]*dirTimes // of files that were copied
}

// A dirTimes is when files of a directory were copied.
type dirTimes struct {
	first, last float64
	sum         Sum
}

// New returns a digest of no logs.
func New() *Digest {
	return &Digest{
		Events: make(map[string]*Sum), Removed: newGroups(), Moved: newGroups(),
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
				run = newRun(l)
				d.Runs = append(d.Runs, run)
			case run == nil:
				return errNoLog
			case bad != nil, run.Summary != nil:
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
	run.add(l)
	dir := path.Dir(l.Path)
	switch {
	case l.Event == "removed_source":
		d.Moved.add(dir, "", l.name())
	case run.Start.DryRun:
	case l.Event == "delete":
		d.Removed.add(dir, "", l.name())
	case l.copiesFile():
		d.Sizes[bits.Len64(uint64(max(0, l.Size)))].add(l.Size)
		d.addDir(dir, l)
	}
}

// addDir adds a file to the times of its directory.
func (d *Digest) addDir(dir string, l *Line) {
	t := d.dirs[dir]
	if t == nil {
		if len(d.dirs) >= maxTimed {
			return
		}
		t = &dirTimes{first: l.T}
		d.dirs[dir] = t
	}
	t.first, t.last = min(t.first, l.T), max(t.last, l.T)
	t.sum.add(l.Size)
}

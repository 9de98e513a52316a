// Package record writes the logs of a run: JSON Lines for programs, and lines in the format of rsync's log file for
// people; and the list of what failed, see [FailureList].
//
// The man page psync-log(7) is the contract of the JSON Lines: a change that a reader could stumble over raises
// [Schema]. Each line is written whole, at the latest a second after its event. The removal of a file is in
// the log before the file is removed.
package record

import (
	"io"
	"sync"
	"time"

	"psync/internal/report"
	"psync/internal/ui"
)

// Schema is the version of the schema of the JSON Lines.
const Schema = 1

// A Config says what is written where.
type Config struct {
	JSON io.WriteCloser // nil: no JSON Lines
	Text io.WriteCloser // nil: no lines for people

	Format   *ui.OutFormat // of the lines in Text
	Receives bool          // the source is on another host, and the destination is not

	// Hint returns what can be done about an error, or "".
	Hint func(error) string
}

// A Recorder is a [report.Sink] that writes the logs of a run. Its methods are safe for concurrent use. A nil
// Recorder has no logs.
type Recorder struct {
	hint   func(error) string
	detail report.Detail
	wants  report.Wants // of next
	next   report.Sink
	json   *lines
	text   *lines
	step   func([]byte, report.Event) []byte // appends a step to text; nil: none has a line
	start  time.Time

	mu     sync.Mutex // guards what follows
	counts map[string]int64
	audit  any // of the journal; nil if there is none
}

// NewRecorder returns a recorder. The caller must call Start, Before and End in turn.
func NewRecorder(c Config) *Recorder {
	r := &Recorder{hint: c.Hint, counts: make(map[string]int64)}
	if c.JSON != nil {
		r.json = newLines(c.JSON)
	}
	if c.Text != nil {
		r.text = newLines(c.Text)
		r.step, r.detail = c.Format.Appender(c.Receives), c.Format.Details()
	}
	return r
}

// Before returns a Sink that records events and then passes them on to next. For a nil recorder it returns next.
func (r *Recorder) Before(next report.Sink) report.Sink {
	if r == nil {
		return next
	}
	r.next = next
	r.wants = report.WantsOf(next)
	r.detail |= r.wants.Details
	return r
}

// Event implements [report.Sink].
func (r *Recorder) Event(e report.Event) {
	if e.Kind >= report.Current {
		r.next.Event(e)
		return
	}
	now := time.Now()
	if r.json != nil {
		line := buffers.Get().(*[]byte)
		*line = r.appendEvent((*line)[:0], e, now.Sub(r.start))
		r.json.write(*line, announces(e.Kind))
		buffers.Put(line)
		r.count(e.Kind)
	}
	if r.text != nil {
		line := buffers.Get().(*[]byte)
		*line = r.appendText((*line)[:0], e, now)
		r.text.write(*line, announces(e.Kind))
		buffers.Put(line)
	}
	if !announces(e.Kind) {
		r.next.Event(e)
	}
}

// announces reports whether an event comes before what it announces. The log has it first.
func announces(k report.Kind) bool { return k == report.Deleting || k == report.RemovingSource }

func (r *Recorder) count(k report.Kind) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counts[kindNames[k]]++
}

// Wants implements [report.Chooser].
func (r *Recorder) Wants() report.Wants {
	w := r.wants
	w.Steps, w.Announcements, w.Details = true, r.json != nil || r.text != nil, r.detail
	return w
}

// Audit adds what a journal proves to the summary, as encoding/json has it.
func (r *Recorder) Audit(audit any) {
	if r != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.audit = audit
	}
}

var buffers = sync.Pool{New: func() any { return new([]byte) }}

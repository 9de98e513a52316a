package record

import (
	"cmp"
	"errors"
	"io"
	"strings"
	"sync"

	"psync/internal/report"
)

// A FailureList is a [report.Sink] that writes the paths of the entries that could not be copied, or lack an attribute
// that was asked for, relative to the source, as --files-from reads them. Each is written at once, so that the list is
// there whatever ends the run. Its methods are safe for concurrent use. A nil FailureList writes nothing.
type FailureList struct {
	next report.Sink
	w    io.WriteCloser
	end  string // of each path
	// inSource returns the path to write for one below the destination.
	inSource func(path string) string

	mu   sync.Mutex // guards what follows
	last string
	err  error
}

// NewFailureList returns a list that is written to w. Paths end in NUL or, unless nul is true, in a newline. The function
// inSource returns where in the source a path below the destination comes from. The caller must call Before and Close in turn.
func NewFailureList(w io.WriteCloser, nul bool, inSource func(string) string) *FailureList {
	l := &FailureList{w: w, end: "\n", inSource: inSource}
	if nul {
		l.end = "\x00"
	}
	return l
}

// errBreaksLine says that a path cannot stand on a line.
var errBreaksLine = errors.New("names with line breaks are left out: -0 ends names in NUL")

// Before returns a Sink that lists what fails and passes all events on to next. For a nil list it returns next.
func (l *FailureList) Before(next report.Sink) report.Sink {
	if l == nil {
		return next
	}
	l.next = next
	return l
}

// Event implements [report.Sink].
func (l *FailureList) Event(e report.Event) {
	if e.Kind == report.Fail || e.Kind == report.Unkept && e.Asked {
		l.add(e)
	}
	l.next.Event(e)
}

// Wants implements [report.Chooser].
func (l *FailureList) Wants() report.Wants { return report.WantsOf(l.next) }

func (l *FailureList) add(e report.Event) {
	path := report.Event{Dir: e.Dir, Name: e.Name}.Path()
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case path == l.last: // several attributes of one entry
		return
	case strings.Contains(path, l.end):
		l.err = errBreaksLine
		return
	}
	l.last = path
	path = l.inSource(path)
	if strings.HasPrefix(path, "#") || strings.HasPrefix(path, ";") {
		path = "/" + path // or else it would be a comment; "./" would name the source itself, too
	}
	if _, err := io.WriteString(l.w, path+l.end); err != nil {
		l.err = err
	}
}

// Close ends the list and closes the file. Its error says why the list is not complete.
func (l *FailureList) Close() error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = cmp.Or(l.err, l.w.Close())
	return l.err
}

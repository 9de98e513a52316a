package journal

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// magic is what a journal begins with.
const magic = "psync journal 2\n"

// A Job is what a journal is about.
type Job struct {
	Verb     string
	Sources  []string // the operands: absolute paths, or locations of other hosts
	Dest     string
	Roots    []string // of the trees that the sources come to, several of which may be in one; all that is to be done is below them
	Copies   []string // what each of Roots is copied to
	Settings []string // what else decides which entries are dealt with, and how
}

// A header is the record of a job. It holds bytes, for names need not be text.
type header struct {
	Key      []byte   `json:"key"`
	Verb     string   `json:"verb"`
	Sources  [][]byte `json:"sources"`
	Dest     []byte   `json:"dest"`
	Roots    [][]byte `json:"roots"`
	Copies   [][]byte `json:"copies"`
	Settings [][]byte `json:"settings"`
}

func newHeader(k Key, j Job) header {
	return header{
		k[:], j.Verb, convert[[]byte](j.Sources), []byte(j.Dest), convert[[]byte](j.Roots), convert[[]byte](j.Copies), convert[[]byte](j.Settings),
	}
}

func (h *header) job() Job {
	return Job{h.Verb, convert[string](h.Sources), string(h.Dest), convert[string](h.Roots), convert[string](h.Copies), convert[string](h.Settings)}
}

func convert[To, From string | []byte](from []From) []To {
	to := make([]To, len(from))
	for i, s := range from {
		to[i] = To(s)
	}
	return to
}

// differs says in what the job is another than the one recorded; it returns "" if it is the same.
func (j Job) differs(recorded Job) string {
	switch {
	case j.Verb != recorded.Verb:
		return fmt.Sprintf("it is about psync %s", recorded.Verb)
	case !slices.Equal(j.Sources, recorded.Sources):
		return fmt.Sprintf("it is about the source %s", strings.Join(recorded.Sources, ", "))
	case j.Dest != recorded.Dest:
		return fmt.Sprintf("it is about the destination %s", recorded.Dest)
	}
	if !slices.Equal(j.Roots, recorded.Roots) {
		return "not the same ones of its sources exist"
	}
	for _, s := range j.Settings {
		if !slices.Contains(recorded.Settings, s) {
			return fmt.Sprintf("it is about a run without %s", s)
		}
	}
	if len(j.Settings) == len(recorded.Settings) && !slices.Equal(j.Settings, recorded.Settings) {
		return "it is about a run with the same flags in another order"
	}
	for _, s := range recorded.Settings {
		if !slices.Contains(j.Settings, s) {
			return fmt.Sprintf("it is about a run with %s", s)
		}
	}
	return ""
}

// A Session is one run that works for the journal.
type Session struct {
	Started time.Time `json:"started"`
	Program string    `json:"program"` // and version
	Host    string    `json:"host"`
	PID     int       `json:"pid"`
	// Boot identifies the boot of the system; "" if that is not known, or if what is written is safe whatever becomes of
	// this system, as it is on file servers.
	Boot string `json:"boot,omitempty"`
}

// An End is how a session ended.
type End struct {
	Ended  time.Time `json:"ended"`
	Status int       `json:"status"` // the exit status
}

// A JobError says that a journal is not about the job that it was opened for.
type JobError struct{ Name, Difference string }

func (e *JobError) Error() string {
	return fmt.Sprintf("%s is the journal of another job: %s", e.Name, e.Difference)
}

// An ExistsError says that a journal exists and is not to be gone on with.
type ExistsError struct{ Name string }

func (e *ExistsError) Error() string {
	return e.Name + " exists already"
}

// A FormatError says that a file is no journal, or is one of another generation.
type FormatError struct{ Name string }

func (e *FormatError) Error() string {
	return e.Name + " is not a journal that this psync can read"
}

// errUnbegun says that a journal was left before anything was in it.
var errUnbegun = errors.New("nothing is in the journal yet")

// A LockedError says that another process is at work for the journal.
type LockedError struct{ Name string }

func (e *LockedError) Error() string {
	return "another psync is at work for the journal " + e.Name
}

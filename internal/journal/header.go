package journal

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// magic is the first line of a journal.
const magic = "psync journal 2\n"

// A Job is the job that a journal records.
type Job struct {
	Verb     string
	Sources  []string // the operands: absolute paths, or locations of other hosts
	Dest     string
	Roots    []string // the roots of the trees to copy; one tree may contain several sources
	Copies   []string // what each of Roots is copied to
	Settings []string // the other settings that determine which entries are handled, and how
}

// A header is the record of a job. It holds bytes, because names need not be valid UTF-8.
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

// differs describes how the job differs from the recorded one. It returns "" if the two are the same.
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

// A Session is one run that uses the journal.
type Session struct {
	Started time.Time `json:"started"`
	Program string    `json:"program"` // and version
	Host    string    `json:"host"`
	PID     int       `json:"pid"`
	// Boot identifies the boot of the system. It is "" if that is unknown, or if a crash of this system cannot lose
	// written data, as on file servers.
	Boot string `json:"boot,omitempty"`
}

// An End is how a session ended.
type End struct {
	Ended  time.Time `json:"ended"`
	Status int       `json:"status"` // the exit status
}

// A JobError is the error for a journal that records a different job.
type JobError struct{ Name, Difference string }

func (e *JobError) Error() string {
	return fmt.Sprintf("%s is the journal of another job: %s", e.Name, e.Difference)
}

// An ExistsError is the error for a journal that exists and is not to be resumed.
type ExistsError struct{ Name string }

func (e *ExistsError) Error() string {
	return e.Name + " exists already"
}

// A FormatError is the error for a file that is not a journal, or has another version of the format.
type FormatError struct{ Name string }

func (e *FormatError) Error() string {
	return e.Name + " is not a journal that this psync can read"
}

// errEmpty is the error for a journal without records.
var errEmpty = errors.New("nothing is in the journal yet")

// A LockedError is the error for a journal that another process uses.
type LockedError struct{ Name string }

func (e *LockedError) Error() string {
	return "another psync is at work for the journal " + e.Name
}

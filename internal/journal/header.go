package journal

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// magic is what a journal begins with.
const magic = "psync journal 1\n"

// A Job is what a journal is about.
type Job struct {
	Verb     string   `json:"verb"`
	Sources  []string `json:"sources"` // absolute paths, or locations of other hosts
	Dest     string   `json:"dest"`
	Settings []string `json:"settings"` // what else decides which entries are copied, and how; sorted
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
	for _, s := range j.Settings {
		if !slices.Contains(recorded.Settings, s) {
			return fmt.Sprintf("it is about a run without %s", s)
		}
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

// A LockedError says that another process is at work for the journal.
type LockedError struct{ Name string }

func (e *LockedError) Error() string {
	return "another psync is at work for the journal " + e.Name
}

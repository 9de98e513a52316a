package queue

import (
	"cmp"
	"fmt"
	"strings"
)

// A Fact is something that must be the same for all hosts of a job: a flag, the rules, the version of the program, the
// privilege, the umask, the identity of a root.
type Fact struct {
	Name  string // as a sentence can have it: "--delete", "the umask", "the inode of /mnt/old"
	Value string // "": there is none
}

// HostFact is the name of the fact that says which host the others are those of. It may differ.
const HostFact = "host"

// Given is the value of a flag that has none.
const Given = "given"

// Facts are the facts of a host. Each name occurs once.
type Facts []Fact

// A DifferenceError is the error for a host that cannot join a job because a fact differs.
type DifferenceError struct {
	Name      string
	Here, Job string // its values
	Host      string // this one, or ""
	Began     string // the host that began the job, or ""
}

func (e *DifferenceError) Error() string {
	host, began := "", "the host that began the job"
	if e.Host != "" {
		host = e.Host + ": "
	}
	if e.Began != "" {
		began = e.Began + ", which began the job"
	}
	switch {
	case e.Job == "":
		return fmt.Sprintf("%s%s here, not at %s", host, e.says(e.Here), began)
	case e.Here == "":
		return fmt.Sprintf("%s%s at %s, not here", host, e.says(e.Job), began)
	default:
		return fmt.Sprintf("%s%s here, and %s at %s", host, e.says(e.Here), e.Job, began)
	}
}

// says returns the fact with one of its values. A flag that is given on one side only is shown as it was typed.
func (e *DifferenceError) says(value string) string {
	switch isFlag := strings.HasPrefix(e.Name, "--"); {
	case isFlag && value == Given:
		return e.Name + " is given"
	case isFlag && (e.Here == "" || e.Job == ""):
		return e.Name + "=" + value + " is given"
	default:
		return e.Name + " is " + value
	}
}

// Compare returns nil or a *[DifferenceError] for the first fact that differs from those of the job. One that only one of
// them has is reported before those of which the values differ, which may follow from that.
func (f Facts) Compare(job Facts) error {
	var first *DifferenceError
	for _, facts := range []Facts{f, job} {
		for _, fact := range facts {
			here, there := f.Value(fact.Name), job.Value(fact.Name)
			if here == there || fact.Name == HostFact {
				continue
			}
			e := &DifferenceError{fact.Name, here, there, f.Value(HostFact), job.Value(HostFact)}
			if here == "" || there == "" {
				return e
			}
			first = cmp.Or(first, e)
		}
	}
	if first == nil {
		return nil // rather than a nil *DifferenceError
	}
	return first
}

// Value returns the value of a fact, or "".
func (f Facts) Value(name string) string {
	for _, fact := range f {
		if fact.Name == name {
			return fact.Value
		}
	}
	return ""
}

package queue

import "fmt"

// A Fact is something that must be the same for all hosts of a job: a flag, the rules, the version of the program, the
// privilege, the umask, the identity of a root.
type Fact struct {
	Name  string // as a sentence can have it: "umask", "inode of /mnt/old"
	Value string // "": there is none
}

// Facts are the facts of a host, in any order. Each name occurs once.
type Facts []Fact

// A DifferenceError is the error for a host that cannot join a job because a fact differs.
type DifferenceError struct {
	Name      string
	Here, Job string // its values
}

func (e *DifferenceError) Error() string {
	switch {
	case e.Here == "":
		return fmt.Sprintf("the job has %s %s, and this host has none", e.Name, e.Job)
	case e.Job == "":
		return fmt.Sprintf("this host has %s %s, and the job has none", e.Name, e.Here)
	default:
		return fmt.Sprintf("this host has %s %s, and the job has %s", e.Name, e.Here, e.Job)
	}
}

// Compare returns nil or a *[DifferenceError] for the first fact that differs from those of the job.
func (f Facts) Compare(job Facts) error {
	for _, here := range f {
		if there := job.value(here.Name); here.Value != there {
			return &DifferenceError{here.Name, here.Value, there}
		}
	}
	for _, there := range job {
		if here := f.value(there.Name); here != there.Value {
			return &DifferenceError{there.Name, here, there.Value}
		}
	}
	return nil
}

func (f Facts) value(name string) string {
	for _, fact := range f {
		if fact.Name == name {
			return fact.Value
		}
	}
	return ""
}

// Package check runs checks of what a volume does: each in a directory of its own, which is
// removed afterwards, with a [T] that ends it as a testing.T ends a test.
package check

// A Check is one thing that is tried.
type Check struct {
	Name string
	On   System
	By   Person
	Run  func(t *T)
}

// A System is a set of those that a check is about. None stands for all.
type System uint8

// Systems.
const (
	Linux System = 1 << iota
	Mac
	FreeBSD
)

func (s System) String() string {
	switch s {
	case Linux:
		return "Linux"
	case Mac:
		return "macOS"
	case FreeBSD:
		return "FreeBSD"
	case Mac | FreeBSD:
		return "macOS and FreeBSD"
	}
	return "any system"
}

// A Person is who can run a check.
type Person uint8

// Persons.
const (
	Anyone Person = iota
	Root
	Ordinary
)

// A Verdict is how a check ended.
type Verdict uint8

// Verdicts.
const (
	Passed Verdict = iota
	Failed
	Skipped
)

// An Outcome is what is reported about a check.
type Outcome struct {
	Verdict Verdict
	Why     string
	Log     []string
}

// skip returns why a check is not for this system and user, or "".
func (c Check) skip(on System, privileged bool) string {
	switch {
	case c.On != 0 && c.On&on == 0:
		return "about " + c.On.String()
	case c.By == Root && !privileged:
		return "for root only"
	case c.By == Ordinary && privileged:
		return "not for root, who may do anything"
	}
	return ""
}

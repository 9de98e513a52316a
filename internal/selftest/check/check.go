// Package check runs checks of the behavior of a volume, each in a directory of its own, which is removed
// afterwards. A [T] can end a check as a testing.T ends a test.
package check

// A Check is a test of one behavior.
type Check struct {
	Name string
	On   System
	By   Person
	Run  func(t *T)
}

// A System is the set of systems that a check is about. The empty set stands for all.
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

// A Person is the kind of user that can run a check.
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

// An Outcome is the result of a check.
type Outcome struct {
	Verdict Verdict
	Why     string
	Log     []string
}

// skip returns why a check does not apply to this system and user, or "".
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

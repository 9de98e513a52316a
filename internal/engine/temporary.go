package engine

import (
	"fmt"
	"hash/crc32"
	"strings"
	"time"
)

// Temporaries makes names for files that are not complete, and finds out whether the process that has
// made another such name still runs. A name identifies its process:
//
//	.psync-HOST-BOOT-PID-START-RUN-NUMBER-CHECK
//
// All fields but PID and NUMBER are hexadecimal. CHECK is a checksum of the rest, so that a name
// that is merely similar is not mistaken for one.
type Temporaries struct {
	Host  uint32 // identifies the host; others made from the same image may share it
	Boot  uint32 // identifies this boot of the system and its PID namespace; 0 if not known
	PID   int    // of this process
	Start uint64 // when this process was started, in any unit; 0 if not known
	Run   uint32 // random, to distinguish this process from all others

	Booted time.Time // when the system was booted, or zero
	// Alive reports whether a process of this boot runs with this PID and start time.
	Alive func(pid int, start uint64) bool
}

const temporaryPrefix = ".psync-"

// name returns the n-th name.
func (t Temporaries) name(n uint64) string {
	return withChecksum(fmt.Sprintf("%s%08x-%08x-%d-%x-%08x-%d", temporaryPrefix, t.Host, t.Boot, t.PID, t.Start, t.Run, n))
}

// withChecksum appends the checksum of a name to it.
func withChecksum(name string) string {
	return fmt.Sprintf("%s-%08x", name, crc32.ChecksumIEEE([]byte(name)))
}

// A makerState says what is known of the process that a temporary belongs to.
type makerState uint8

const (
	notTemporary makerState = iota // the name is not that of a temporary
	makerRunning                   // it is running, and perhaps this one
	makerDead                      // it has ended
	makerUnknown                   // it may run on another system, or is of one that cannot be asked
)

// isTemporary reports whether name is that of a temporary. If understood is true, it has the form that
// this version uses, and by identifies the process that made it.
func isTemporary(name string) (by Temporaries, understood, is bool) {
	if !strings.HasPrefix(name, temporaryPrefix) {
		return by, false, false
	}
	i := strings.LastIndexByte(name, '-')
	if withChecksum(name[:i]) != name {
		return by, false, false
	}
	var n uint64
	_, err := fmt.Sscanf(name[:i]+" ", temporaryPrefix+"%x-%x-%d-%x-%x-%d ", &by.Host, &by.Boot, &by.PID, &by.Start, &by.Run, &n)
	return by, err == nil && withChecksum(name[:i]) == by.name(n), true
}

// isOwn reports whether name is one that this process makes.
func (t Temporaries) isOwn(name string) bool {
	by, understood, _ := isTemporary(name)
	return understood && t.isProcess(by)
}

// isProcess reports whether by is this process.
func (t Temporaries) isProcess(by Temporaries) bool {
	return by.Host == t.Host && by.Boot == t.Boot && by.PID == t.PID && by.Run == t.Run
}

const (
	// serverSkew is the largest error expected of the clock of a server.
	serverSkew = 10 * time.Minute
	// maxIdle is the time without a change after which a file is assumed to be abandoned.
	maxIdle = 24 * time.Hour
)

// makerState returns the state of the process by, given when the temporary that it made was last
// changed. local says that the temporary is on a volume of this host, so that changed is from our clock.
//
// For a process of this boot, Alive tells. Otherwise nothing is certain from Host and Boot: hosts made
// from one image look the same, so a name with another Boot may be from an earlier boot of this host
// or from another host that runs now. But what has not changed since this system booted cannot belong
// to a process that runs on it. On a volume of this host that makes any process dead, elsewhere only
// one with our Host, which also counts as dead if it has not changed the file for maxIdle.
func (t Temporaries) makerState(by Temporaries, changed, now time.Time, local bool) makerState {
	switch {
	case t.isProcess(by):
		return makerRunning
	case by.Host == t.Host && by.Boot == t.Boot && t.Boot != 0:
		if by.PID != t.PID && t.Alive != nil && t.Alive(by.PID, by.Start) {
			return makerRunning
		}
		return makerDead
	case changed.IsZero():
		return makerUnknown
	case local && changed.Before(t.Booted):
		return makerDead
	case by.Host == t.Host && (changed.Before(t.Booted.Add(-serverSkew)) || now.Sub(changed) > maxIdle):
		return makerDead
	}
	return makerUnknown
}

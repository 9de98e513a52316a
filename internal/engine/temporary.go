package engine

import (
	"fmt"
	"hash/crc32"
	"strings"
	"time"
)

// Temporaries makes names for files that are not complete, and finds out whom others belong to. A
// name tells who made it:
//
//	.psync-HOST-BOOT-PID-START-RUN-NUMBER-CHECK
//
// all but PID and NUMBER in hexadecimal. CHECK is a checksum of what stands
// before it, so that no name that merely looks similar is taken for one.
type Temporaries struct {
	Host  uint32 // identifies the host; others may share it, those made from the same image for instance
	Boot  uint32 // identifies this boot of the system and its space of process numbers; 0 if that is not known
	PID   int    // of this process
	Start uint64 // when this process was started, in any unit; 0 if that is not known
	Run   uint32 // random, to tell this process from all others

	Booted time.Time // when the system was booted, or zero
	// Alive reports whether a process of this boot is running that has this number and was
	// started then.
	Alive func(pid int, start uint64) bool
}

const temporaryPrefix = ".psync-"

// name returns the n-th name.
func (t Temporaries) name(n uint64) string {
	return checked(fmt.Sprintf("%s%08x-%08x-%d-%x-%08x-%d", temporaryPrefix, t.Host, t.Boot, t.PID, t.Start, t.Run, n))
}

func checked(name string) string {
	return fmt.Sprintf("%s-%08x", name, crc32.ChecksumIEEE([]byte(name)))
}

// An owner is whom a name belongs to.
type owner uint8

const (
	noProcess owner = iota // it is not that of a temporary
	running                // a process that is running, perhaps this one
	dead                   // a process that is gone
	unknown                // a process of another system, or one that cannot be asked for
)

// isTemporary reports whether name is that of a temporary, and returns who made it, if the name is
// of the form that this version makes.
func isTemporary(name string) (by Temporaries, understood, is bool) {
	if !strings.HasPrefix(name, temporaryPrefix) {
		return by, false, false
	}
	i := strings.LastIndexByte(name, '-')
	if checked(name[:i]) != name {
		return by, false, false
	}
	var n uint64
	_, err := fmt.Sscanf(name[:i]+" ", temporaryPrefix+"%x-%x-%d-%x-%x-%d ", &by.Host, &by.Boot, &by.PID, &by.Start, &by.Run, &n)
	return by, err == nil && checked(name[:i]) == by.name(n), true
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
	// serverSkew is how far the clock of a server may be off.
	serverSkew = 10 * time.Minute
	// longUnchanged is the time after which nobody is taken to be at work on a file any more.
	longUnchanged = 24 * time.Hour
)

// owner returns whom a temporary belongs to that by has made, and that was last changed then; local
// says that it is on a volume of this host, where the time is that of this host.
//
// A process of this boot can be asked for. Hosts made from one image may look the same, so that
// another boot of this host cannot be told from the present boot of another one, by what they
// are. But what was last changed before this system was booted
// belongs to no process that is at work now: on a volume of this host, whoever has made it, or else if
// it was made by what looks like this host. The same goes for what has long not been changed there.
func (t Temporaries) owner(by Temporaries, changed, now time.Time, local bool) owner {
	switch {
	case t.isProcess(by):
		return running
	case by.Host == t.Host && by.Boot == t.Boot && t.Boot != 0:
		if by.PID != t.PID && t.Alive != nil && t.Alive(by.PID, by.Start) {
			return running
		}
		return dead
	case changed.IsZero():
		return unknown
	case local && changed.Before(t.Booted):
		return dead
	case by.Host == t.Host && (changed.Before(t.Booted.Add(-serverSkew)) || now.Sub(changed) > longUnchanged):
		return dead
	}
	return unknown
}

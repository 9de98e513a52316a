// Package tempname names files that are not complete, so that a later process can find out whether the
// one that makes them still runs.
package tempname

import (
	"fmt"
	"hash/crc32"
	"strings"
	"sync/atomic"
	"time"
)

// A Process is one that makes temporary files, identified as their names do it:
//
//	.psync-HOST-BOOT-PID-START-RUN-NUMBER-CHECK
//
// All fields but PID and NUMBER are hexadecimal. CHECK is a checksum of the rest, so that a name
// that is merely similar is not mistaken for one.
type Process struct {
	Host  uint32 // identifies the host; others made from the same image may share it
	Boot  uint32 // identifies this boot of the system and its PID namespace; 0 if not known
	PID   int
	Start uint64 // when the process was started, in any unit; 0 if not known
	Run   uint32 // random, to distinguish the process from all others

	// What follows is known of this process only.

	Booted time.Time // when the system was booted, or zero
	// Alive reports whether a process of this boot runs with this PID and start time.
	Alive func(pid int, start uint64) bool
	// Peer returns the state of a process with this Run on another host, if that and this one work on one job; otherwise
	// Unknown. It may be nil.
	Peer func(run uint32) State
}

const prefix = ".psync-"

// name returns the n-th name.
func (p Process) name(n uint64) string {
	return withChecksum(fmt.Sprintf("%s%08x-%08x-%d-%x-%08x-%d", prefix, p.Host, p.Boot, p.PID, p.Start, p.Run, n))
}

// Namer returns a function that returns a new name on each call. It is safe for concurrent use.
func (p Process) Namer() func() string {
	var n atomic.Uint64
	return func() string { return p.name(n.Add(1)) }
}

// withChecksum appends the checksum of a name to it.
func withChecksum(name string) string {
	return fmt.Sprintf("%s-%08x", name, crc32.ChecksumIEEE([]byte(name)))
}

// A State says what is known of the process that has made a file.
type State uint8

const (
	None    State = iota // the name is not that of a temporary file
	Running              // it is running, and perhaps this one
	Dead                 // it has ended
	Unknown              // it may run on another system, or is of one that cannot be asked
	Shared               // it is one of several on different hosts; see OfJob
)

const jobPrefix = prefix + "job-"

// OfJob returns the name of the file in a destination by which the hosts that share a job find out that they have the same
// one. It is no temporary of any of them, and the job removes it.
func OfJob(job string) string {
	return withChecksum(fmt.Sprintf("%s%08x", jobPrefix, crc32.ChecksumIEEE([]byte(job))))
}

// IsOfJob reports whether name may be one that OfJob returns.
func IsOfJob(name string) bool {
	_, _, is := Parse(name)
	return is && strings.HasPrefix(name, jobPrefix)
}

// Parse reports whether name is that of a temporary file. If understood is true, it has the form that
// this version uses, and by identifies the process that made it.
func Parse(name string) (by Process, understood, is bool) {
	if !strings.HasPrefix(name, prefix) {
		return by, false, false
	}
	i := strings.LastIndexByte(name, '-')
	if withChecksum(name[:i]) != name {
		return by, false, false
	}
	var n uint64
	_, err := fmt.Sscanf(name[:i]+" ", prefix+"%x-%x-%d-%x-%x-%d ", &by.Host, &by.Boot, &by.PID, &by.Start, &by.Run, &n)
	return by, err == nil && withChecksum(name[:i]) == by.name(n), true
}

// is reports whether by is this process.
func (p Process) is(by Process) bool {
	return by.Host == p.Host && by.Boot == p.Boot && by.PID == p.PID && by.Run == p.Run
}

// Made reports whether name is that of a temporary file of this process.
func (p Process) Made(name string) bool {
	by, understood, _ := Parse(name)
	return understood && p.is(by)
}

const (
	// serverSkew is the largest error expected of the clock of a server.
	serverSkew = 10 * time.Minute
	// MaxIdle is the time without a change after which a file is assumed to be abandoned.
	MaxIdle = 24 * time.Hour
)

// State returns the state of the process by, given when the file that it made was last
// changed. local says that the file is on a volume of this host, so that changed is from our clock.
//
// For a process of this boot, Alive decides, and for others of the same job Peer. Otherwise nothing is
// certain from Host and Boot: hosts made from one image look the same, so a name with another Boot may be
// from an earlier boot of this host or from another host that runs now. But what has not changed since this system booted cannot belong
// to a process that runs on it. On a volume of this host that makes any process dead, elsewhere only
// one with our Host, which also counts as dead if it has not changed the file for MaxIdle.
func (p Process) State(by Process, changed, now time.Time, local bool) State {
	switch {
	case p.is(by):
		return Running
	case by.Host == p.Host && by.Boot == p.Boot && p.Boot != 0:
		if by.PID != p.PID && p.Alive != nil && p.Alive(by.PID, by.Start) {
			return Running
		}
		return Dead
	}
	if p.Peer != nil {
		if s := p.Peer(by.Run); s != Unknown {
			return s
		}
	}
	switch {
	case changed.IsZero():
		return Unknown
	case local && changed.Before(p.Booted):
		return Dead
	case by.Host == p.Host && (changed.Before(p.Booted.Add(-serverSkew)) || now.Sub(changed) > MaxIdle):
		return Dead
	}
	return Unknown
}

// Abandoned reports whether name is that of a temporary file whose process is known, from the name alone, to
// have ended.
func (p Process) Abandoned(name string) bool {
	by, understood, _ := Parse(name)
	return understood && p.State(by, time.Time{}, time.Time{}, false) == Dead
}

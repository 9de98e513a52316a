package cluster

import (
	"encoding/binary"
	"time"

	"psync/internal/engine"
	"psync/internal/queue"
	"psync/internal/tempname"
)

// setProcess has temporaries of this host say which member has made them, so that the other hosts can find out whether it
// still works.
func (w *working) setProcess(j *engine.Job) {
	process := j.Process
	if process == nil {
		return
	}
	j.Process = func() tempname.Process {
		p := process()
		p.Run, p.Peer = runOf(w.Member.ID), w.peer
		return p
	}
}

// runOf returns the Run of a member that is named in its temporaries.
func runOf(id queue.ID) uint32 { return binary.BigEndian.Uint32(id[:4]) }

// peer returns the state of a process of the job. It asks for the present state of the job, because what this host knew when
// it claimed a bundle says that the process still works that had it before.
func (w *working) peer(run uint32) tempname.State {
	s, err := stateOf(w.life, w.Queue)
	if err != nil {
		return tempname.Unknown
	}
	return stateOfProcess(s, run, w.leases.length)
}

// stateOfProcess returns the state of a process, given that of the job. One whose lease has lapsed was ended by its fence. So
// was one of whose bundles another host has taken, unless it has reported of late: then it had done that bundle, and only the
// request to finish it has not arrived. A host reports as often as it renews its claims, at four times in each lease.
func stateOfProcess(s queue.State, run uint32, lease time.Duration) tempname.State {
	for _, m := range s.Members {
		switch {
		case runOf(m.ID) != run:
		case m.Age >= lease, m.Lost && m.Age >= lease/2:
			return tempname.Dead
		default:
			return tempname.Running
		}
	}
	return tempname.Unknown
}

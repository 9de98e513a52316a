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

// stateOfProcess returns the state of a process, given that of the job. One whose lease has lapsed, or whose claims others
// have, was ended by its fence.
func stateOfProcess(s queue.State, run uint32, lease time.Duration) tempname.State {
	for _, m := range s.Members {
		switch {
		case runOf(m.ID) != run:
		case m.Lost || m.Age >= lease:
			return tempname.Dead
		default:
			return tempname.Running
		}
	}
	return tempname.Unknown
}

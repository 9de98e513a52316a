package natsqueue

import (
	"encoding/json"
	"errors"

	"psync/internal/queue"
)

// ErrMessage is the error for a message that no process of the job has sent.
var ErrMessage = errors.New("not a message of this job")

// ErrPast is the error for a command of a process that has another past. That process ends.
var ErrPast = errors.New("its sender has carried out what the server does not have any more")

// A command is a request that changes a job.
type command struct {
	Job     string         `json:"job"`
	ID      queue.ID       `json:"id"`              // by which its sender finds the answer
	After   mark           `json:"after,omitzero"`  // the last command that its sender has carried out
	Server  string         `json:"server,omitzero"` // through which it was sent; see [memqueue.Queue.Serve]
	Do      string         `json:"do"`              // the name of the method
	Who     queue.ID       `json:"who,omitzero"`
	Member  *queue.Member  `json:"member,omitempty"`
	Status  *queue.Status  `json:"status,omitempty"`
	Request queue.ID       `json:"request,omitzero"`
	Round   queue.Round    `json:"round,omitzero"`
	Claim   claim          `json:"claim,omitzero"`
	Bundles []queue.Bundle `json:"bundles,omitempty"`
	Exit    int            `json:"exit,omitempty"`
}

// A claim is what identifies a [queue.Claim].
type claim struct {
	Bundle   queue.ID
	Revision uint64
}

func claimOf(c queue.Claim) claim { return claim{c.Bundle.ID, c.Revision} }

func (c claim) queue() queue.Claim {
	return queue.Claim{Bundle: queue.Bundle{ID: c.Bundle}, Revision: c.Revision}
}

// parse returns the command in a message.
func parse(data []byte, job string) (c command, err error) {
	if err = json.Unmarshal(data, &c); err != nil || c.Job != job {
		return c, errors.Join(ErrMessage, err)
	}
	return c, nil
}

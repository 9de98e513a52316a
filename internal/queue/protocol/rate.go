package protocol

import (
	"time"

	"psync/internal/queue"
)

// workShare is how many times as much as a member without work one at work may move. It is not all of it, so that a member
// that has just claimed a bundle goes on until it sees the next state.
const workShare = 16

// Rate returns how many bytes a second a member may move, given how many all of them may move together; 0: as many as they
// can. Members compute it from a state each for itself, and so may exceed the limit until they have seen the same one.
func Rate(limit int64, s queue.State, member queue.ID, lease time.Duration) int64 {
	if limit <= 0 {
		return 0
	}
	sum, own := int64(0), int64(0)
	for _, m := range s.Members {
		share := int64(1)
		switch {
		case m.Age >= lease && m.ID != member:
			share = 0 // it is gone
		case !m.Hungry && m.Finished < s.Round.N:
			share = workShare
		}
		if sum += share; m.ID == member {
			own = share
		}
	}
	if own == 0 { // it is not among them yet
		own = 1
		sum++
	}
	return max(limit/sum*own+limit%sum*own/sum, 1)
}

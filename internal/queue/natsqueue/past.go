package natsqueue

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"psync/internal/queue"
)

// A server may lose what it has acknowledged: by a failure of power, or when its disk is restored. It goes on from there, and
// gives numbers once more that it had given. A replica that has carried out what was lost differs from the others from then on:
// two hosts may hold one bundle. So each replica finds out that the past has changed, and its process ends. This is seen by
// numbers that go back; by the last command, when the server follows on from it; and by commands of others, which say what
// was before them.

// A mark is a command, and what was before it. The zero mark is the beginning.
type mark struct {
	Seq     uint64 `json:"s"`
	Message uint32 `json:"m"` // a hash of the command, and of its number and time
	Past    uint32 `json:"p"` // a hash of it and of all commands before it
}

// next returns the mark of a command that follows m.
func (m mark) next(seq uint64, message uint32) mark {
	h := sha256.Sum256(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, m.Past), message))
	return mark{Seq: seq, Message: message, Past: binary.BigEndian.Uint32(h[:])}
}

// hashOf returns the hash of a message. What was lost differs from what replaces it by its time at least.
func hashOf(seq uint64, at time.Time, data []byte) uint32 {
	h := sha256.New()
	_, _ = h.Write(binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, seq), uint64(at.UnixNano())))
	_, _ = h.Write(data)
	return binary.BigEndian.Uint32(h.Sum(nil))
}

// remembered is how many commands a replica has the marks of: more than can be on their way to a host that is not about to
// lose its lease.
const remembered = 4096

// A past is what a replica has carried out. All replicas remember the same number of commands, so that they agree on which
// commands they refuse.
type past []mark

func (p past) last() mark {
	if len(p) == 0 {
		return mark{}
	}
	return p[len(p)-1]
}

// add adds a command.
func (p *past) add(seq uint64, message uint32) {
	next := p.last().next(seq, message)
	if len(*p) == 2*remembered {
		*p = append((*p)[:0], (*p)[len(*p)-remembered:]...)
	}
	*p = append(*p, next)
}

// find returns the mark of a command.
func (p past) find(seq uint64) (m mark, ok bool) {
	i, ok := slices.BinarySearchFunc(p, seq, func(m mark, seq uint64) int {
		switch {
		case m.Seq < seq:
			return -1
		case m.Seq > seq:
			return 1
		}
		return 0
	})
	if !ok {
		return mark{}, false
	}
	return p[i], true
}

// has reports whether m, which the sender of a command had as its last one, is part of this past, as far as that is
// remembered.
func (p past) has(m mark) bool {
	if oldest := max(0, len(p)-remembered); m == (mark{}) || oldest > 0 && m.Seq < p[oldest].Seq {
		return true
	}
	own, ok := p.find(m.Seq)
	return ok && own == m
}

// A place is what is at a number of the stream: a command, or none.
type place struct {
	is      bool
	message uint32
}

// isBehind reports which of two that disagree has another past than the server: this process, rather than the one that has
// m as its last command. own is what this process has at the number of m, and server is what the server has there.
func isBehind(own, server place, m mark) bool {
	if own != server {
		return true
	}
	// If they differ in what was before, it is not known which of them is wrong.
	return own.is && own.message == m.Message
}

// errBehind is the error for a server that has become the leader of several, and has not carried out yet all that it has.
var errBehind = errors.New("the server is not up to date")

// checkPast returns an error if the stream is not the one that was created at the given time, or lacks messages, given the
// highest number that is known to have been there. Of several servers, one may have the last ones a little later: that they
// are lost is seen when others get their numbers.
func checkPast(info *jetstream.StreamInfo, created time.Time, known uint64) error {
	switch s := info.State; {
	case !info.Created.Equal(created):
		return fmt.Errorf("%w: the stream was removed and created anew", queue.ErrLost)
	case s.FirstSeq > 1 || s.NumDeleted > 0:
		return fmt.Errorf("%w: messages of the stream were removed", queue.ErrLost)
	case s.LastSeq < known && info.Config.Replicas > 1:
		return errBehind
	case s.LastSeq < known:
		return fmt.Errorf("%w: its last message is %d, and was %d", queue.ErrLost, s.LastSeq, known)
	}
	return nil
}

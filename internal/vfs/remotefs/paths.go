package remotefs

import (
	"sync"
	"time"

	"psync/internal/lazymap"
	"psync/internal/vfs/remotefs/session"
	"psync/internal/wire"
)

// brief is how long the answer to a question about a path counts as current. The same few questions are asked several
// times while operands are checked, and each would take a round trip.
const brief = time.Second

// A pathCache holds answers to questions about paths, including answers that have not come yet.
type pathCache struct {
	mu      sync.Mutex // guards what follows
	answers map[wire.PathQuery]*pathAnswer
}

type pathAnswer struct {
	came chan struct{} // closed when the rest is set
	m    wire.Message
	err  error
	at   time.Time
}

// isCurrent reports whether an answer has not come yet or came a short time ago.
func (a *pathAnswer) isCurrent() bool {
	select {
	case <-a.came:
		return time.Since(a.at) < brief
	default:
		return true
	}
}

// claim returns the current answer to a question. If there is none, it returns a new one that the caller must ask for.
func (c *pathCache) claim(q wire.PathQuery) (a *pathAnswer, asked bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if a = c.answers[q]; a != nil && a.isCurrent() {
		return a, true
	}
	a = &pathAnswer{came: make(chan struct{})}
	lazymap.Set(&c.answers, q, a) // there are few questions, so none is removed
	return a, false
}

// forget forgets all answers.
func (c *pathCache) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.answers)
}

// startAsking asks about a path unless there is a current answer. It does not wait for the answer.
func (h *Host) startAsking(q wire.PathQuery) *pathAnswer {
	a, asked := h.paths.claim(q)
	if !asked {
		h.s.PostFrame(&q, func(f wire.Frame, err error) {
			a.m, a.err, a.at = f.Message, err, time.Now()
			close(a.came)
		})
	}
	return a
}

// askPath asks about a path unless there is a current answer, and waits for the answer.
func askPath[A wire.Message](h *Host, q wire.PathQuery) (A, error) {
	a := h.startAsking(q)
	<-a.came
	return session.AnswerOf[A](h.s.Session, a.m, a.err)
}

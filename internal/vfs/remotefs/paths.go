package remotefs

import (
	"sync"
	"time"

	"psync/internal/wire"
)

// brief is how long the answer to a question about a path is taken for current. The same few are asked several times
// while operands are checked, and each would take a round trip.
const brief = time.Second

// A pathCache holds answers to questions about paths.
type pathCache struct {
	mu      sync.Mutex // guards what follows
	answers map[wire.PathQuery]pathAnswer
}

type pathAnswer struct {
	m   wire.Message
	err error
	at  time.Time
}

// get returns the answer to a question that was asked shortly before.
func (c *pathCache) get(q wire.PathQuery) (pathAnswer, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a, ok := c.answers[q]
	return a, ok && time.Since(a.at) < brief
}

// put keeps an answer. There are few questions, so none is removed.
func (c *pathCache) put(q wire.PathQuery, a pathAnswer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.answers == nil {
		c.answers = make(map[wire.PathQuery]pathAnswer)
	}
	c.answers[q] = a
}

// forget forgets all answers.
func (c *pathCache) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.answers)
}

// askPath asks about a path, unless that was done shortly before.
func askPath[A wire.Message](h *Host, q wire.PathQuery) (A, error) {
	if a, ok := h.paths.get(q); ok {
		return answerOf[A](h.s, a.m, a.err)
	}
	m, err := ask[A](h.s, &q)
	h.paths.put(q, pathAnswer{m, err, time.Now()})
	return m, err
}

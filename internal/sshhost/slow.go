package sshhost

import (
	"context"
	"fmt"
	"sync"
	"time"

	"psync/internal/operand/location"
)

// questions are those that the user is asked. The time that they take is not the host's.
type questions struct {
	mu    sync.Mutex // guards what follows
	open  int
	asked time.Time // when the last one was answered
}

// during returns ask, of whose questions a record is kept. It may be nil.
func (q *questions) during(ask func(context.Context, string) (string, error)) func(context.Context, string) (string, error) {
	if ask == nil {
		return nil
	}
	return func(ctx context.Context, prompt string) (string, error) {
		q.add(1)
		defer q.add(-1)
		return ask(ctx, prompt)
	}
}

func (q *questions) add(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.open += n
	q.asked = time.Now()
}

// left returns how much longer a host may take to answer that was asked at begin.
func (q *questions) left(begin time.Time) time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.open > 0 {
		return answerTimeout
	}
	if q.asked.After(begin) {
		begin = q.asked
	}
	return answerTimeout - time.Since(begin)
}

// noticeSlow notifies the user if a host takes long to answer, until stop is called.
func (d *Dialer) noticeSlow(r location.Account) (stop func()) {
	if d.options.Notify == nil {
		return func() {}
	}
	begin, done := time.Now(), make(chan struct{})
	var notice sync.WaitGroup
	notice.Go(func() {
		for left := answerTimeout; left > 0; left = d.questions.left(begin) {
			select {
			case <-done:
				return
			case <-time.After(left):
			}
		}
		d.options.Notify(fmt.Sprintf("%s: no answer for %v", r, answerTimeout))
	})
	return func() {
		close(done)
		notice.Wait()
	}
}

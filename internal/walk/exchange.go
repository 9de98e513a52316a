package walk

// Notify has f called when a worker begins to wait for a task, and when more tasks wait than NotifyAbove says. f must not
// call methods of the pool. Notify is called before Run.
func (p *Pool[T, W]) Notify(f func()) {
	p.tasks.notify, p.tasks.notifyAbove = f, -1
}

// NotifyAbove sets how many tasks may wait before the function of Notify is called, at once if there are more. A negative n
// means any number.
func (p *Pool[T, W]) NotifyAbove(n int) {
	s := p.tasks
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notifyAbove = n
	s.notifyPutLocked()
}

// TakeOldest removes tasks of the present phase that no worker has claimed, n at most, and returns them, the oldest first.
// It leaves those that may refuses. The caller holds a claim, and puts what is not done elsewhere back.
func (p *Pool[T, W]) TakeOldest(n int, may func(T) bool) []T { return p.tasks.takeOldest(n, may) }

func (s *stack[T]) takeOldest(n int, may func(T) bool) (taken []T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	rest := s.tasks[:0]
	for _, t := range s.tasks {
		if len(taken) < n && may(t.task) {
			taken = append(taken, t.task)
			s.open--
		} else {
			rest = append(rest, t)
		}
	}
	clear(s.tasks[len(rest):]) // which also releases the memory that the tasks refer to
	s.tasks = rest
	return taken
}

// notifyPutLocked calls notify if too many tasks wait.
func (s *stack[T]) notifyPutLocked() {
	if s.notify != nil && s.notifyAbove >= 0 && len(s.tasks) > s.notifyAbove {
		s.notify()
	}
}

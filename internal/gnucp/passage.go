package gnucp

import (
	"bufio"
	"io"
	"sync"
)

// A script holds what is said in a run, and what has to be done in order, in the order
// in which cp goes through a tree, whoever finishes first. It is a list of passages, of
// which only the first is told as it grows.
type script struct {
	out   *bufio.Writer
	err   io.Writer
	eager bool // out is flushed after every line

	mu      sync.Mutex // guards what follows, and the fields of all passages
	head    *passage   // the first that was not told to its end
	telling bool       // somebody tells, or does, what head holds
	failed  error      // why out could not be written
}

// A passage is what belongs to one place of a script. It has one user at a time.
type passage struct {
	*script
	next   *passage
	closed bool
	parts  []part // not told yet
	live   bool   // this is its turn, whatever head says
}

// A part is something to say, or to do.
type part struct {
	text    string
	isError bool
	act     func(w *worker, now *passage)
}

func newScript(out, err io.Writer, eager bool) *script {
	s := &script{out: bufio.NewWriterSize(out, 32<<10), err: err, eager: eager}
	s.head = &passage{script: s}
	return s
}

// after returns a new passage that follows p.
func (p *passage) after() *passage {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next = &passage{script: p.script, next: p.next}
	return p.next
}

// say adds text for stdout, which ends in a newline.
func (p *passage) say(text string) { p.add(part{text: text}) }

// complain adds text for stderr.
func (p *passage) complain(text string) { p.add(part{text: text, isError: true}) }

func (p *passage) add(t part) {
	if p.live {
		p.write(t)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.head == p && !p.telling {
		p.write(t)
		return
	}
	p.parts = append(p.parts, t)
}

// later has act done when its turn comes, with a worker and a passage of that time. It
// returns false if the turn has come, so that the caller may as well act.
func (p *passage) later(act func(w *worker, now *passage)) bool {
	if p.live {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.head == p && !p.telling {
		return false
	}
	p.parts = append(p.parts, part{act: act})
	return true
}

// close ends p. If it is p's turn, w tells and does what waits for that.
func (p *passage) close(w *worker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	if p.head == p && !p.telling {
		p.tellLocked(w)
	}
}

func (s *script) tellLocked(w *worker) {
	s.telling = true
	defer func() { s.telling = false }()
	for s.head != nil {
		p := s.head
		for len(p.parts) > 0 {
			t := p.parts[0]
			p.parts = p.parts[1:]
			s.mu.Unlock()
			if t.act != nil {
				t.act(w, &passage{script: s, live: true})
			} else {
				s.write(t)
			}
			s.mu.Lock()
		}
		if !p.closed {
			break
		}
		s.head = p.next
	}
	s.flush()
}

// write is for whoever's turn it is.
func (s *script) write(t part) {
	if t.isError {
		s.flush()
		_, _ = io.WriteString(s.err, t.text)
	} else if _, err := s.out.WriteString(t.text); err != nil {
		s.failed = err
	} else if s.eager {
		s.flush()
	}
}

func (s *script) flush() {
	if err := s.out.Flush(); err != nil {
		s.failed = err
	}
}

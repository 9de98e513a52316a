// Package output prints the messages of many workers in the order in which a single worker would have printed
// them.
//
// An [Output] is a list of segments, one for each place in the order. A worker that copies an entry writes to
// the entry's segment, and segments may be filled in any order. The output prints the segments one after the
// other, and the first segment as it grows. An action that must not happen before its turn is put into a
// segment as well.
package output

import (
	"bufio"
	"io"
	"sync"
)

// A Config sets where messages go and how they look.
type Config struct {
	Stdout, Stderr io.Writer
	Immediate      bool   // flush after each line
	Program        string // begins each diagnostic
	UTF8           bool   // quote names for a terminal that shows UTF-8
}

// An Output prints its segments in their order.
type Output struct {
	Config
	out *bufio.Writer // writes to Stdout; nil until there is something to write; used only by the segment whose turn it is

	mu       sync.Mutex // guards what follows, and the fields of all segments
	head     *Segment   // the first segment that is not printed to its end
	printing bool       // a worker is printing or executing the parts of head

	err error // why writing to Stdout failed; written only by the segment whose turn it is
}

// A Segment is one place in the order of an [Output]. It has one user at a time.
type Segment struct {
	output *Output
	prev   *Segment // nil also once prev is printed
	next   *Segment
	closed bool
	final  bool   // no segment is added after it any more
	parts  []part // not printed yet
	turn   bool   // it is the turn of this segment, whatever head is
}

// A part is something to print, or to do.
type part struct {
	text    string
	isError bool
	act     func(now *Segment)
}

// New returns an output, and its first segment.
func New(c Config) (*Output, *Segment) {
	o := &Output{Config: c}
	o.head = &Segment{output: o}
	return o, o.head
}

// Err returns the first error of printing on Stdout, or nil. It must be called after all segments are closed.
func (o *Output) Err() error { return o.err }

// Now returns a segment that prints at once. It must be used after all other segments are closed.
func (o *Output) Now() *Segment { return &Segment{output: o, turn: true} }

// After returns a new segment that follows s.
func (s *Segment) After() *Segment {
	s.output.mu.Lock()
	defer s.output.mu.Unlock()
	s.insertLocked(&Segment{output: s.output})
	return s.next
}

// Detached returns a new segment that has no place yet; see [Segment.Insert].
func (o *Output) Detached() *Segment { return &Segment{output: o} }

// Insert puts detached segments after s, each with those that were inserted after it. s must not be closed. Segments that
// [Segment.Finish] has ended, and that are empty, are left out.
func (s *Segment) Insert(detached ...*Segment) {
	s.output.mu.Lock()
	defer s.output.mu.Unlock()
	at := s
	for _, d := range detached {
		for d != nil {
			next := d.next
			if !d.final || len(d.parts) > 0 {
				at.insertLocked(d)
				at = d
			}
			d = next
		}
	}
}

func (s *Segment) insertLocked(after *Segment) {
	after.prev, after.next = s, s.next
	if s.next != nil {
		s.next.prev = after
	}
	s.next = after
}

// Finish ends s as Close does, and for good: no segment is added after it any more. It takes no memory then if it is empty.
func (s *Segment) Finish() {
	s.Close()
	o := s.output
	o.mu.Lock()
	defer o.mu.Unlock()
	s.final = true
	if len(s.parts) > 0 || s.prev == nil || o.head == s {
		return
	}
	s.prev.next = s.next
	if s.next != nil {
		s.next.prev = s.prev
	}
}

// Lone reports whether s is detached, ended by Finish, and empty, with no other segment after it.
func (s *Segment) Lone() bool {
	s.output.mu.Lock()
	defer s.output.mu.Unlock()
	return s.final && s.prev == nil && s.next == nil && len(s.parts) == 0
}

// Say adds text for stdout; the text ends in a newline. Like all methods of a Segment that take a format, Say
// quotes names; see [Segment.Text].
func (s *Segment) Say(format string, args ...any) { s.add(part{text: s.Text(format, args...)}) }

// Prompt adds text for stderr.
func (s *Segment) Prompt(format string, args ...any) {
	s.add(part{text: s.Text(format, args...), isError: true})
}

// Warn adds a diagnostic.
func (s *Segment) Warn(format string, args ...any) {
	s.add(part{text: s.output.Program + ": " + s.Text(format, args...) + "\n", isError: true})
}

// Refuse adds a diagnostic, and returns false.
func (s *Segment) Refuse(format string, args ...any) bool {
	s.Warn(format, args...)
	return false
}

// Fail adds a diagnostic that ends in the text of err, and returns false.
func (s *Segment) Fail(err error, format string, args ...any) bool {
	s.Warn("%s: %s", Plain(s.Text(format, args...)), Plain(Strerror(err)))
	return false
}

func (s *Segment) add(p part) {
	o := s.output
	if s.turn {
		o.print(p)
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.head == s && !o.printing {
		o.print(p)
		return
	}
	s.parts = append(s.parts, p)
}

// Later arranges for act to be called when the turn of s comes, with a segment that prints at once. It returns
// false if the turn has already come, so that the caller can act itself. Calls of act never overlap.
func (s *Segment) Later(act func(now *Segment)) bool {
	if s.turn {
		return false
	}
	o := s.output
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.head == s && !o.printing {
		return false
	}
	s.parts = append(s.parts, part{act: act})
	return true
}

// Close ends s. If it is the turn of s, Close prints and executes the waiting parts before it returns.
func (s *Segment) Close() {
	o := s.output
	o.mu.Lock()
	defer o.mu.Unlock()
	s.closed = true
	if o.head == s && !o.printing {
		o.printLocked()
	}
}

// printLocked prints the parts from the head on. It releases the lock while it prints.
func (o *Output) printLocked() {
	o.printing = true
	defer func() { o.printing = false }()
	for o.head != nil {
		s := o.head
		for len(s.parts) > 0 {
			p := s.parts[0]
			s.parts = s.parts[1:]
			o.mu.Unlock()
			if p.act != nil {
				p.act(o.Now())
			} else {
				o.print(p)
			}
			o.mu.Lock()
		}
		if !s.closed {
			break
		}
		if o.head = s.next; o.head != nil {
			o.head.prev = nil
		}
	}
	o.flush()
}

// print prints or executes a part. It is called only when it is the turn of its segment.
func (o *Output) print(p part) {
	if p.isError {
		o.flush()
		_, _ = io.WriteString(o.Stderr, p.text)
		return
	}
	if o.out == nil {
		o.out = bufio.NewWriterSize(o.Stdout, 32<<10)
	}
	if _, err := o.out.WriteString(p.text); err != nil {
		o.err = err
	} else if o.Immediate {
		o.flush()
	}
}

func (o *Output) flush() {
	if o.out == nil {
		return
	}
	if err := o.out.Flush(); err != nil {
		o.err = err
	}
}

// Package pipeline sends requests to an SFTP server beside those of an [sftp.Client], without waiting for the answers to those
// before.
package pipeline

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
)

// A Conn carries the packets of an [sftp.Client], and requests beside them that the client cannot send: several on
// one file, of which none waits for the answers to those before. The protocol promises that a server carries out
// requests on one file in the order in which it gets them (draft-ietf-secsh-filexfer-02, section 6.1). Package sftp
// sends one at a time, and waits for all others on a file before it closes that.
//
// The numbers of these requests have ownID set, which the client does not reach: it counts from 1.
type Conn struct {
	rwc io.ReadWriteCloser
	in  *bufio.Reader

	rest uint32 // bytes of the current packet that the client has not read

	sending sync.Mutex // held while a packet is being sent; guards unsent
	unsent  int        // bytes of the current packet that the client has not sent

	mu      sync.Mutex // guards what follows
	calls   map[uint32]chan<- Answer
	last    uint32 // the number of the last request, without ownID
	failure error  // why there will be no more answers
}

const (
	ownID     = 1 << 31
	maxAnswer = 256 << 10 // bytes of an answer, as in package sftp
)

// A Request is a request on the handle of a file or on a path.
type Request struct {
	Type byte
	On   string // the handle or the path
	Rest []byte // what follows, except Data
	Data []byte // the last field, or nil
}

// An Answer is the answer to a request: of what type, and what follows its number.
type Answer struct {
	Type byte
	Body []byte
	Err  error // there is none
}

// New returns a Conn that uses rwc.
func New(rwc io.ReadWriteCloser) *Conn {
	return &Conn{rwc: rwc, in: bufio.NewReaderSize(rwc, 64<<10), calls: make(map[uint32]chan<- Answer)}
}

// Read returns what the server sends to the client, and delivers the answers to requests of the pipeline.
func (p *Conn) Read(b []byte) (n int, err error) {
	for p.rest == 0 && err == nil {
		err = p.next()
	}
	if err == nil {
		n, err = p.in.Read(b[:min(uint32(len(b)), p.rest)])
		p.rest -= uint32(n)
	}
	if err != nil {
		p.fail(err)
	}
	return n, err
}

// next reads the next packet if it belongs to the pipeline, or leaves it to the client.
func (p *Conn) next() error {
	const lengthTypeID = 4 + 1 + 4
	head, err := p.in.Peek(4)
	if err != nil {
		return err
	}
	length := binary.BigEndian.Uint32(head)
	if length >= 5 {
		if head, err = p.in.Peek(lengthTypeID); err != nil {
			return err
		}
	}
	if length < 5 || binary.BigEndian.Uint32(head[5:])&ownID == 0 {
		p.rest = 4 + min(length, 1<<31)
		return nil
	}
	typ, id := head[4], binary.BigEndian.Uint32(head[5:])
	if length > maxAnswer {
		return fmt.Errorf("an answer has %d bytes", length)
	}
	_, _ = p.in.Discard(lengthTypeID) // which are buffered
	body := make([]byte, length-5)
	if _, err := io.ReadFull(p.in, body); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.calls[id]
	if c == nil {
		return fmt.Errorf("an answer to the request %d, which was not sent", id)
	}
	delete(p.calls, id)
	c <- Answer{Type: typ, Body: body}
	return nil
}

// Write sends a packet of the client, or a part of one: it writes the data of a packet separately.
func (p *Conn) Write(b []byte) (n int, err error) {
	if p.unsent == 0 { // no other goroutine of the client writes a packet now
		p.sending.Lock()
		p.unsent = 4 + int(binary.BigEndian.Uint32(b))
	}
	n, err = p.rwc.Write(b)
	p.unsent = max(p.unsent-len(b), 0)
	if err != nil {
		p.unsent = 0
		if errors.Is(err, io.EOF) {
			err = io.ErrClosedPipe // it cannot be mistaken for the end of a file
		}
	}
	if p.unsent == 0 {
		p.sending.Unlock()
	}
	return n, err
}

// Close closes the channel.
func (p *Conn) Close() error {
	p.fail(io.ErrClosedPipe)
	return p.rwc.Close()
}

// fail has all calls fail.
func (p *Conn) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failure == nil {
		p.failure = fmt.Errorf("the channel has ended: %w", err)
	}
	for id, c := range p.calls {
		c <- Answer{Err: p.failure}
		delete(p.calls, id)
	}
}

// Send sends requests, in their order and before any others. Each channel gets the answer to one of them.
func (p *Conn) Send(requests ...Request) []<-chan Answer {
	p.sending.Lock()
	defer p.sending.Unlock()
	answers := make([]<-chan Answer, len(requests))
	var packets []byte
	var err error
	for i, r := range requests {
		var id uint32
		id, answers[i] = p.begin()
		packets = r.head(packets, id)
		if len(r.Data) <= MaxData/4 {
			packets = append(packets, r.Data...)
		} else if err == nil {
			_, err = p.rwc.Write(packets)
			packets = packets[:0]
			if err == nil {
				_, err = p.rwc.Write(r.Data)
			}
		}
	}
	if err == nil && len(packets) > 0 {
		_, err = p.rwc.Write(packets)
	}
	if err != nil {
		p.fail(err)
	}
	return answers
}

// begin returns the number of a new request, and what gets the answer.
func (p *Conn) begin() (id uint32, answered <-chan Answer) {
	c := make(chan Answer, 1)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failure != nil {
		c <- Answer{Err: p.failure}
		return 0, c
	}
	p.last = (p.last + 1) &^ ownID
	id = p.last | ownID
	p.calls[id] = c
	return id, c
}

// head appends the encoded request, except its data.
func (r *Request) head(b []byte, id uint32) []byte {
	length := 1 + 4 + 4 + len(r.On) + len(r.Rest) + len(r.Data)
	b = binary.BigEndian.AppendUint32(b, uint32(length))
	b = append(b, r.Type)
	b = binary.BigEndian.AppendUint32(b, id)
	b = AppendString(b, r.On)
	return append(b, r.Rest...)
}

package link

import (
	"io"
	"slices"

	"psync/internal/wire"
)

// Add adds a channel, which the Link closes in the end. Frames go over any channel, so they may overtake one
// another. Both sides give a channel the same number, which no other has had.
func (l *Link) Add(number uint32, c io.ReadWriteCloser) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.addLocked(number, c)
}

func (l *Link) addLocked(number uint32, c io.ReadWriteCloser) {
	if l.err != nil || l.closed {
		_ = c.Close()
		return
	}
	ch := &channel{ReadWriteCloser: c, number: number}
	if l.taken.frames > 0 {
		ch.retained.add(l.taken)
		l.taken = batch{}
	}
	l.channels = append(l.channels, ch)
	l.writers.Go(func() { l.write(ch) })
	go l.read(ch)
}

// Suspend ends all channels, and returns how many frames have arrived over each channel that there was. Until Resume
// is called, none arrives.
func (l *Link) Suspend() []wire.Received {
	l.mu.Lock()
	ended := l.suspendLocked()
	received := make([]wire.Received, len(l.past))
	for i, c := range l.past {
		received[i] = wire.Received{Channel: c.number, Frames: c.received}
	}
	l.mu.Unlock()
	closeAll(ended)
	return received
}

// Resume has a suspended Link go on over a new channel, which gets a number that no other has had. received is what
// Suspend of the other side has returned: what it lacks is sent again. If received contradicts what was sent, Resume ends
// the Link and returns an error.
func (l *Link) Resume(number uint32, c io.ReadWriteCloser, received []wire.Received) error {
	l.mu.Lock()
	again, err := l.takeMissingLocked(received)
	if err == nil {
		for _, b := range again {
			l.queued += len(b.bytes)
		}
		l.batches, l.due = append(again, l.batches...), true
		l.addLocked(number, c)
	}
	l.mu.Unlock()
	if err != nil {
		l.end(err)
		_ = c.Close() // nothing was sent
	}
	return err
}

// takeMissingLocked returns what was sent over the channels that have ended and has not arrived.
func (l *Link) takeMissingLocked(received []wire.Received) (missing []batch, err error) {
	for _, r := range received {
		known := slices.ContainsFunc(l.past, func(c pastChannel) bool { return c.number == r.Channel })
		if !known && r.Frames > 0 {
			return nil, errReceived
		}
	}
	for i := range l.past {
		c := &l.past[i]
		frames := uint64(0)
		for _, r := range received {
			if r.Channel == c.number {
				frames = r.Frames
			}
		}
		more, err := c.retained.takeAfter(frames)
		if err != nil {
			return nil, err
		}
		missing = append(missing, more...)
	}
	return missing, nil
}

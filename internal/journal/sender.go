package journal

import "slices"

// NewSender returns a Writer that has send write the records, in batches, to where they reach a journal with this key in the
// end. send is not called again after it has failed.
func NewSender(k Key, b Batch, send func(records []byte) error) *Writer {
	w := &Writer{Key: k, batch: b, send: send}
	w.start()
	return w
}

// Commit returns when what was recorded before the call is written. It returns the first write error.
func (w *Writer) Commit() error {
	written := make(chan struct{})
	select {
	case w.demand <- written:
		<-written
	case <-w.ended:
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// Counts are about how many directories some records are.
type Counts struct {
	Found, Done, Failed int64
}

// Append writes records that a Sender has sent, and up to which offset of a queue the journal has them. If they are not
// sound, it writes the offset alone: what they say is missing, then. It is not called while others are added.
func (w *Writer) Append(records []byte, offset uint64) (c Counts, sound bool, err error) {
	sound = true
	v := visitor{
		directory:  c.add,
		completion: func(s Completion) { c.end(s.Failed) },
		linked:     func(Linked) {},
		removed:    func(Removed) {},

		key: func(Key) { sound = false }, session: func(Session) { sound = false }, end: func(End) { sound = false },
		synced: func(int64) { sound = false }, queued: func(queued) { sound = false },
	}
	if visitRecords(records, new(Directory), v) != nil || !sound {
		c, sound, records = Counts{}, false, nil
	}
	return c, sound, w.write(appendOffset(slices.Clip(records), offset))
}

func (c *Counts) add(d *Directory) {
	c.Found += int64(len(d.Children)) + d.Empty
	c.Done += d.Empty
	if d.Failed > 0 || !d.Waits {
		c.end(d.Failed)
	}
}

func (c *Counts) end(failed int64) {
	if failed > 0 {
		c.Failed++
	} else {
		c.Done++
	}
}

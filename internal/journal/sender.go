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

// Append writes records that a Sender has sent, and up to which offset of a queue the journal has them. If they are not
// sound, it writes the offset alone, and reports that: what they say is missing, then. It is not called while others are added.
func (w *Writer) Append(records []byte, offset uint64) (sound bool, err error) {
	only := visitor{
		key: func(Key) { sound = false }, session: func(Session) { sound = false }, end: func(End) { sound = false },
		synced: func(int64) { sound = false }, queued: func(int64) { sound = false },
	}
	sound = true
	if err := visitRecords(records, new(Directory), only); err != nil {
		sound = false
	}
	if !sound {
		records = nil
	}
	return sound, w.write(appendOffset(slices.Clip(records), offset))
}

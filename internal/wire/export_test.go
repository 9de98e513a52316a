package wire

import "reflect"

// AppendUnchecked encodes a frame that may exceed limits.
func AppendUnchecked(f Frame) []byte {
	c := &coder{buf: []byte{Kind(f.Message)}}
	c.uint64(&f.ID)
	f.Message.fields(c)
	return c.buf
}

// EmptyMessages returns an empty message of each kind.
func EmptyMessages() []Message {
	var all []Message
	for _, empty := range kinds().empty[1:] {
		all = append(all, empty())
	}
	return all
}

// Kind returns the number of the kind of a message.
func Kind(m Message) byte { return kinds().of[reflect.TypeOf(m)].number }

// HasBuffer reports whether a frame holds a buffer until Release is called.
func (f Frame) HasBuffer() bool { return f.buffer != nil }

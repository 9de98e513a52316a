package wire

// AppendUnchecked encodes a frame that may exceed limits.
func AppendUnchecked(f Frame) []byte {
	c := &coder{buf: []byte{byte(f.Message.kind())}}
	c.uint64(&f.ID)
	f.Message.fields(c)
	return c.buf
}

// EmptyMessages returns an empty message of each kind.
func EmptyMessages() []Message {
	var all []Message
	for _, empty := range messages {
		if empty != nil {
			all = append(all, empty())
		}
	}
	return all
}

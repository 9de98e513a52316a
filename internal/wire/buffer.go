package wire

import "psync/internal/buffer"

// DecodeBuffer decodes the frame that a buffer holds, to which the buffer then belongs.
func DecodeBuffer(b *buffer.Buffer) (Frame, error) {
	f, hasData, err := decode(b.Bytes, false)
	if !hasData {
		b.Free()
		return f, err
	}
	f.buffer = b
	return f, nil
}

// Release says that the Data of the message will not be used any more, so that the memory can be used for other
// frames. It may be called once, or not at all.
func (f Frame) Release() {
	if f.buffer != nil {
		f.buffer.Free()
	}
}

package socket

import (
	"crypto/subtle"
	"fmt"
	"io"
	"net"
	"time"

	"psync/internal/wire"
)

const (
	joinTime      = 10 * time.Second // for the first frame of a channel
	maxFirstFrame = 1 << 10          // bytes of that frame
)

// First returns the message of the first frame of a channel if that has the token.
func First(c net.Conn, want []byte) wire.Message {
	if c.SetReadDeadline(time.Now().Add(joinTime)) != nil {
		return nil
	}
	frame, err := ReadFrame(c, maxFirstFrame)
	if err != nil || c.SetReadDeadline(time.Time{}) != nil {
		return nil
	}
	f, err := wire.Decode(frame[wire.LengthSize:])
	if err != nil {
		return nil
	}
	var token []byte
	switch m := f.Message.(type) {
	case *wire.Join:
		token = m.Token
	case *wire.Replace:
		token = m.Token
	}
	if subtle.ConstantTimeCompare(token, want) != 1 {
		return nil
	}
	return f.Message
}

// ReadFrame reads a frame of at most most bytes, and returns it with its length.
func ReadFrame(r io.Reader, most int) ([]byte, error) {
	frame := make([]byte, wire.LengthSize)
	if _, err := io.ReadFull(r, frame); err != nil {
		return nil, err
	}
	n, err := wire.Length(frame)
	if err == nil && n > most {
		err = fmt.Errorf("a first frame of %d bytes", n)
	}
	if err != nil {
		return nil, err
	}
	frame = append(frame, make([]byte, n)...)
	_, err = io.ReadFull(r, frame[wire.LengthSize:])
	return frame, err
}

// Answer answers the first frame of a channel, so that the client knows before it relies on it.
func Answer(c io.Writer, m wire.Message) error {
	frame, err := wire.Append(nil, wire.Frame{Message: m})
	if err == nil {
		_, err = c.Write(frame)
	}
	return err
}

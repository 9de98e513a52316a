package sshhost

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"psync/internal/sshconn/client"
	"psync/internal/wire"
)

// maxNoise is how many bytes startup files may print before the server of psync begins.
const maxNoise = 64 << 10

// A greeting is how a command has begun.
type greeting struct {
	mark int   // which magic it was, [wire.Magic] or [wire.HeardMagic]
	err  error // there is none
}

// awaitGreeting reads the greeting of a psync, or waits until what runs instead has ended.
func awaitGreeting(channel *client.Channel, in *bufio.Reader) greeting {
	n := len(wire.Magic) - 1
	mark, ended, err := skipTo(in, wire.Magic[:n], wire.HeardMagic[:n])
	major := byte(wire.Major)
	if err == nil {
		major, err = in.ReadByte()
		ended = err != nil
	}
	switch {
	case err != nil:
		return greeting{err: end(channel, ended, err)}
	case major != wire.Major:
		_ = end(channel, true, nil) // what counts is that it does not answer
		err := fmt.Errorf("the psync there speaks version %d of the protocol, this one %d", major, wire.Major)
		return greeting{err: &noAgentError{reason: err, otherMajor: true}}
	}
	return greeting{mark: mark}
}

// end closes the channel of a command, and returns why there is no psync, for which err is given unless the command
// says more. The command is waited for: until it has ended, a server that allows one channel allows no other. Only one
// that goes on to print is left alone.
func end(channel *client.Channel, ended bool, err error) error {
	_ = channel.CloseWrite() // it may be closed already
	if !ended {
		const most = 16 << 20
		n, _ := io.CopyN(io.Discard, channel, most)
		ended = n < most
	}
	if ended {
		exit, ok := errors.AsType[*client.ExitError](channel.Wait())
		switch {
		case !ok:
		case exit.Status == 126 || exit.Status == 127:
			err = errors.New("no psync was found there")
		default:
			err = fmt.Errorf("psync does not start there (%w)", exit)
		}
	}
	_ = channel.Close() // it may be closed already
	return err
}

// skipTo reads until one of some marks of equal length has been read, and returns which. It reports whether it
// reached the end.
func skipTo(r io.ByteReader, marks ...[]byte) (mark int, ended bool, err error) {
	matched := make([]byte, 0, maxNoise+len(marks[0]))
	for len(matched) < cap(matched) {
		b, err := r.ReadByte()
		if err != nil {
			return 0, true, errors.New("what runs there is no psync")
		}
		matched = append(matched, b)
		if mark := slices.IndexFunc(marks, func(m []byte) bool { return bytes.HasSuffix(matched, m) }); mark >= 0 {
			return mark, false, nil
		}
	}
	return 0, false, errors.New("the user's startup files print too much for psync to be found there")
}

// A stream is a channel of which the beginning was read.
type stream struct {
	*client.Channel
	in *bufio.Reader
}

func (s *stream) Read(b []byte) (int, error) { return s.in.Read(b) }

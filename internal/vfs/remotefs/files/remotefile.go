package files

import (
	"io"
	"syscall"

	"psync/internal/blocksum"
	"psync/internal/vfs/remotefs/session"
	"psync/internal/wire"
)

const (
	// small is how many bytes of a new file are kept until it is complete and sent with one request.
	small = 256 << 10
	// piece is how many bytes of a larger file a request reads or writes.
	piece = 256 << 10
)

// A remoteFile is a file that is open on the server. It is used for operations on two files.
type remoteFile interface {
	session() *Client
	opens() (wire.Handle, error)
}

// readAt reads from an open file of the server.
func readAt(s *Client, h wire.Handle, name string, p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, session.PathError("read", name, syscall.EINVAL)
	}
	type fetch struct {
		n      int
		answer chan error
		frame  wire.Frame
		data   *wire.Data
	}
	var fetches []*fetch
	for at := 0; at < len(p); at += piece {
		f := &fetch{n: min(len(p)-at, piece), answer: make(chan error, 1)}
		fetches = append(fetches, f)
		s.PostFrame(&wire.Read{File: h, Off: off + int64(at), N: uint32(f.n)}, func(frame wire.Frame, err error) {
			f.frame = frame
			f.data, err = dataOf(s, frame, err, f.n)
			f.answer <- err
		})
	}
	total, short := 0, false
	var failed error
	for _, f := range fetches {
		err := <-f.answer
		switch {
		case failed != nil || short:
		case err != nil:
			failed = err
		default:
			total += copy(p[total:], f.data.Data)
			short = len(f.data.Data) < f.n || f.data.EOF && total < len(p)
			f.frame.Release()
		}
	}
	if failed == nil && total < len(p) {
		failed = io.EOF
	}
	if failed == nil || failed == io.EOF {
		return total, failed
	}
	return total, session.PathError("read", name, failed)
}

// dataOf returns the answer to a request for up to n bytes of a file.
func dataOf(s *Client, frame wire.Frame, err error, n int) (*wire.Data, error) {
	data, err := session.AnswerOf[*wire.Data](s.Session, frame.Message, err)
	if err == nil && len(data.Data) > n {
		return nil, s.Reject("more bytes than asked for")
	}
	return data, err
}

func sums(s *Client, h wire.Handle, name string, off, n, block int64, key []byte) ([]byte, error) {
	a, err := session.Ask[*wire.Data](s.Session, &wire.Sums{File: h, Off: off, N: n, Block: uint32(block), Key: key})
	if err != nil {
		return nil, session.PathError("read", name, err)
	}
	if size := blocksum.Size(key); len(a.Data)%size != 0 || int64(len(a.Data)/size) > (n+block-1)/block {
		return nil, s.Reject("other sums than asked for")
	}
	return a.Data, nil
}

func nextData(s *Client, h wire.Handle, name string, off int64) (start, end int64, err error) {
	r, err := session.Ask[*wire.Range](s.Session, &wire.NextData{File: h, Off: off})
	if err == io.EOF {
		return 0, 0, io.EOF
	}
	if err != nil {
		return 0, 0, session.PathError("seek", name, err)
	}
	if r.Start < off || r.End <= r.Start {
		return 0, 0, s.Reject("a range that is none")
	}
	return r.Start, r.End, nil
}

package sftpfs

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"syscall"

	"github.com/pkg/sftp"

	"psync/internal/vfs/sftpfs/pipeline"
)

// errAnswer says that an answer cannot be understood.
var errAnswer = errors.New("the server sends an answer of the wrong form")

// wait waits for an answer of a type. The error is that of the server, io.EOF included, or says that the session has ended.
func (cs *channels) wait(answered <-chan pipeline.Answer, want byte) (body []byte, err error) {
	a := <-answered
	switch {
	case a.Err != nil:
		return nil, cs.translate(a.Err)
	case a.Type == want && want != pipeline.TypeStatus:
		return a.Body, nil
	case a.Type != pipeline.TypeStatus || len(a.Body) < 4:
		return nil, cs.translate(errAnswer)
	}
	switch code := binary.BigEndian.Uint32(a.Body); code {
	case 0:
		if want != pipeline.TypeStatus {
			err = cs.translate(errAnswer)
		}
	case 1:
		err = io.EOF
	case noConnection, connectionLost:
		err = cs.translate(&sftp.StatusError{Code: code})
	default:
		if err = errorOfStatus(code); err == errFailure {
			text, _ := cutString(a.Body[4:])
			err = fmt.Errorf("%w: %.200q", errFailure, text)
		}
	}
	return nil, err
}

// cutString returns the string that b starts with.
func cutString(b []byte) ([]byte, bool) {
	if len(b) < 4 || uint32(len(b)-4) < binary.BigEndian.Uint32(b) {
		return nil, false
	}
	return b[4 : 4+binary.BigEndian.Uint32(b)], true
}

// waitHandle waits for the answer to opening a file.
func (cs *channels) waitHandle(answered <-chan pipeline.Answer) (handle string, err error) {
	text, err := cs.waitString(answered, pipeline.TypeHandle)
	return string(text), err
}

// waitString waits for an answer of a type that has one string.
func (cs *channels) waitString(answered <-chan pipeline.Answer, want byte) (text []byte, err error) {
	body, err := cs.wait(answered, want)
	if err == nil {
		var ok bool
		if text, ok = cutString(body); !ok {
			err = cs.translate(errAnswer)
		}
	}
	return text, err
}

// waitAttrs waits for attributes.
func (cs *channels) waitAttrs(answered <-chan pipeline.Answer) (a attrs, err error) {
	b, err := cs.wait(answered, pipeline.TypeAttrs)
	if err != nil {
		return a, err
	}
	next := func() (n uint32) {
		if len(b) < 4 {
			err = errAnswer
			return 0
		}
		n, b = binary.BigEndian.Uint32(b), b[4:]
		return n
	}
	flags := next()
	if flags&pipeline.HasSize != 0 {
		high := next()
		if high > math.MaxInt32 {
			return a, syscall.EOVERFLOW
		}
		a.size = int64(high)<<32 | int64(next())
	}
	if flags&pipeline.HasOwner != 0 {
		a.uid, a.gid = next(), next()
	}
	if flags&pipeline.HasMode != 0 {
		a.mode = next()
	}
	if flags&pipeline.HasTimes != 0 {
		a.atime, a.mtime = next(), next()
	}
	if err != nil {
		err = cs.translate(err)
	}
	return a, err
}

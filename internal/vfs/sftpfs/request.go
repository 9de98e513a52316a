package sftpfs

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"syscall"
	"time"

	"github.com/pkg/sftp"
)

// The types of requests that pipelines send, and of the answers.
const (
	typeOpen     = 3
	typeClose    = 4
	typeRead     = 5
	typeWrite    = 6
	typeLstat    = 7
	typeFstat    = 8
	typeSetstat  = 9
	typeFsetstat = 10
	typeMkdir    = 14
	typeExtended = 200

	typeStatus = 101
	typeHandle = 102
	typeData   = 103
	typeAttrs  = 105
)

// Flags of opening a file, and of the attributes that follow.
const (
	openRead      = 1
	openReadWrite = 1 | 2
	openCreate    = 2 | 8 | 0x20 // for writing, exclusively

	hasSize  = 1
	hasOwner = 2
	hasMode  = 4
	hasTimes = 8
)

func appendUint32s(b []byte, all ...uint32) []byte {
	for _, n := range all {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	return b
}

func appendString(b []byte, s string) []byte { return append(appendUint32s(b, uint32(len(s))), s...) }

// createRequest makes a file. No one gets more permissions than perm.
func createRequest(path string, perm fs.FileMode) request {
	return request{typ: typeOpen, on: path, rest: appendUint32s(nil, openCreate, hasMode, uint32(perm.Perm()))}
}

// openRequest opens an existing file.
func openRequest(path string, flags uint32) request {
	return request{typ: typeOpen, on: path, rest: appendUint32s(nil, flags, 0)}
}

func readRequest(handle string, n int, off int64) request {
	return request{typ: typeRead, on: handle, rest: appendUint32s(binary.BigEndian.AppendUint64(nil, uint64(off)), uint32(n))}
}

func writeRequest(handle string, p []byte, off int64) request {
	rest := appendUint32s(binary.BigEndian.AppendUint64(nil, uint64(off)), uint32(len(p)))
	return request{typ: typeWrite, on: handle, rest: rest, data: p}
}

func modeAttrs(mode fs.FileMode) []byte {
	bits := uint32(mode.Perm())
	for flag, bit := range map[fs.FileMode]uint32{fs.ModeSetuid: 0o4000, fs.ModeSetgid: 0o2000, fs.ModeSticky: 0o1000} {
		if mode&flag != 0 {
			bits |= bit
		}
	}
	return appendUint32s(nil, hasMode, bits)
}

func ownerAttrs(uid, gid int) []byte { return appendUint32s(nil, hasOwner, uint32(uid), uint32(gid)) }

// timesAttrs returns times that timeOr has accepted.
func timesAttrs(atime, mtime time.Time) []byte {
	return appendUint32s(nil, hasTimes, uint32(atime.Unix()), uint32(mtime.Unix()))
}

func sizeAttrs(size int64) []byte {
	return binary.BigEndian.AppendUint64(appendUint32s(nil, hasSize), uint64(size))
}

// errAnswer says that an answer cannot be understood.
var errAnswer = errors.New("the server sends an answer of the wrong form")

// wait waits for an answer of a type. The error is that of the server, io.EOF included, or says that the session has ended.
func (cs *channels) wait(answered <-chan answer, want byte) (body []byte, err error) {
	a := <-answered
	switch {
	case a.err != nil:
		return nil, cs.translate(a.err)
	case a.typ == want && want != typeStatus:
		return a.body, nil
	case a.typ != typeStatus || len(a.body) < 4:
		return nil, cs.translate(errAnswer)
	}
	switch code := binary.BigEndian.Uint32(a.body); code {
	case 0:
		if want != typeStatus {
			err = cs.translate(errAnswer)
		}
	case 1:
		err = io.EOF
	case noConnection, connectionLost:
		err = cs.translate(&sftp.StatusError{Code: code})
	default:
		if err = errorOfStatus(code); err == errFailure {
			text, _ := cutString(a.body[4:])
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
func (cs *channels) waitHandle(answered <-chan answer) (handle string, err error) {
	text, err := cs.waitString(answered, typeHandle)
	return string(text), err
}

// waitString waits for an answer of a type that has one string.
func (cs *channels) waitString(answered <-chan answer, want byte) (text []byte, err error) {
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
func (cs *channels) waitAttrs(answered <-chan answer) (a attrs, err error) {
	b, err := cs.wait(answered, typeAttrs)
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
	if flags&hasSize != 0 {
		high := next()
		if high > math.MaxInt32 {
			return a, syscall.EOVERFLOW
		}
		a.size = int64(high)<<32 | int64(next())
	}
	if flags&hasOwner != 0 {
		a.uid, a.gid = next(), next()
	}
	if flags&hasMode != 0 {
		a.mode = next()
	}
	if flags&hasTimes != 0 {
		a.atime, a.mtime = next(), next()
	}
	if err != nil {
		err = cs.translate(err)
	}
	return a, err
}

package journal

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
)

// A visitor is told what a journal says, in order. Functions that are nil are not called. What they get is valid until
// they return.
type visitor struct {
	job       func(Job)
	key       func(Key)
	session   func(Session)
	end       func(End)
	directory func(*Directory)
	settled   func(Settlement)
	synced    func(offset int64) // up to which everything is on the disk
}

// A position is a place in a journal up to which everything is sound.
type position struct {
	offset int64
	sum    uint32 // of the last frame
}

// walk tells v what the journal says up to limit, an offset, and returns where it is sound to: up to limit, its end, or
// the first frame that is damaged or incomplete. The error is one of reading, or a *[FormatError].
func walk(name string, r io.Reader, limit int64, v visitor) (position, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	begin := make([]byte, len(magic))
	n, err := io.ReadFull(in, begin)
	if err != nil && !isEnd(err) {
		return position{}, err
	}
	if n < len(magic) && string(begin[:n]) == magic[:n] {
		return position{}, nil
	}
	if string(begin) != magic {
		return position{}, &FormatError{name}
	}
	p := position{offset: int64(len(magic))}
	var records []byte
	var dir Directory
	for {
		var head [frameHeader]byte
		if _, err := io.ReadFull(in, head[:]); isEnd(err) {
			return p, nil
		} else if err != nil {
			return p, err
		}
		n, sum := binary.LittleEndian.Uint32(head[:]), binary.LittleEndian.Uint32(head[4:])
		if n == 0 || n > maxFrame || p.offset+frameHeader+int64(n) > limit {
			return p, nil
		}
		var err error
		if records, err = readFrame(in, records, int(n)); isEnd(err) || err == nil && checksum(p.sum, records) != sum {
			return p, nil
		} else if err != nil {
			return p, err
		}
		next := position{p.offset + frameHeader + int64(n), sum}
		if err := tell(records, &dir, v); err != nil {
			return p, &FormatError{name} // it is sound, but unknown
		}
		p = next
	}
}

// readFrame reads n bytes. It does not believe that there are so many until it has seen them.
func readFrame(in io.Reader, into []byte, n int) ([]byte, error) {
	const step = 1 << 20
	into = into[:0]
	for len(into) < n {
		from, more := len(into), min(step, n-len(into))
		if cap(into) < from+more {
			into = append(into, make([]byte, more)...)
		}
		into = into[:from+more]
		if _, err := io.ReadFull(in, into[from:]); err != nil {
			return into, err
		}
	}
	return into, nil
}

func isEnd(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

// tell tells v what the records of a frame say.
func tell(records []byte, dir *Directory, v visitor) error {
	d := decoder{b: records}
	for len(d.b) > 0 {
		switch d.byte() {
		case kindJob:
			var h header
			d.json(&h)
			if len(h.Key) != len(Key{}) {
				return errRecord
			}
			call(v.key, Key(h.Key))
			call(v.job, h.job())
		case kindSession:
			var s Session
			d.json(&s)
			call(v.session, s)
		case kindEnd:
			var e End
			d.json(&e)
			call(v.end, e)
		case kindDirectory:
			if d.directory(dir); !d.bad {
				call(v.directory, dir)
			}
		case kindSettled:
			s := Settlement{ID: d.id(), Failed: d.number()}
			if !d.bad {
				call(v.settled, s)
			}
		case kindSync:
			call(v.synced, d.number())
		default:
			return errRecord
		}
		if d.bad {
			return errRecord
		}
	}
	return nil
}

func call[T any](f func(T), v T) {
	if f != nil {
		f(v)
	}
}

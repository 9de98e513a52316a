package journal

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
)

// A visitor has a function for each kind of record. The functions are called in the order of the records, unless they
// are nil. Their arguments are valid until they return.
type visitor struct {
	job        func(Job)
	key        func(Key)
	session    func(Session)
	end        func(End)
	directory  func(*Directory)
	completion func(Completion)
	linked     func(Linked)
	removed    func(Removed)
	synced     func(offset int64) // everything up to offset is on the disk
	queued     func(queued)
}

// A queued says that the records of a queue up to an offset are in the journal, the last of which are those before it.
type queued struct {
	offset  int64
	records []byte
}

// A position is the end of a frame up to which the journal is sound.
type position struct {
	offset int64
	sum    uint32 // of the last frame
}

// readFrames calls v for the records up to the offset limit, and returns the end of the sound part, which ends at
// limit, at the end of the journal, or before the first frame that is damaged or incomplete. The error is a read error
// or a *[FormatError].
func readFrames(name string, r io.Reader, limit int64, v visitor) (position, error) {
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
	var records bytes.Buffer
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
		records.Reset()
		_, err := io.CopyN(&records, in, int64(n)) // takes memory only as it reads, because a damaged length may be huge
		if isEnd(err) || err == nil && checksum(p.sum, records.Bytes()) != sum {
			return p, nil
		} else if err != nil {
			return p, err
		}
		next := position{p.offset + frameHeader + int64(n), sum}
		if err := visitRecords(records.Bytes(), &dir, v); err != nil {
			return p, &FormatError{name} // the frame is sound, but has unknown records
		}
		p = next
	}
}

func isEnd(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

// visitRecords calls v for the records of a frame.
func visitRecords(records []byte, dir *Directory, v visitor) error {
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
		case kindCompletion:
			s := Completion{ID: d.id(), Failed: d.number()}
			if !d.bad {
				call(v.completion, s)
			}
		case kindLinked:
			if l := (Linked{d.id()}); !d.bad {
				call(v.linked, l)
			}
		case kindRemoved:
			if r := (Removed{d.id()}); !d.bad {
				call(v.removed, r)
			}
		case kindSync:
			call(v.synced, d.number())
		case kindOffset:
			before := records[:len(records)-len(d.b)-1]
			call(v.queued, queued{d.number(), before})
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

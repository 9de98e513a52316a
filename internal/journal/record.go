package journal

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"unsafe"
)

// The kinds of records.
const (
	kindJob        = 'J'
	kindSession    = 'S'
	kindEnd        = 'E'
	kindDirectory  = 'D'
	kindCompletion = 'T'
	kindSync       = 'Y'
	kindOffset     = 'Q'
	kindLinked     = 'L'
	kindRemoved    = 'R'
)

// The flags of a directory.
const (
	flagWaits = 1 << iota
	flagHasLinks
	flagRepeated
	flagAbandoned
	flagUnlinked
	flagDestLinks
	flagUnremoved
	flagRemovals // numbers follow
)

// frameHeader is the size of the header of a frame: the length of the records, and a checksum that covers them and
// the checksum of the frame before, both as 32-bit little-endian numbers.
const frameHeader = 8

// maxFrame is the maximum length of the records of a frame, in bytes. A larger length is damaged.
const maxFrame = 1 << 30

// checksum returns the checksum of a frame. before is the checksum of the frame before it.
func checksum(before uint32, records []byte) uint32 {
	return crc32.Update(before, crc32.MakeTable(crc32.Castagnoli), records) // the table is made once
}

// appendFrame appends a frame to b.
func appendFrame(b []byte, before uint32, records []byte) (frame []byte, sum uint32) {
	sum = checksum(before, records)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(records)))
	b = binary.LittleEndian.AppendUint32(b, sum)
	return append(b, records...), sum
}

func appendDirectory(b []byte, d *Directory) []byte {
	var flags byte
	if d.Waits {
		flags |= flagWaits
	}
	if d.HasLinks {
		flags |= flagHasLinks
	}
	if d.Repeated {
		flags |= flagRepeated
	}
	if d.Abandoned {
		flags |= flagAbandoned
	}
	if d.Unlinked {
		flags |= flagUnlinked
	}
	if d.DestLinks {
		flags |= flagDestLinks
	}
	if d.Unremoved {
		flags |= flagUnremoved
	}
	if d.Removals != (Removals{}) {
		flags |= flagRemovals
	}
	b = append(b, kindDirectory)
	b = append(b, d.ID[:]...)
	b = append(b, flags)
	if r := d.Removals; flags&flagRemovals != 0 {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(r.Extraneous)), uint64(r.Total))
		b = append(b, byteOf(r.Uncounted))
	}
	for _, n := range []int64{d.Entries, d.Bytes, d.Failed, d.Empty, int64(len(d.Children))} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	for _, name := range d.Children {
		b = binary.AppendUvarint(b, uint64(len(name)))
		b = append(b, name...)
	}
	return b
}

func appendCompletion(b []byte, s Completion) []byte {
	b = append(b, kindCompletion)
	b = append(b, s.ID[:]...)
	return binary.AppendUvarint(b, uint64(s.Failed))
}

func appendLinked(b []byte, l Linked) []byte { return append(append(b, kindLinked), l.ID[:]...) }

func appendRemoved(b []byte, r Removed) []byte { return append(append(b, kindRemoved), r.ID[:]...) }

func byteOf(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// appendSync appends a record that says that everything up to offset is on the disk.
func appendSync(b []byte, offset int64) []byte {
	return binary.AppendUvarint(append(b, kindSync), uint64(offset))
}

// appendOffset appends a record that says that the records of a queue up to an offset are in the journal.
func appendOffset(b []byte, offset uint64) []byte {
	return binary.AppendUvarint(append(b, kindOffset), offset)
}

// appendJSON appends a record of a Job, a Session or an End.
func appendJSON(b []byte, kind byte, v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return b, err
	}
	b = append(b, kind)
	b = binary.AppendUvarint(b, uint64(len(text)))
	return append(b, text...), nil
}

// errRecord is the error for an unknown or malformed record.
var errRecord = errors.New("unknown record")

// A decoder decodes records.
type decoder struct {
	b   []byte
	bad bool // b was too short
}

func (d *decoder) bytes(n uint64) []byte {
	if n > uint64(len(d.b)) {
		d.bad, d.b = true, nil
		return nil
	}
	b := d.b[:n]
	d.b = d.b[n:]
	return b
}

func (d *decoder) byte() byte {
	if b := d.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

func (d *decoder) id() (id ID) {
	copy(id[:], d.bytes(IDSize))
	return id
}

func (d *decoder) number() int64 {
	n, size := binary.Uvarint(d.b)
	if size <= 0 || n>>63 != 0 {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[size:]
	return int64(n)
}

func (d *decoder) json(v any) {
	if json.Unmarshal(d.bytes(uint64(d.number())), v) != nil {
		d.bad = true
	}
}

// directory decodes a directory. The names of its children are valid until the next frame is read.
func (d *decoder) directory(into *Directory) {
	into.ID = d.id()
	flags := d.byte()
	into.Waits, into.HasLinks = flags&flagWaits != 0, flags&flagHasLinks != 0
	into.Repeated, into.Abandoned = flags&flagRepeated != 0, flags&flagAbandoned != 0
	into.Unlinked, into.DestLinks = flags&flagUnlinked != 0, flags&flagDestLinks != 0
	into.Unremoved, into.Removals = flags&flagUnremoved != 0, Removals{}
	if flags&flagRemovals != 0 {
		into.Removals = Removals{d.number(), d.number(), d.byte() != 0}
	}
	into.Entries, into.Bytes, into.Failed, into.Empty = d.number(), d.number(), d.number(), d.number()
	into.Children = into.Children[:0]
	for n := d.number(); n > 0 && !d.bad; n-- {
		name := d.bytes(uint64(d.number()))
		into.Children = append(into.Children, unsafe.String(unsafe.SliceData(name), len(name))) // without a copy, because there may be millions
	}
}

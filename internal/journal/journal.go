// Package journal records which directories of a run are done, finds out whether all are, and what is left to do.
//
// A journal is one file. It begins with a line that names the format, and goes on with frames, which are checked by
// checksums, each of which covers the one before it as well: what does not follow from the beginning is not trusted.
// Each run that works for the journal appends what it has to say:
//
//   - the job, once, at the beginning: operands and settings, which those who go on with it must share;
//   - a session, when a run begins, and its end;
//   - a directory, when a worker is done with its entries: how many there were, how many failed, and the names of the
//     directories below it that are to be dealt with as well;
//   - a settlement, where something in such a directory had to wait: links, removals, attributes;
//   - a sync, when everything before it has reached the disk.
//
// Directories are known by identifiers: the hash of that of the parent, and of the name, with a key of the journal, so
// that nobody can make names whose identifiers are equal. So a directory takes some 25 bytes and its name, and the path
// of each can be found out from the journal alone.
package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
)

// IDSize is the size of an identifier in bytes. Among 10^10 directories, two have the same one with a probability of
// 10^-9.
const IDSize = 12

// An ID identifies a directory of a source.
type ID [IDSize]byte

// Compare orders identifiers.
func (id ID) Compare(other ID) int { return bytes.Compare(id[:], other[:]) }

// A Key makes the identifiers of one journal different from those of others.
type Key [16]byte

// Root returns the identifier of a root, given its index.
func (k Key) Root(i int) ID {
	var b [len(k) + 8]byte
	copy(b[:], k[:])
	binary.LittleEndian.PutUint64(b[len(k):], uint64(i))
	return truncated(sha256.Sum256(b[:]))
}

// Child returns the identifier of the directory called name in parent.
func (k Key) Child(parent ID, name string) ID {
	b := make([]byte, 0, 64) // one block of the hash, and no allocation, for most names
	b = append(b, k[:]...)
	b = append(b, parent[:]...)
	b = append(b, name...)
	return truncated(sha256.Sum256(b))
}

func truncated(sum [sha256.Size]byte) ID { return ID(sum[:IDSize]) }

// A Directory is what is recorded of a directory when a worker is done with its entries.
type Directory struct {
	ID       ID
	Waits    bool  // something in it waits, and a settlement follows
	HasLinks bool  // files in it have several names, some of which may be elsewhere
	Repeated bool  // an earlier run has recorded it, which no longer counts
	Entries  int64 // that took part
	Bytes    int64 // of the regular files among them
	Failed   int64 // entries that failed, itself included
	Empty    int64 // directories in it that are empty, and done with it
	Children []string
}

// A Settlement says that what waited when a directory was recorded is done. If two workers of one run had the same
// directory, each has a record, and each that waits has a settlement; something failed if it did for either.
type Settlement struct {
	ID     ID
	Failed int64 // what has failed in it since it was recorded
}

// Package journal records which directories of a run are done, and determines what is left to do.
//
// A journal is one file. It begins with a line that names the format, followed by frames. The checksum of each frame
// also covers the checksum of the frame before it, so a frame is trusted only if all frames before it are sound.
// Each run that uses the journal appends records:
//
//   - the job, once, at the beginning: operands and settings, which must be the same for runs that resume it;
//   - a session, when a run begins, and an end, when it ends;
//   - a directory, when a worker has finished its entries: how many there were, how many failed, and the names of the
//     directories in it that get records of their own;
//   - a completion, when work in such a directory that had to wait is finished: links, removals, attributes;
//   - a linked record, when hosts share the job and the entries of such a directory that have several names are linked;
//   - a sync, when everything recorded before it has reached the disk;
//   - an offset, when hosts share the job by a queue: up to there, the journal has the records of the queue.
//
// Directories have identifiers: a hash of the parent's identifier and the name, with a key that differs for each
// journal, so that no one can construct names with equal identifiers. A directory takes about 25 bytes plus its name,
// and its path can be determined from the journal alone.
package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
)

// IDSize is the size of an identifier in bytes. The probability of a collision among 10^10 directories is 10^-9.
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

// A Directory is the record of a directory whose entries a worker has finished.
type Directory struct {
	ID       ID
	Waits    bool  // some work in it has to wait, and a Completion follows
	HasLinks bool  // files in it have several names, perhaps in other directories
	Repeated bool  // the record supersedes that of an earlier run
	Entries  int64 // that took part
	Bytes    int64 // of the regular files among them
	Failed   int64 // entries that failed, including the directory itself
	Empty    int64 // empty directories in it, which get no records of their own
	Children []string

	Abandoned bool // it failed because it ended the processes that worked on it

	// Unlinked says that entries that have several names are still to be copied and linked, after which a Linked record follows.
	// DestLinks says that some of them have several names in the destination already.
	Unlinked, DestLinks bool

	// Unremoved says that entries that the source lacks are still to be removed, after which a Removed record follows.
	Unremoved bool
	Removals  Removals // unless removals are not counted
}

// Removals are the entries of a directory of the destination that count for a limit of removals.
type Removals struct {
	Extraneous int64 // to be removed, with those in directories among them
	Total      int64 // entries, likewise
	Uncounted  bool  // there may be more
}

// A Removed record says that the entries of a directory that the source lacks are removed.
type Removed struct{ ID ID }

// A Linked record says that all entries of a directory that have several names are copied and linked.
type Linked struct{ ID ID }

// A Completion records that the work that had to wait when a directory was recorded is done. If two workers of one
// run had the same directory, each writes a record, and a Completion if it waits. The directory failed if it
// failed for either.
type Completion struct {
	ID     ID
	Failed int64 // entries that failed since the directory was recorded
}

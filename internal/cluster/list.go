package cluster

import (
	"encoding/binary"
	"hash/fnv"
	"math"

	"psync/internal/engine/peers"
	"psync/internal/journal"
	"psync/internal/queue"
	"psync/internal/vfs"
)

// The directories in which names are to be linked, or from which entries are to be removed, may be many, and each part of that
// work needs all of them. So the keeper records them, in several records, of which the last has none. A host records each part
// that it has done.
//
// A journal has no records of these kinds.
const (
	listRecord = 'd'
	partRecord = 'p'
)

// listSize is about how many bytes a record of directories has.
const listSize = 64 << 10

// appendDir appends a directory to a record of them.
func appendDir(b []byte, l journal.Location) []byte {
	b = binary.AppendUvarint(b, uint64(l.Root))
	b = append(binary.AppendUvarint(b, uint64(len(l.Path))), l.Path...)
	return binary.AppendUvarint(b, uint64(l.Extraneous))
}

// A listed directory is one of a list.
type listed struct {
	peers.Key
	extraneous int64 // how many entries may be removed
}

// parseList returns the directories in a record. ok is false if it is not one of directories. Anyone may have written it, so
// directories of other roots are left out, and paths that are none.
func parseList(data []byte, roots int) (dirs []listed, ok bool) {
	if len(data) == 0 || data[0] != listRecord {
		return nil, false
	}
	data = data[1:]
	for len(data) > 0 {
		root, n := binary.Uvarint(data)
		size, m := binary.Uvarint(data[max(n, 0):])
		if n <= 0 || m <= 0 || size > uint64(len(data)-n-m) {
			return dirs, true
		}
		data = data[n+m:]
		d := listed{Key: peers.Key{Path: string(data[:size])}}
		extraneous, n := binary.Uvarint(data[size:])
		if n <= 0 {
			return dirs, true
		}
		d.extraneous, data = int64(min(extraneous, math.MaxInt64)), data[size:][n:]
		if root >= uint64(roots) {
			continue
		}
		if d.Source = int(root); mayBePut(d.Key) {
			dirs = append(dirs, d)
		}
	}
	return dirs, true
}

func appendPart(p queue.Part) []byte { return []byte{partRecord, byte(p.N), byte(p.Of)} }

// parsePart returns the part in a record that says that it is done.
func parsePart(data []byte) (p queue.Part, ok bool) {
	if len(data) != len(appendPart(p)) || data[0] != partRecord {
		return p, false
	}
	return queue.Part{N: int(data[1]), Of: int(data[2])}, true
}

// hasDir reports whether a directory belongs to the part.
func hasDir(p queue.Part, k peers.Key) bool {
	h := fnv.New64a()
	_, _ = h.Write(binary.LittleEndian.AppendUint64(nil, uint64(k.Source)))
	_, _ = h.Write([]byte(k.Path))
	return h.Sum64()%uint64(p.Of) == uint64(p.N)
}

// hasEntry returns a function that reports whether an entry of the source belongs to a part; nil: all do. All names of an entry
// are in one part. The number of the device is not the same on all hosts.
func hasEntry(p queue.Part) func(vfs.ID) bool {
	if p.Of == 1 {
		return nil
	}
	return func(id vfs.ID) bool {
		h := fnv.New64a()
		_, _ = h.Write(binary.LittleEndian.AppendUint64(nil, id.Ino))
		return h.Sum64()%uint64(p.Of) == uint64(p.N)
	}
}

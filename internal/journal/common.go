package journal

import "sort"

// A QueueRecord identifies records of a queue.
type QueueRecord struct {
	Offset int64
	sum    uint32
}

// Is reports whether these are the records.
func (r QueueRecord) Is(records []byte) bool { return r.sum == sumOf(records) }

func sumOf(records []byte) uint32 { return checksum(0, records) }

// CommonOffset returns up to which offset the journal and its queue have the same records, given which of them the queue has.
// A queue that has lost its last records gives their offsets to others. The journal has some that are lost, then, and lacks those
// others.
func (f *File) CommonOffset(has func(QueueRecord) (bool, error)) (offset int64, lost bool, err error) {
	var known []QueueRecord
	err = f.visit(visitor{queued: func(q queued) {
		if len(q.records) == 0 {
			return // they were not sound
		}
		for n := len(known); n > 0 && known[n-1].Offset >= q.offset; n-- { // that was lost
			known, lost = known[:n-1], true
		}
		known = append(known, QueueRecord{q.offset, sumOf(q.records)})
	}})
	if n := len(known); err == nil && n > 0 {
		if is, failed := has(known[n-1]); is || failed != nil { // as nearly always
			return known[n-1].Offset, lost, failed
		}
	}
	n := sort.Search(len(known), func(i int) bool {
		is, failed := false, err
		if failed == nil {
			is, failed = has(known[i])
		}
		err = failed
		return !is
	})
	if err != nil || n == 0 {
		return 0, lost || len(known) > 0, err
	}
	return known[n-1].Offset, true, nil
}

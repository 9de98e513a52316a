package cluster

import (
	"context"
	"crypto/sha256"
	"errors"

	"psync/internal/journal"
	"psync/internal/queue"
)

// The first record of a job, which the keeper adds before the first round, is the key of its journal.

var errNoKey = errors.New("the first record of the job is not the key of its journal")

// keyRecord returns the record of a key.
func keyRecord(k journal.Key) queue.Record {
	id := sha256.Sum256(k[:]) // the same for a keeper that is started again
	return queue.Record{ID: queue.ID(id[:len(queue.ID{})]), Data: k[:]}
}

// readKey returns the key of the journal of a job, if it is known already.
func readKey(ctx context.Context, q queue.Queue) (k journal.Key, known bool, err error) {
	var records []queue.Record
	err = again(ctx, func(ctx context.Context) (err error) {
		records, err = q.Records(ctx, 0)
		return err
	})
	if err != nil || len(records) == 0 {
		return k, false, err
	}
	if r := records[0]; r.Round != 0 || len(r.Data) != len(k) {
		return k, false, errNoKey
	}
	return journal.Key(records[0].Data), true, nil
}

// findKey finds the key of the journal out, which must be known in a round.
func (w *working) findKey(ctx context.Context) error {
	k, known, err := readKey(ctx, w.Queue)
	if err == nil && !known {
		err = errNoKey
	}
	w.key = k
	return err
}

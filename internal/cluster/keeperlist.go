package cluster

import (
	"context"

	"psync/internal/journal"
	"psync/internal/queue"
	"psync/internal/sys"
)

// linkParts is into how many parts entries with several names are divided. Each of them looks at all directories that have any.
const linkParts = 8

// notePart notes that a part is done, if a record says so.
func (k *Keeper) notePart(r queue.Record) {
	p, ok := parsePart(r.Data)
	if !ok {
		return
	}
	if k.partsIn != r.Round {
		k.parts, k.partsIn = make(map[queue.Part]bool), r.Round
	}
	if p.Of == k.proof.Parts {
		k.parts[p] = true
	}
}

// recordList records the directories of the next round.
func (k *Keeper) recordList(ctx context.Context, r queue.Round, step queue.Phase) error {
	f, err := journal.Read(k.Name, sys.BootID())
	if err != nil {
		return err
	}
	defer f.Close()
	list := []byte{listRecord}
	write := func() error {
		record := queue.Record{ID: queue.NewID(), Round: r.N, Data: list}
		list = []byte{listRecord}
		return again(ctx, func(ctx context.Context) error { return k.Queue.Append(ctx, record) })
	}
	visit := f.Links
	if step == queue.Remove {
		visit = f.Removals
	}
	err = visit(func(l journal.Location) error {
		if list = appendDir(list, l); len(list) < listSize {
			return nil
		}
		return write()
	})
	if err == nil && len(list) > 1 {
		err = write()
	}
	if err == nil {
		err = write()
	}
	return err
}

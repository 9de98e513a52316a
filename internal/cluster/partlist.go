package cluster

import (
	"context"
	"slices"

	"psync/internal/queue"
)

// A partList is what is left of the list of directories of a part.
type partList struct {
	queue.Part
	after uint64 // the offset of the record that was read last
	over  bool
	lost  bool // the list does not come to its end
}

// next returns some of the directories.
func (l *partList) next(ctx context.Context, q queue.Queue, r queue.Round, roots int) (dirs []listed, err error) {
	var records []queue.Record
	err = again(ctx, func(ctx context.Context) (err error) {
		records, err = q.Records(ctx, l.after)
		return err
	})
	if err != nil {
		return nil, err
	}
	l.over, l.lost = len(records) == 0, len(records) == 0
	for _, record := range records {
		l.after = record.Offset
		some, ok := parseList(record.Data, roots)
		if l.over = ok && len(record.Data) == 1; l.over {
			break
		}
		if r.Phase != queue.Link {
			some = slices.DeleteFunc(some, func(d listed) bool { return !hasDir(l.Part, d.Key) })
		}
		dirs = append(dirs, some...)
	}
	return dirs, nil
}

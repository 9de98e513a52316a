package remotefs

import (
	"context"

	"psync/internal/vfs/remotefs/session"
	"psync/internal/wire"
)

// CountTree implements [vfs.Dir].
func (d *Dir) CountTree(ctx context.Context) (files, bytes int64, known bool) {
	h := d.handle.Use()
	defer d.handle.Release()
	select {
	case r := <-d.s.Start(&wire.Count{Dir: h}):
		a, err := session.AnswerOf[*wire.Counted](d.s.Session, r.Message, r.Err)
		if err != nil {
			return 0, 0, false
		}
		return a.Files, a.Bytes, a.Known
	case <-ctx.Done():
		return 0, 0, false // the server counts until the session ends
	}
}

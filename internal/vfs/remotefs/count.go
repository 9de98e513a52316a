package remotefs

import (
	"context"

	"psync/internal/wire"
)

// Count implements [vfs.Dir].
func (d *Dir) Count(ctx context.Context) (files, bytes int64, known bool) {
	h := d.handle.use()
	defer d.handle.release()
	select {
	case r := <-d.s.start(&wire.Count{Dir: h}):
		a, err := answerOf[*wire.Counted](d.s, r.Message, r.err)
		if err != nil {
			return 0, 0, false
		}
		return a.Files, a.Bytes, a.Known
	case <-ctx.Done():
		return 0, 0, false // the server counts until the session ends
	}
}

package content_test

import (
	"bytes"
	"errors"
	"testing"

	"psync/internal/content"
	"psync/internal/vfs/memfs"
)

func TestReflink(t *testing.T) {
	const size = 300_000
	broken := errors.New("broken")
	for _, tt := range []struct {
		name    string
		reflink content.Reflink
		sparse  bool
		size    int64
		clone   error
		want    error // nil: the copy succeeds
		cloned  int   // calls in two copies on one route
		ranged  int64
	}{
		{"auto", content.ReflinkAuto, false, size, nil, nil, 2, 0},
		{"auto, refused", content.ReflinkAuto, false, size, errors.ErrUnsupported, nil, 1, 2},
		{"always", content.ReflinkAlways, false, size, nil, nil, 2, 0},
		{"always, refused", content.ReflinkAlways, false, size, errors.ErrUnsupported, content.ErrReflink, 1, 0},
		{"always, broken", content.ReflinkAlways, false, size, broken, broken, 2, 0},
		{"always, sparse", content.ReflinkAlways, true, size, nil, content.ErrReflink, 0, 0},
		{"always, empty", content.ReflinkAlways, false, 0, errors.ErrUnsupported, nil, 0, 0},
		{"never", content.ReflinkNever, false, size, nil, nil, 0, 0},
		{"never, sparse", content.ReflinkNever, true, size, nil, nil, 0, 0},
	} {
		for _, over := range []bool{false, true} {
			route := between()
			cloned, ranged := 0, int64(0)
			for range 2 {
				root := closing(t, memfs.New().Root())
				data := random(int(tt.size))
				src := write(t, root, "src", data)
				dst := &trial{clone: tt.clone, copyRange: func(_, n int64) (int64, error) { return n, nil }}
				c := content.Copier{Options: content.Options{Reflink: tt.reflink, Sparse: tt.sparse}, Progress: func(int64) {}}
				var err error
				if over {
					dst.File = rewrite(t, root, "dst", []byte("old"))
					err = c.Overwrite(t.Context(), dst, src, stat(t, src), route)
				} else {
					dst.File = create(t, root, "dst")
					err = c.Copy(t.Context(), dst, src, stat(t, src), route)
				}
				if !errors.Is(err, tt.want) || tt.want != nil && (!errors.Is(err, content.ErrReflink) || isRead(err)) {
					t.Errorf("%s, over an old file %v: %v, want %v", tt.name, over, err, tt.want)
				}
				if err == nil && !bytes.Equal(read(t, root, "dst"), data) {
					t.Errorf("%s, over an old file %v: the copy differs", tt.name, over)
				}
				cloned += dst.cloned
				ranged += dst.ranged
			}
			if cloned != tt.cloned || ranged != tt.ranged {
				t.Errorf("%s, over an old file %v: %d clones and %d range copies, want %d and %d", tt.name, over, cloned, ranged, tt.cloned, tt.ranged)
			}
		}
	}
}

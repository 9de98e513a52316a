package remotefs

import (
	"context"
	"testing"
	"testing/synctest"

	"psync/internal/engine/source"
	"psync/internal/localfs"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/wire"
)

// ruled hides what is called hidden.
type ruled struct{}

func (ruled) Hidden(path string, _ bool) bool { return path == "hidden" }
func (ruled) Protected(string, bool) bool     { return false }

// TestCount has the server count a source, as progress displays want it.
func TestCount(t *testing.T) {
	h := newHost(t)
	dir := realDir(t)
	fstest.Fill(t, openDir(t, localfs.Host{}, dir), "a/b/f 644 one\na/g 644 three\nhidden/f 644 x\nlink -> a\nh 644 \n")
	for _, tt := range []struct {
		name         string
		selection    source.Selection
		names        []string
		known        bool
		files, bytes int64
	}{
		{"all", source.Selection{}, nil, true, 4, 9},
		{"some", source.Selection{}, []string{"a", "h", "link"}, true, 3, 8},
		{"rules", source.Selection{Rules: ruled{}}, nil, false, 0, 0},
	} {
		var e report.Expected
		trees := []source.Tree{{Dir: openDir(t, h, dir), Names: tt.names}}
		source.NewSelector(tt.selection, plan.Links{}, nil).Count(t.Context(), trees, plan.Policy{}, &e)
		if known, files, bytes := e.Known.Load(), e.Files.Load(), e.Bytes.Load(); known != tt.known || files != tt.files || bytes != tt.bytes {
			t.Errorf("%s: %d files, %d bytes, known %v; want %d, %d, %v", tt.name, files, bytes, known, tt.files, tt.bytes, tt.known)
		}
	}
}

// TestCountEndsWithTheRun uses a server that goes on counting when the answer is no longer needed.
func TestCountEndsWithTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newScripted(t, func(wire.Message) []wire.Message { return nil })
		d := openDir(t, h, "/")
		if !d.Caps().Has(vfs.CanCountTree) {
			t.Fatal("the directory cannot count")
		}
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			synctest.Wait()
			cancel()
		}()
		if files, bytes, known := d.CountTree(ctx); known {
			t.Errorf("%d files and %d bytes are known", files, bytes)
		}
	})
}

package content_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"psync/internal/content"
	"psync/internal/vfs"
)

// TestContinue believes what a file has, but for a gap that requests leave which have overtaken others.
func TestContinue(t *testing.T) {
	const mib = 1 << 20
	all := bytes.Repeat([]byte("data"), 5*mib)
	for name, tt := range map[string]struct{ far, gap, whole bool }{
		"here":                        {},
		"on another host":             {far: true},
		"on another host, with a gap": {far: true, gap: true, whole: true},
		"here, with zeros of its own": {gap: true},
	} {
		path := t.TempDir()
		if err := os.WriteFile(filepath.Join(path, "src"), all, 0o666); err != nil {
			t.Fatal(err)
		}
		d := openLocal(t, path)
		src, err := d.OpenFile("src", vfs.ReadOnly, 0)
		if err != nil {
			t.Fatal(err)
		}
		dst := create(t, d, "dst")
		_, err = dst.WriteAt([]byte("DATA"), 0) // which is older than the last window
		if err == nil && !tt.gap {
			_, err = dst.WriteAt(all[4:12*mib], 4)
		} else if err == nil {
			_, err = dst.WriteAt([]byte("data"), 12*mib-4)
		}
		if err != nil {
			t.Fatal(err)
		}
		copied := int64(0)
		c := content.Copier{Progress: func(n int64) { copied += n }}
		attr, err := vfs.Stat(src)
		if err == nil {
			err = c.Continue(t.Context(), dst, src, attr, 12*mib, tt.far, new(content.Route))
		}
		_ = src.Close()
		if err := vfs.JoinErrors(err, dst.Close()); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(path, "dst"))
		want := 12 * mib
		if tt.whole {
			want = 4 * mib
		}
		if err != nil || len(got) != len(all) || !bytes.Equal(got[want:], all[want:]) || !bytes.HasPrefix(got, []byte("DATA")) || copied != int64(len(all)) {
			t.Errorf("%s: %d bytes, %d reported, %v", name, len(got), copied, err)
		}
		if tt.gap && !tt.far && got[8*mib] != 0 {
			t.Errorf("%s: what is there was copied again", name)
		}
	}
}

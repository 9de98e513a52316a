package contents

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"psync/internal/content"
	"psync/internal/gnucp/attrs"
	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/policy"
	"psync/internal/localfs"
	"psync/internal/output"
	"psync/internal/report"
)

// TestOthersHelpWithLargeFiles lets another Copier take as many ranges of a file as it can.
func TestOthersHelpWithLargeFiles(t *testing.T) {
	const size = 20<<20 + 5
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(rand.Uint32())
	}
	for _, c := range []struct {
		what    string
		options policy.Options
		near    int64
		helps   bool
	}{
		{"a file that is large enough", policy.Options{}, 2, true},
		{"a file that is too small", policy.Options{}, size + 1, false},
		{"a file of this machine", policy.Options{}, 0, false},
		{"a file with --debug", policy.Options{Debug: true}, 2, false},
	} {
		t.Run(c.what, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "src"), data, 0o600); err != nil {
				t.Fatal(err)
			}
			c.options.Reflink = content.ReflinkNever
			s := &Shared{Setter: attrs.Setter{Options: &c.options}, CutoffNear: c.near}
			stats := new(report.Stats)
			helper := NewCopier(s, stats.Counter(), nil)
			var helped int64
			owner := NewCopier(s, stats.Counter(), func(r *content.Ranges) func() {
				helper.Help(t.Context(), r)
				return func() { helped = r.Helped() }
			})
			_, out := output.New(output.Config{Stdout: io.Discard, Stderr: t.Output()})
			src, dst := filepath.Join(dir, "src"), filepath.Join(dir, "dst")
			attr, err := localfs.Cwd.Stat(src, true)
			if err != nil {
				t.Fatal(err)
			}
			e := &entry.Copy{
				Src: entry.Place{At: localfs.Cwd, Name: src}, Dst: entry.Place{At: localfs.Cwd, Name: dst},
				Attr: attr, New: true, Out: out,
			}
			if !owner.CopyFile(t.Context(), e, nil) {
				t.Fatal("the copy has failed")
			}
			if (helped > 0) != c.helps {
				t.Errorf("%d bytes were copied by another", helped)
			}
			if got, err := os.ReadFile(dst); err != nil || !bytes.Equal(got, data) {
				t.Errorf("the copy differs: %v", err)
			}
		})
	}
}

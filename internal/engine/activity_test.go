package engine

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"psync/internal/report"
	"psync/internal/vfs/faultfs"
	"psync/internal/walk"
)

// Two calls hang: until they return, the run reports where.
func TestActivityNamesWhatHangs(t *testing.T) {
	for _, c := range []struct {
		op, name string
		want     string
	}{
		{"create", "f", "SRC/a/f SRC/b/f"},
		{"opendir", "", "SRC/a SRC/b"},
	} {
		t.Run(c.op, func(t *testing.T) {
			b := newTestbed(t, "a/f 644 x\nb/f 644 x\n", "")
			b.job.Sources[0].Label = "SRC"
			b.job.Activity = new(report.Activity)
			b.job.Workers = walk.NewSize(4, 4)
			var hanging sync.WaitGroup
			hanging.Add(2)
			release := make(chan struct{})
			b.job.Dest = faultfs.New(b.job.Dest, func(op, name string) error {
				if op == c.op && (c.name == "" || name == c.name) {
					hanging.Done()
					<-release
				}
				return nil
			})
			var run sync.WaitGroup
			run.Go(func() { b.mustRun(t) })
			hanging.Wait()
			got := b.job.Activity.Paths() // a worker may still be busy with the root
			for want := range strings.FieldsSeq(c.want) {
				if !slices.Contains(got, want) {
					t.Errorf("got %s, want %s among them", got, want)
				}
			}
			close(release)
			run.Wait()
			if got := b.job.Activity.Paths(); len(got) > 0 {
				t.Errorf("%s at the end", got)
			}
		})
	}
}

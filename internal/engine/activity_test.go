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

const longFile = 1 << 20 // bytes; see engine/entry

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

// Several workers copy a large file: it is in hand once, with the bytes of all of them, until its times are set.
func TestActivityKnowsTheBytesOfLargeFiles(t *testing.T) {
	for _, streams := range []int{1, 4} {
		b := newTestbed(t, "large 644 "+strings.Repeat("x", 2*longFile)+"\n", "")
		b.job.Sources[0].Label = "SRC"
		b.job.Activity = new(report.Activity)
		b.job.Workers = walk.NewSize(4, 4)
		b.job.Streams, b.job.Cutoff, b.job.AlwaysShare = streams, longFile, true
		var hand []report.InHand
		b.job.Dest = faultfs.New(b.job.Dest, func(op, _ string) error {
			if op == "fchtimes" {
				hand = b.job.Activity.Transfers()
			}
			return nil
		})
		b.mustRun(t)
		if len(hand) != 1 || hand[0].Path != "SRC/large" || hand[0].Transfer.Size != 2*longFile || hand[0].Transfer.Done() != 2*longFile {
			t.Errorf("%d streams: got %v, want SRC/large, and all its bytes copied", streams, hand)
		}
		if hand = b.job.Activity.Transfers(); len(hand) > 0 {
			t.Errorf("%d streams: %v at the end", streams, hand)
		}
	}
}

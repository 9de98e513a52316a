package engine

import (
	"errors"
	"fmt"
	"testing"

	"psync/internal/engine/job"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A roomyDir is a directory of a volume with the given free space.
type roomyDir struct {
	vfs.Dir
	room vfs.Space
}

func (d roomyDir) Unwrap() vfs.Dir { return d.Dir }

func (d roomyDir) Statfs() (vfs.Volume, error) {
	return vfs.Volume{Space: &d.room}, nil
}

// TestLargeFilesThatDoNotFitAreNotBegunWith copies a file of 8 MiB.
func TestLargeFilesThatDoNotFitAreNotBegunWith(t *testing.T) {
	const size = 8 << 20
	less := vfs.Space{Free: size - 4096, Plain: true}
	for _, tt := range []struct {
		name   string
		room   vfs.Space
		set    func(*Options)
		begins bool
	}{
		{"does not fit", less, nil, false},
		{"root has more", vfs.Space{Free: size - 4096, Reserved: 4096, Plain: true}, nil, true},
		{"may be compressed", vfs.Space{Free: 4096}, nil, true},
		{"the run makes room", less, func(o *Options) { o.Delete.On = true }, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newTestbed(t, fmt.Sprintf("f 644 \"0123456789abcdef\"*%d\n", size/16), "")
			b.job.Dest = roomyDir{b.job.Dest, tt.room}
			if tt.set != nil {
				tt.set(&b.job.Options)
			}
			err := b.run(t.Context())
			fatal, ok := errors.AsType[*FatalError](err)
			if ok == tt.begins || ok && (fatal.Need != size || fatal.Room == nil) {
				t.Errorf("Run = %v", err)
			}
			if none := b.job.Stats.Totals()[report.BytesCopied] == 0; none == tt.begins {
				t.Errorf("nothing was copied: %v", none)
			}
			if _, ok := errors.AsType[*job.NoRoomError](b.record.failure()); ok == tt.begins {
				t.Errorf("failed with %v", b.record.failure())
			}
		})
	}
}

// failure returns the error of the first failure, or nil.
func (r *record) failure() error {
	for _, e := range r.events {
		if e.Kind == report.Fail {
			return e.Err
		}
	}
	return nil
}

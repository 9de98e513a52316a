package volume

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"testing"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/memfs"
)

func TestUnsupported(t *testing.T) {
	acl := Feature{report.ACLs, "system"}
	v := new(Volume)
	v.LearnUnsupported(acl, io.ErrUnexpectedEOF)
	if err := v.Unsupported(acl); err != nil {
		t.Errorf("one entry says %v of the volume", err)
	}
	refused := fmt.Errorf("setxattr: %w", errors.ErrUnsupported)
	v.LearnUnsupported(acl, refused)
	if err := v.Unsupported(acl); err != refused {
		t.Errorf("got %v", err)
	}
	if err := v.Unsupported(Feature{report.ACLs, "user"}); err != nil {
		t.Errorf("another namespace: %v", err)
	}
	if v = nil; v.Unsupported(acl) != nil || v.Ignored() != 0 {
		t.Error("a volume that does not exist lacks something")
	}
}

func TestRoundedBy(t *testing.T) {
	at := func(nsec int64) time.Time { return time.Unix(1e9, nsec) }
	for _, tt := range []struct {
		src, dst  time.Time
		maybe     bool
		want      time.Duration
		measuring time.Duration
	}{
		{at(123_456_789), at(123_456_700), true, 100, 100},
		{at(123_456_789), at(123_456_800), true, 100, 100},
		{at(123_456_789), at(123_456_000), true, time.Microsecond, time.Microsecond},
		{at(123_456_789), at(0), true, time.Second, time.Second},
		{at(1_123_456_789), at(0), true, 2 * time.Second, 2 * time.Second},
		{at(123_456_789), at(5_000_000_000), false, 0, 0},
		{at(123_456_789), at(123_456_790), false, 0, 100},
	} {
		if got := RoundedBy(tt.src, tt.dst); got != tt.want {
			t.Errorf("RoundedBy(%v, %v) = %v, want %v", tt.src, tt.dst, got, tt.want)
		}
		if got := MayBeRounded(tt.src, tt.dst); got != tt.maybe {
			t.Errorf("MayBeRounded(%v, %v) = %v", tt.src, tt.dst, got)
		}
		if got := coarseness(tt.src, tt.dst); got != tt.measuring {
			t.Errorf("coarseness(%v, %v) = %v, want %v", tt.src, tt.dst, got, tt.measuring)
		}
	}
}

// TestGranularityIsAskedOnce measures a volume until that succeeds.
func TestGranularityIsAskedOnce(t *testing.T) {
	v := new(Volume)
	calls := 0
	for _, measured := range []bool{false, true, true} {
		g, ok := v.MeasuredGranularity(func() (time.Duration, bool) {
			calls++
			return time.Second, measured
		})
		if ok != measured || ok && g != time.Second {
			t.Errorf("got %v, %v", g, ok)
		}
	}
	if calls != 2 || v.Granularity() != time.Second {
		t.Errorf("measured %d times, remembered %v", calls, v.Granularity())
	}
}

// TestCaseIsTriedAgain loses the answer to making the file: the trial says what the volume does, and that the file was made.
func TestCaseIsTriedAgain(t *testing.T) {
	for name, lost := range map[string]bool{"file": false, "answer": true} {
		t.Run(name, func(t *testing.T) {
			d := &lossyDir{Dir: memfs.New().TestRoot(t), lost: lost}
			if ignored, made := TryCase(d, "name"); ignored || !made || d.calls != 2 {
				t.Errorf("TryCase: %v, made %v, by %d calls", ignored, made, d.calls)
			}
		})
	}
}

// A lossyDir makes files asynchronously. The first time, the connection is lost before, or after that if lost is true.
type lossyDir struct {
	vfs.Dir
	lost  bool
	calls int
}

func (d *lossyDir) Caps() vfs.Caps { return d.Dir.Caps() | vfs.CanCreateAsync }

func (d *lossyDir) OpenFile(name string, _ vfs.OpenMode, perm fs.FileMode) (vfs.File, error) {
	if d.calls++; d.calls == 1 && !d.lost {
		return lossyFile{}, nil
	}
	f, err := d.Dir.OpenFile(name, vfs.Create, perm)
	if err != nil {
		return lossyFile{err: err}, nil
	}
	if err = f.Close(); d.calls == 1 {
		return lossyFile{}, err
	}
	return lossyFile{ok: true}, err
}

type lossyFile struct {
	vfs.File
	ok  bool
	err error
}

func (f lossyFile) Commit([]vfs.Change, bool) ([]error, error) {
	if f.ok || f.err != nil {
		return nil, f.err
	}
	return nil, &vfs.OutageError{Err: io.EOF, Lost: true}
}

func TestTrials(t *testing.T) {
	for name, folds := range map[string]bool{"case counts": false, "case is ignored": true} {
		t.Run(name, func(t *testing.T) {
			mem := memfs.New()
			if folds {
				mem = memfs.NewFolding()
			}
			root := mem.Root()
			defer root.Close()
			if ignored, made := TryCase(root, "name"); ignored != folds || !made {
				t.Errorf("TryCase: %v, made %v", ignored, made)
			}
			if ignored, made := TryCase(root, "name"); !ignored || made {
				t.Errorf("TryCase where nothing can be made: %v, made %v", ignored, made)
			}
			if g, made, ok := MeasureGranularity(root, "other"); g != 0 || !made || !ok {
				t.Errorf("MeasureGranularity: %v, made %v, %v", g, made, ok)
			}
		})
	}
}

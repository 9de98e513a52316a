package engine

import (
	"io/fs"
	"strings"
	"sync"
	"testing"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// A timeCache is what the client of a network file system caches of times that it has set.
type timeCache struct {
	round func(time.Time) time.Time // done by the server

	mu sync.Mutex // guards m
	m  map[vfs.ID]time.Time
}

func (c *timeCache) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.m)
}

// remembering is a directory whose times are kept in whole seconds, but shown as they were set until the entry is
// opened or the cache is cleared.
type remembering struct {
	vfs.Dir
	cache *timeCache
}

// newRemembering returns a sync with such a destination.
func newRemembering(t *testing.T, src string, round func(time.Time) time.Time) (*testbed, *timeCache) {
	t.Helper()
	b := newFar(t, memfs.New(), src, "")
	cache := &timeCache{round: round, m: make(map[vfs.ID]time.Time)}
	b.job.Dest = remembering{onVolume(b.dst.Root(), vfs.Volume{Network: true, Granularity: 100 * time.Nanosecond}), cache}
	t.Cleanup(func() { b.job.Dest.Close() })
	return b, cache
}

func (r remembering) Unwrap() vfs.Dir { return r.Dir }

func (r remembering) Statfs() (vfs.Volume, error) { return r.Dir.Statfs() }

func (r remembering) OpenDir(name string, how vfs.Resolve) (vfs.Dir, error) {
	sub, err := r.Dir.OpenDir(name, how)
	if err != nil {
		return nil, err
	}
	return remembering{sub, r.cache}, nil
}

func (r remembering) Statx(name string, want vfs.StatxWant) (vfs.Attr, error) {
	attr, err := r.Dir.Statx(name, want)
	r.cache.mu.Lock()
	defer r.cache.mu.Unlock()
	if exact, ok := r.cache.m[attr.ID()]; ok && err == nil {
		attr.Mtime = exact
	}
	return attr, err
}

func (r remembering) Set(name string, changes []vfs.Change) []error {
	return vfs.SetEach(changes, func(c *vfs.Change) error {
		if c.Kind == vfs.TimesChange {
			return r.chtimes(name, c.Atime, c.Mtime)
		}
		return vfs.SetOne(vfs.In(r.Dir, name), *c)
	})
}

func (r remembering) chtimes(name string, atime, mtime time.Time) error {
	if err := vfs.Chtimes(vfs.In(r.Dir, name), atime, r.cache.round(mtime)); err != nil {
		return err
	}
	attr, err := vfs.Lstat(r.Dir, name)
	r.cache.mu.Lock()
	defer r.cache.mu.Unlock()
	r.cache.m[attr.ID()] = mtime.Truncate(100 * time.Nanosecond)
	return err
}

func (r remembering) OpenFile(name string, mode vfs.OpenMode, perm fs.FileMode) (vfs.File, error) {
	if mode != vfs.ReadOnly {
		return r.Dir.OpenFile(name, mode, perm)
	}
	attr, err := vfs.Lstat(r.Dir, name)
	if err == nil {
		r.cache.mu.Lock()
		delete(r.cache.m, attr.ID())
		r.cache.mu.Unlock()
	}
	return r.Dir.OpenFile(name, mode, perm)
}

const fineTimes = `
	./ 755 @2001-02-03T04:05:06.123456789Z
	f 644 @2001-02-03T04:05:06.123456789Z x
	late 644 @2001-02-03T04:05:06.987654321Z x
	link @2001-02-03T04:05:06.123456789Z -> f
	d/ 755 @2001-02-03T04:05:06.987654321Z
	d/e/ 755 @2001-02-03T04:05:06.123456789Z
	d/f 644 @2001-02-03T04:05:06.123456789Z x
`

// TestTimesThatTheServerRounds syncs to a remote volume that keeps seconds but shows more for a while: later runs
// find everything current.
func TestTimesThatTheServerRounds(t *testing.T) {
	rounds := map[string]func(time.Time) time.Time{
		"down":        func(t time.Time) time.Time { return t.Truncate(time.Second) },
		"to nearest":  func(t time.Time) time.Time { return t.Round(time.Second) },
		"two seconds": func(t time.Time) time.Time { return t.Truncate(2 * time.Second) },
	}
	trees := map[string]string{
		"everything":  fineTimes,
		"directories": "./ 755 @2001-02-03T04:05:06.123456789Z\nd/ 755 @2001-02-03T04:05:06.123456789Z\n",
		"links":       "./ 755 @2001-02-03T04:05:06Z\nl @2001-02-03T04:05:06.123456789Z -> x\n",
	}
	for how, round := range rounds {
		for what, tree := range trees {
			for _, mode := range []string{"sync", "dry run", "comparison", "nothing can be made"} {
				t.Run(how+", "+what+", "+mode, func(t *testing.T) {
					b, cache := newRemembering(t, tree, round)
					b.job.DestIsNew = true
					b.mustRun(t)
					b.job.DestIsNew = false
					b.job.DryRun, b.job.Compare = mode == "dry run" || mode == "comparison", mode == "comparison"
					if mode == "nothing can be made" {
						b.job.Dest = faultfs.Inject(b.job.Dest, "(op create, err EACCES)")
					}
					for range 3 {
						b.mustRun(t)
						if len(b.record.events) > 0 {
							t.Errorf("a later run did %q", b.record.all())
						}
						cache.forget()
					}
				})
			}
		}
	}
}

// TestChangesOnAVolumeThatRoundsAreCopied changes files on such a volume.
func TestChangesOnAVolumeThatRoundsAreCopied(t *testing.T) {
	b, cache := newRemembering(t, fineTimes, func(t time.Time) time.Time { return t.Round(time.Second) })
	b.job.DestIsNew = true
	b.mustRun(t)
	b.job.DestIsNew = false
	cache.forget()
	src := b.src.Root()
	defer src.Close()
	for name, line := range map[string]string{
		"f": "644 @2001-02-03T04:05:06.2Z longer\n", "late": "644 @2001-02-03T04:05:08.1Z y\n",
	} {
		if err := src.Remove(name, nil); err != nil {
			t.Fatal(err)
		}
		fstest.Fill(t, src, name+" "+line)
	}
	b.mustRun(t)
	b.wantEvents(t, []string{"replace f", "replace late"}, report.Replace, report.Copy)
	b.wantTree(t, "d/ 755\nd/e/ 755\nd/f 644 x\nf 644 longer\nlate 644 y\nlink -> f\n")
}

// TestTimesThatAreOnlyShownRounded has files on a remote volume that keeps times exactly: a file with another time
// within the same second is different, because a probe shows that the volume keeps that time.
func TestTimesThatAreOnlyShownRounded(t *testing.T) {
	b := newFar(t, memfs.New(), "f 644 @2001-02-03T04:05:06.5Z new\ng 644 @2001-02-03T04:05:06Z x\n",
		"f 644 @2001-02-03T04:05:06Z old\ng 644 @2001-02-03T04:05:06Z x\n")
	b.mustRun(t)
	b.wantEvents(t, []string{"replace f"}, report.Replace)
}

// TestGranularityIsMeasuredOnce has many files in many directories whose times were rounded.
func TestGranularityIsMeasuredOnce(t *testing.T) {
	var tree strings.Builder
	for _, d := range []string{"a", "b", "c", "d", "e"} {
		tree.WriteString(strings.ReplaceAll(strings.ReplaceAll(many(d, 20), "00:00:00Z", "00:00:00.5Z"), "/f", "/"+d))
	}
	b, cache := newRemembering(t, tree.String(), func(t time.Time) time.Time { return t.Truncate(time.Second) })
	b.job.DestIsNew, b.job.Threads = true, 8
	b.mustRun(t)
	b.job.DestIsNew = false
	cache.forget()
	ops := b.countDest(t)
	created := 0
	for op, n := range ops {
		if strings.HasPrefix(op, "create ") {
			created += n
		}
	}
	if created != 1 {
		t.Errorf("%d files made, want 1: %v", created, ops)
	}
}

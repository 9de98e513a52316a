package engine

import (
	"cmp"
	"context"
	"strings"

	"psync/internal/engine/volume"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// MaxCountDepth bounds the directories that Count keeps open.
const MaxCountDepth = 100

// Count walks the sources and adds up what there is to copy, so that a progress
// display knows the total long before the workers have met every file. It runs
// beside them, and shares nothing with them but the sources. What it cannot
// read it leaves out; where it cannot go on, expected.Known stays false.
// Links that a copy would follow it does not. Of the options, it heeds Rules, VolumeFiles and Profile.
func Count(ctx context.Context, o Options, sources []Source, expected *report.Expected) {
	c := counter{ctx: ctx, expected: expected, rules: o.Rules}
	if !o.VolumeFiles {
		c.profile = *cmp.Or(o.Profile, metadata.Native())
	}
	for _, s := range sources {
		c.source(s)
	}
	if ctx.Err() == nil && !c.tooDeep {
		expected.Known.Store(true)
	}
}

type counter struct {
	ctx      context.Context // lives as long as one call of Count
	expected *report.Expected
	rules    Rules
	profile  metadata.Profile // empty if it does not matter
	tooDeep  bool
}

func (c *counter) source(s Source) {
	if c.ctx.Err() != nil {
		return
	}
	dir := s.Dir
	if dir == nil {
		var err error
		if dir, err = s.Open(); err != nil {
			return
		}
		defer dir.Close()
	}
	if len(s.Names) == 0 {
		c.walk(dir, s.Into, 0)
		return
	}
	for _, name := range s.Names {
		if attr, err := dir.Lstat(name); err == nil {
			c.entry(dir, "", vfs.Entry{Name: name, Type: attr.Mode.Type()}, 0)
		}
	}
}

func (c *counter) walk(dir vfs.Dir, path string, depth int) {
	if depth > MaxCountDepth {
		c.tooDeep = true
		return
	}
	atRoot := depth <= 1 && c.isVolumeRoot(dir) // operands are no deeper
	var below []vfs.Entry
	_ = dir.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			if c.ctx.Err() != nil {
				return c.ctx.Err()
			}
			if atRoot && c.profile.IsVolumeFile(e.Name) {
				continue
			}
			if e.Type.IsDir() {
				e.Name = strings.Clone(e.Name) // or it would keep all of the listing
				below = append(below, e)
			} else {
				c.entry(dir, path, e, depth)
			}
		}
		return nil
	})
	for _, e := range below {
		c.entry(dir, path, e, depth)
	}
}

// isVolumeRoot reports whether a directory may hold what the system keeps for itself.
func (c *counter) isVolumeRoot(dir vfs.Dir) bool {
	s, ok := dir.(vfs.Statfser)
	if !ok || len(c.profile.VolumeFiles) == 0 {
		return false
	}
	v, err := s.Statfs()
	if err != nil {
		return false
	}
	attr, err := dir.Lstat(".")
	return err == nil && (&volume.Volume{Volume: v}).HasRoot(attr)
}

func (c *counter) entry(dir vfs.Dir, path string, e vfs.Entry, depth int) {
	switch {
	case c.ctx.Err() != nil:
	case c.rules != nil && c.rules.Hidden(join(path, e.Name), e.Type.IsDir()):
	case e.Type.IsDir():
		if sub, err := dir.OpenDir(e.Name); err == nil {
			c.walk(sub, join(path, e.Name), depth+1)
			sub.Close()
		}
	case e.Type.IsRegular():
		if attr, err := dir.Lstat(e.Name); err == nil {
			c.expected.Files.Add(1)
			c.expected.Bytes.Add(attr.Size)
		}
	}
}

package source

import (
	"context"
	"strings"

	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// MaxCountDepth bounds the directories that Count keeps open.
const MaxCountDepth = 100

// Count walks the sources and adds up what there is to copy, so that a progress display knows the total long before
// the workers have found every file. It runs alongside them, and shares only the sources with them. It omits what it
// cannot read; if it cannot continue, expected.Known stays false. It does not follow links that a copy would follow.
// Of the Selection it applies only Rules and VolumeFiles, and of policy the limits of size. If these would have to be
// applied to files of another host, the total stays unknown.
func (s *Selector) Count(ctx context.Context, trees []Tree, policy plan.Policy, expected *report.Expected) {
	c := counter{ctx: ctx, expected: expected, selector: s, policy: policy}
	for _, t := range trees {
		c.tree(t)
	}
	if ctx.Err() == nil && !c.incomplete {
		expected.Known.Store(true)
	}
}

// HoldAtLeast reports whether the sources hold n regular files to copy and, if they do not, how many they hold. It
// omits what cannot be read.
func (s *Selector) HoldAtLeast(ctx context.Context, trees []Tree, policy plan.Policy, n int64) (enough bool, files int64) {
	var found report.Expected
	c := counter{ctx: ctx, expected: &found, selector: s, policy: policy, enough: n}
	for _, t := range trees {
		c.tree(t)
	}
	files = found.Files.Load()
	return files >= n, files
}

type counter struct {
	ctx      context.Context // lives as long as one call of Count
	expected *report.Expected
	selector *Selector
	policy   plan.Policy
	enough   int64 // the number of files after which to stop; 0: count all
	// incomplete says that something readable was omitted.
	incomplete bool
}

func (c *counter) tree(t Tree) {
	if c.ctx.Err() != nil {
		return
	}
	dir := t.Dir
	if dir == nil {
		var err error
		if dir, err = t.Open(); err != nil {
			return
		}
		defer dir.Close()
	}
	if len(t.Names) == 0 {
		c.walk(dir, t.Into, c.selector.InForce(t.Rules), 0)
		return
	}
	entries, _ := LookUp(dir, t.Names) // what is missing is not counted
	for _, e := range entries {
		c.entry(dir, "", c.selector.InForce(t.Rules), e, 0)
	}
}

func (c *counter) walk(dir vfs.Dir, path string, outer Rules, depth int) {
	if depth > MaxCountDepth {
		c.incomplete = true
		return
	}
	if c.enough == 0 && dir.Caps().Has(vfs.CanCountTree) {
		c.far(dir)
		return
	}
	atRoot := depth <= 1 && c.isVolumeRoot(dir) // operands are no deeper
	rules, err := RulesIn(outer, dir, path)
	if err != nil {
		return
	}
	var below []vfs.Entry
	_ = dir.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			if c.ended() {
				return c.ctx.Err()
			}
			if c.selector.IsVolumeFile(atRoot, e.Name) {
				continue
			}
			if e.Type.IsDir() {
				e.Name = strings.Clone(e.Name) // otherwise it would keep the whole listing in memory
				below = append(below, e)
			} else {
				c.entry(dir, path, rules, e, depth)
			}
		}
		return nil
	})
	for _, e := range below {
		c.entry(dir, path, rules, e, depth)
	}
}

// ended reports whether to stop counting.
func (c *counter) ended() bool {
	return c.ctx.Err() != nil || c.enough > 0 && c.expected.Files.Load() >= c.enough
}

// far lets another host count what is below a directory, so that the directory is not listed twice over the network.
// That host knows neither the rules nor the limits.
func (c *counter) far(dir vfs.Dir) {
	if c.selector.Rules != nil || c.policy.LimitsFiles() {
		c.incomplete = true
		return
	}
	files, bytes, known := dir.CountTree(c.ctx)
	c.expected.Files.Add(files)
	c.expected.Bytes.Add(bytes)
	c.incomplete = c.incomplete || !known
}

// isVolumeRoot reports whether a directory may hold files that the system keeps for itself.
func (c *counter) isVolumeRoot(dir vfs.Dir) bool {
	if c.selector.VolumeFiles || len(c.selector.profile.VolumeFiles) == 0 {
		return false
	}
	v, err := dir.Statfs()
	if err != nil {
		return false
	}
	attr, err := vfs.Lstat(dir, ".")
	return err == nil && v.RootIno != 0 && v.RootIno == attr.Ino
}

func (c *counter) entry(dir vfs.Dir, path string, rules Rules, e vfs.Entry, depth int) {
	switch {
	case c.ended():
	case rules != nil && rules.Hidden(vfs.Join(path, e.Name), e.Type.IsDir()):
	case e.Type.IsDir():
		if sub, err := dir.OpenDir(e.Name, vfs.NoFollow); err == nil {
			c.walk(sub, vfs.Join(path, e.Name), rules, depth+1)
			sub.Close()
		}
	case e.Type.IsRegular():
		if attr, err := Stat(dir, e, false); err == nil && !c.policy.OmitsFile(attr) {
			c.expected.Files.Add(1)
			c.expected.Bytes.Add(attr.Size)
		}
	}
}

package plan

import (
	"strings"
	"testing"

	"psync/internal/metadata"
)

// An outcome is checked against what the options promise, without asking a plan.
type outcome struct {
	testing.TB
	policy             Policy
	keep               metadata.Keep
	exceeded           bool // nothing was removed, because it was too much
	src, before, after tree
}

// unchanged checks that a name, and all below it, is what it was.
func (o *outcome) unchanged(name, why string) {
	o.Helper()
	same := func(a, b tree) bool {
		for _, name := range a.below(name) {
			if n, ok := b[name]; !ok || n != a[name] {
				return false
			}
		}
		return true
	}
	if !same(o.before, o.after) || !same(o.after, o.before) {
		o.Errorf("%s has changed: %s", name, why)
	}
}

// checkDirectory checks the entries of a directory that both sides have.
func (o *outcome) checkDirectory(dir string) {
	names := o.src.children(dir)
	for _, name := range names {
		o.checkEntry(name)
	}
	for _, name := range o.before.children(dir) {
		_, inSource := o.src[name]
		switch {
		case inSource:
		case !o.policy.Delete.On, o.exceeded, dir == "." && len(names) == 0 && !o.policy.Delete.EmptySource:
			o.unchanged(name, "it was to stay, though the source lacks it")
		case len(o.after.below(name)) > 0:
			o.Errorf("%s stays, though the source lacks it", name)
		}
	}
	if n := o.after[dir]; o.keep.Perms && n.mode != o.src[dir].mode || o.keep.Mtime && n.mtime != o.src[dir].mtime {
		o.Errorf("%s is %v, want the attributes of %v", dir, n, o.src[dir])
	}
}

// checkEntry checks an entry of a directory that both sides have.
func (o *outcome) checkEntry(name string) {
	p, s := o.policy, o.src[name]
	b, existed := o.before[name]
	a, exists := o.after[name]
	skipped := s.mode.Type() == fifo && !p.Specials || s.mode.Type() == disk && !p.Devices
	wrongSize := s.mode.IsRegular() && (int64(len(s.contents)) < p.MinSize || p.LimitSize && int64(len(s.contents)) > p.MaxSize)
	switch {
	case skipped, wrongSize, s.mode.Type() == omitted:
		o.unchanged(name, "it takes no part")
		return
	case !existed && p.Existing:
		o.unchanged(name, "it was not to be made")
		return
	case existed && p.IgnoreExisting && !(s.mode.IsDir() && b.mode.IsDir()):
		o.unchanged(name, "what existed was to stay")
		return
	case existed && s.mode.IsDir() && !b.mode.IsDir() && !p.Sync:
		o.unchanged(name, "a directory was to take its place")
		return
	case existed && !s.mode.IsDir() && b.mode.IsDir() && len(o.before.below(name)) > 1 && (!p.Delete.On || o.exceeded):
		o.unchanged(name, "it was not empty")
		return
	case s.mode.IsRegular() && b.mode.IsRegular() && existed && p.Update && b.mtime > s.mtime && !(strings.HasPrefix(s.contents, b.contents) && s.contents != b.contents):
		o.unchanged(name, "it was newer")
		return
	case !exists || a.mode.Type() != s.mode.Type():
		o.Errorf("%s is %v, want %v", name, a, s)
		return
	case s.mode.IsDir():
		o.checkDirectory(name)
		return
	}
	o.checkContents(name)
	switch {
	case (o.keep.Perms || o.keep.Modes || !existed) && a.mode != s.mode:
		o.Errorf("%s has mode %v, want %v", name, a.mode, s.mode)
	case o.keep.NoPerms && existed && b.mode.IsRegular() && s.mode.IsRegular() && a.mode != b.mode:
		o.Errorf("%s has mode %v, want the %v that it had", name, a.mode, b.mode)
	case o.keep.Mtime && a.mtime != s.mtime:
		o.Errorf("%s has time %d, want %d", name, a.mtime, s.mtime)
	}
}

// checkContents checks an entry that is of the type that it should be of.
func (o *outcome) checkContents(name string) {
	p, s, b, a := o.policy, o.src[name], o.before[name], o.after[name]
	looksEqual := p.Sync && s.mode.IsRegular() && b.mode.IsRegular() && len(s.contents) == len(b.contents) &&
		!p.Checksum && (p.SizeOnly || !p.IgnoreTimes && s.mtime == b.mtime)
	want := s.contents
	if looksEqual {
		want = b.contents
	}
	if a.contents != want {
		o.Errorf("%s contains %q, want %q", name, a.contents, want)
	}
}

// Package suite holds every implementation of vfs.Dir to what vfs promises. Only tests import this package.
package suite

import (
	"slices"
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
)

// A rule holds for every implementation that offers what the rule needs.
type rule struct {
	name  string
	needs vfs.Caps
	tree  string // before the check
	check func(t *testing.T, d vfs.Dir)
	want  string // the tree after the check, or "" for any tree
}

// TestDir tests an implementation of [vfs.Dir]. Each subtest calls new for an empty directory to write in, which is
// closed when the subtest ends. A rule about an optional operation is skipped if the implementation does not offer it.
// The tests work for any user.
func TestDir(t *testing.T, new func(testing.TB) vfs.Dir) {
	rules := slices.Concat(entryRules, listRules, fileRules, rangeRules, placeRules, plainRules, linkRules, attrRules, nodeRules, xattrRules, asyncRules)
	for _, o := range operations {
		rules = append(rules,
			rule{name: o.name + " meets entries of each kind", needs: o.needs, check: o.test},
			rule{name: o.name + " refuses what is no name", needs: o.needs, check: o.refuse})
	}
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			d := new(t)
			needs(t, d, r.needs)
			fstest.Fill(t, d, r.tree)
			r.check(t, d)
			if r.want != "" {
				wantTree(t, d, r.want, fstest.WithLinks)
			}
		})
	}
	// The rules also hold for what d does itself.
	TestSharedDir(t, func(t testing.TB) (d, other vfs.Dir) {
		d = new(t)
		return d, d
	})
}

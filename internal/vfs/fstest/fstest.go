// Package fstest tests implementations of vfs, and describes trees as text.
//
// [TestDir] holds every implementation of [vfs.Dir] to what vfs promises. [Fill] and
// [Tree] build and print trees. Only tests import this package.
package fstest

import (
	"testing"

	"psync/internal/vfs"
)

// A promise is something that every implementation keeps.
type promise struct {
	name  string
	check func(t *testing.T, d vfs.Dir)
}

// TestDir tests an implementation of [vfs.Dir]. Each subtest calls new for an
// empty directory to write in, and closes it. A promise about an optional
// ability is skipped where the implementation does not have it. The tests hold
// for any user.
func TestDir(t *testing.T, new func(testing.TB) vfs.Dir) {
	var promises []promise
	for _, o := range operations() {
		promises = append(promises,
			promise{o.name + " meets entries of each kind", o.test},
			promise{o.name + " refuses what is no name", o.refuse})
	}
	for _, group := range [][]promise{
		makePromises(),
		filePromises(),
		placePromises(),
		listPromises(),
		attrPromises(),
		namePromises(),
		rangePromises(),
		followPromises(),
		linkPromises(),
		nodePromises(),
		xattrPromises(),
	} {
		promises = append(promises, group...)
	}
	for _, p := range promises {
		t.Run(p.name, func(t *testing.T) {
			d := new(t)
			t.Cleanup(func() { must(t, d.Close()) })
			p.check(t, d)
		})
	}
}

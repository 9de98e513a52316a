package vfstest_test

import (
	"fmt"
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/vfstest"
)

func TestWrapperHasTheDirAbilitiesOfTheInnerDir(t *testing.T) {
	type (
		plain    = vfs.Dir
		follower = vfs.Follower
		linker   = vfs.Linker
		mover    = vfs.Mover
		rewriter = vfs.Rewriter
	)
	d := closeLater(t, newRoot(t))
	f, l, m, r := d.(follower), d.(linker), d.(mover), d.(rewriter)
	for want, inner := range map[string]vfs.Dir{
		"false false false false": struct{ plain }{d},
		"false false false true": struct {
			plain
			rewriter
		}{d, r},
		"false false true false": struct {
			plain
			mover
		}{d, m},
		"false false true true": struct {
			plain
			mover
			rewriter
		}{d, m, r},
		"false true false false": struct {
			plain
			linker
		}{d, l},
		"false true false true": struct {
			plain
			linker
			rewriter
		}{d, l, r},
		"false true true false": struct {
			plain
			linker
			mover
		}{d, l, m},
		"false true true true": struct {
			plain
			linker
			mover
			rewriter
		}{d, l, m, r},
		"true false false false": struct {
			plain
			follower
		}{d, f},
		"true false false true": struct {
			plain
			follower
			rewriter
		}{d, f, r},
		"true false true false": struct {
			plain
			follower
			mover
		}{d, f, m},
		"true false true true": struct {
			plain
			follower
			mover
			rewriter
		}{d, f, m, r},
		"true true false false": struct {
			plain
			follower
			linker
		}{d, f, l},
		"true true false true": struct {
			plain
			follower
			linker
			rewriter
		}{d, f, l, r},
		"true true true false": struct {
			plain
			follower
			linker
			mover
		}{d, f, l, m},
		"true true true true": struct {
			plain
			follower
			linker
			mover
			rewriter
		}{d, f, l, m, r},
	} {
		w := vfstest.NewFaulty(inner, nil)
		_, follows := w.(follower)
		_, links := w.(linker)
		_, moves := w.(mover)
		_, rewrites := w.(rewriter)
		if got := fmt.Sprint(follows, links, moves, rewrites); got != want {
			t.Errorf("the wrapper can follow, link, move, rewrite: %s; want %s", got, want)
		}
		if got := w.(interface{ Unwrap() vfs.Dir }).Unwrap(); got != inner {
			t.Errorf("Unwrap() = %v, want %v", got, inner)
		}
	}
}

// TestWrappersOfOneFileSystemWorkTogether links and moves between directories that
// are wrapped differently.
func TestWrappersOfOneFileSystemWorkTogether(t *testing.T) {
	m := vfstest.NewMem()
	plain := closeLater(t, m.Root())
	vfstest.Fill(t, plain, "file 644 contents")
	once := closeLater(t, vfstest.NewFaulty(m.Root(), nil))
	twice := closeLater(t, vfstest.NewLatency(vfstest.NewFaulty(m.Root(), nil), 0))
	must(t, plain.(vfs.Linker).Link(twice, "file", "a"))
	must(t, once.(vfs.Linker).Link(plain, "file", "b"))
	must(t, twice.(vfs.Linker).Link(once, "file", "c"))
	must(t, once.(vfs.Mover).Move("a", twice, "d"))
	const want = "b 644 contents\nc 644 contents\nd 644 contents\nfile 644 contents\n"
	if got := vfstest.Tree(t, plain); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

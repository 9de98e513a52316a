package vfstest

import "psync/internal/vfs"

// wrapDir gives d those of four abilities that its inner Dir has, and no others, so
// that whoever asserts one takes the same way as without the wrapper.
func wrapDir(d *hookedDir) vfs.Dir {
	var has struct{ follow, link, move, rewrite bool }
	f, l, m, r := hookedFollower{dir: d}, hookedLinker{dir: d}, hookedMover{dir: d}, hookedRewriter{dir: d}
	f.able, has.follow = d.inner.(vfs.Follower)
	l.able, has.link = d.inner.(vfs.Linker)
	m.able, has.move = d.inner.(vfs.Mover)
	r.able, has.rewrite = d.inner.(vfs.Rewriter)
	switch {
	case has.follow && has.link && has.move && has.rewrite:
		return struct {
			*hookedDir
			hookedFollower
			hookedLinker
			hookedMover
			hookedRewriter
		}{d, f, l, m, r}
	case has.follow && has.link && has.move:
		return struct {
			*hookedDir
			hookedFollower
			hookedLinker
			hookedMover
		}{d, f, l, m}
	case has.follow && has.link && has.rewrite:
		return struct {
			*hookedDir
			hookedFollower
			hookedLinker
			hookedRewriter
		}{d, f, l, r}
	case has.follow && has.move && has.rewrite:
		return struct {
			*hookedDir
			hookedFollower
			hookedMover
			hookedRewriter
		}{d, f, m, r}
	case has.link && has.move && has.rewrite:
		return struct {
			*hookedDir
			hookedLinker
			hookedMover
			hookedRewriter
		}{d, l, m, r}
	case has.follow && has.link:
		return struct {
			*hookedDir
			hookedFollower
			hookedLinker
		}{d, f, l}
	case has.follow && has.move:
		return struct {
			*hookedDir
			hookedFollower
			hookedMover
		}{d, f, m}
	case has.follow && has.rewrite:
		return struct {
			*hookedDir
			hookedFollower
			hookedRewriter
		}{d, f, r}
	case has.link && has.move:
		return struct {
			*hookedDir
			hookedLinker
			hookedMover
		}{d, l, m}
	case has.link && has.rewrite:
		return struct {
			*hookedDir
			hookedLinker
			hookedRewriter
		}{d, l, r}
	case has.move && has.rewrite:
		return struct {
			*hookedDir
			hookedMover
			hookedRewriter
		}{d, m, r}
	case has.follow:
		return struct {
			*hookedDir
			hookedFollower
		}{d, f}
	case has.link:
		return struct {
			*hookedDir
			hookedLinker
		}{d, l}
	case has.move:
		return struct {
			*hookedDir
			hookedMover
		}{d, m}
	case has.rewrite:
		return struct {
			*hookedDir
			hookedRewriter
		}{d, r}
	}
	return d
}

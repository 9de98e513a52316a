// Package survey determines, before a tree is copied, what its destination will not keep.
//
// [Run] walks the source, without changing it, and tries what it finds in a directory of its own in the destination:
// names with the same characters, entries with the same mode, owner and attributes, files of the same size. What a
// file system reports about itself is not sufficient, because servers, mount options and permissions matter as well.
// The result of a trial applies to all entries of the same kind, so a tree of a million entries takes only some
// dozens of trials.
//
// The prediction applies to psync copy -aHAX by the user who runs the survey.
package survey

import (
	"context"
	"errors"

	"psync/internal/metadata"
	"psync/internal/selftest/check"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// A Config is the configuration of a survey. The caller closes the directories.
type Config struct {
	Source, Dest vfs.Dir
	Profile      *metadata.Profile // the profile of the system; nil: of this system
	User         vfs.User          // the user who will copy
	Workers      int
	// Found, unless it is nil, is called for each property of a source entry that is not kept, by several
	// goroutines.
	Found func(path string, k Kind, detail string)
}

// Run surveys the source and the destination. It returns an error if it cannot make, use or remove its directory
// in the destination, or read the root of the source, or the cause of ctx if ctx ended first.
func Run(ctx context.Context, c Config) (r *Result, err error) {
	s, err := check.Begin(ctx, check.Config{Dir: c.Dest, Profile: c.Profile, User: c.User})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.End()) }()
	o := s.Run(ctx, check.Check{Run: func(t *check.T) { r, err = run(ctx, c, t) }})
	if r == nil && err == nil {
		err = errors.New(o.Why)
	}
	return r, err
}

// run performs a survey with trials in the directory of t.
func run(ctx context.Context, c Config, t *check.T) (*Result, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	tr, err := newTrials(t)
	if err != nil {
		return nil, err
	}
	defer tr.close()
	room, err := roomOf(t.Dir)
	if err != nil {
		return nil, err
	}
	if room.Known {
		tr.blockSize = room.BlockSize
	}
	w := &walker{
		trials: tr, profile: t.Profile, user: t.User, keep: archive(t.Profile), stop: stop,
		findings: newFindings(c.Found),
	}
	if err := w.begin(c.Source); err != nil {
		return nil, err
	}
	n := max(c.Workers, 1)
	w.pool = walk.NewPool(walk.NewSize(n, n), func() *worker { return new(worker) }, w.do)
	w.dirs.Limit = 2*n + 16
	root := &directory{Node: walk.NewRoot(c.Source), w: w}
	w.dirs.Retain(&root.Node, 1)
	w.pool.Put(root)
	w.pool.Run(ctx)
	w.dirs.CloseAll()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	r := &Result{Totals: w.totals.sum(), Room: room, Findings: w.findings.list(), Granularity: tr.times.granularity}
	if r.Lacks, r.Shares, err = tr.abilities(w.findings); err != nil {
		return nil, err
	}
	return r, nil
}

// A Result is the result of a survey.
type Result struct {
	Totals
	Room        Room
	Findings    []Finding
	Lacks       []string // features that the destination lacks and the source does not need
	Shares      bool     // files of the destination can share blocks
	Granularity Granularity
}

// Kept reports whether everything in the source will be kept and there is enough space.
func (r *Result) Kept() bool {
	return len(r.Findings) == 0 && r.LacksBytes() == 0 && r.LacksInodes() == 0
}

// Package survey finds out, before a tree is copied, what its destination will not keep.
//
// A [Run] walks the source, which it only reads, and tries each thing that it finds in a directory of its own in the
// destination: a name with such characters, an entry with such a mode, owner and attributes, a file of such a size.
// What a file system says of itself is not enough, since servers, mount options and rights decide as well. The result
// of a trial holds for all entries that are alike, so a tree of a million entries takes some dozens of trials.
//
// A prediction is for psync copy -aHAX, by the user who runs the survey.
package survey

import (
	"context"
	"errors"

	"psync/internal/metadata"
	"psync/internal/selftest/check"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// A Config says what is surveyed. The caller closes the directories.
type Config struct {
	Source, Dest vfs.Dir
	Profile      *metadata.Profile // of the system; nil: that of this one
	User         vfs.User          // who will copy
	Workers      int
	// Found, unless it is nil, is called with each entry of the source that is not kept, by several goroutines, and
	// with what is not kept.
	Found func(path string, k Kind, detail string)
}

// Run surveys the source and the destination. The error is one of making, using or removing the directory in the
// destination, of reading the source's root, or the cause of ctx if that ended first.
func Run(ctx context.Context, c Config) (r *Result, err error) {
	s, err := check.Begin(ctx, check.Config{Dir: c.Dest, Profile: c.Profile, User: c.User})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	o := s.Run(ctx, check.Check{Run: func(t *check.T) { r, err = run(ctx, c, t) }})
	if r == nil && err == nil {
		err = errors.New(o.Why)
	}
	return r, err
}

// run surveys with the directory of t for trials.
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
	w.walk(ctx, c.Source)
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	r := &Result{Totals: w.totals.sum(), Room: room, Findings: w.findings.list(), Granularity: tr.times.granularity}
	if r.Lacks, r.Shares, err = tr.abilities(w.findings); err != nil {
		return nil, err
	}
	return r, nil
}

// archive returns what psync copy -aHAX keeps on a system, but for times, which are tried apart.
func archive(p *metadata.Profile) metadata.Keep {
	return metadata.Keep{
		Modes: true, Perms: true, Owner: true, Group: true, ACLs: true, Xattrs: true, Flags: p.Archive.Flags,
	}
}

// A Result is what a survey has found.
type Result struct {
	Totals
	Room        Room
	Findings    []Finding
	Lacks       []string // what the destination cannot do, and nothing in the source needs
	Shares      bool     // files of the destination can share blocks
	Granularity Granularity
}

// Kept reports whether everything in the source will be kept, and there is room for it.
func (r *Result) Kept() bool {
	return len(r.Findings) == 0 && r.LacksBytes() == 0 && r.LacksInodes() == 0
}

package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// A result is what one tool did with one workload.
type result struct {
	peer
	runs []usage  // one for each round counted
	lost []string // kinds of entries that the copy lacks
	err  error    // why the tool cannot be compared; runs is then short
}

// A meter lets tools take turns.
type meter struct {
	dir      string // where the copies go
	rounds   int
	order    *rand.Rand
	progress io.Writer
}

// measure returns one result for each peer, in their order. An error means that
// measuring itself went wrong, or that ctx ended; a tool that fails is a result.
func (m *meter) measure(ctx context.Context, w workload, peers []peer) ([]*result, error) {
	results := make([]*result, len(peers))
	for i, p := range peers {
		results[i] = &result{peer: p}
	}
	for round := range m.rounds + 1 { // round 0 warms up
		fmt.Fprintf(m.progress, "%s: round %d of %d\n", w.name, round, m.rounds)
		for _, i := range m.order.Perm(len(results)) {
			if results[i].err != nil {
				continue
			}
			if err := m.turn(ctx, w, results[i], round); err != nil {
				return nil, err
			}
		}
	}
	return results, nil
}

// turn lets one tool make one copy, and removes it.
func (m *meter) turn(ctx context.Context, w workload, r *result, round int) (err error) {
	dir, err := os.MkdirTemp(m.dir, "copy-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove(dir)) }()
	dst := filepath.Join(dir, "copy")
	if r.mentions(dirPlace) {
		if err := os.Mkdir(dst, 0o777); err != nil {
			return err
		}
	}
	used, err := timeCommand(ctx, r.command(w.root, dst))
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	switch {
	case err != nil:
		r.err = fmt.Errorf("round %d: %w", round, err)
	case round == 0:
		r.lost, r.err = verify(ctx, w, dst)
	default:
		r.runs = append(r.runs, used)
	}
	return nil
}

// verify returns an error if the copy at dst has not the regular files and bytes
// of w, else the kinds of other entries that it lacks.
func verify(ctx context.Context, w workload, dst string) (lost []string, err error) {
	got, err := count(ctx, dst)
	if err != nil {
		return nil, err
	}
	if got.files != w.size.files || got.bytes != w.size.bytes {
		return nil, fmt.Errorf("copied %d files, %d bytes of %d files, %d bytes",
			got.files, got.bytes, w.size.files, w.size.bytes)
	}
	return w.size.lost(got), nil
}

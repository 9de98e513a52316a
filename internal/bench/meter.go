package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"

	"psync/internal/bench/tree"
)

// A result is the result of one tool in one scene.
type result struct {
	peer
	runs []usage  // one for each counted round
	lost []string // kinds of entries that the copy lacks
	err  error    // why the tool cannot be compared; runs is then incomplete
}

// A meter measures tools in turns.
type meter struct {
	stages   stages
	rounds   int
	order    *rand.Rand
	progress io.Writer
}

// measure returns one result for each peer, in order. It returns an error if measuring itself fails or ctx
// ends, but not if a tool fails.
func (m *meter) measure(ctx context.Context, sc scene, peers []peer) ([]*result, error) {
	results := make([]*result, len(peers))
	for i, p := range peers {
		results[i] = &result{peer: p}
	}
	for round := range m.rounds + 1 { // round 0 warms up
		fmt.Fprintf(m.progress, "%s: round %d of %d\n", sc.title(), round, m.rounds)
		for _, i := range m.order.Perm(len(results)) {
			if results[i].err != nil {
				continue
			}
			if err := m.turn(ctx, sc, results[i], round); err != nil {
				return nil, err
			}
		}
	}
	return results, nil
}

// title returns the title of the scene for progress messages.
func (sc scene) title() string {
	title := sc.name + ", " + string(sc.kind)
	if sc.latency > 0 {
		title += ", " + milliseconds(sc.latency)
	}
	return title
}

// turn runs one tool once, on a stage of its own.
func (m *meter) turn(ctx context.Context, sc scene, r *result, round int) (err error) {
	st, err := m.stages.prepare(ctx, sc, mentions(r.commands[sc.kind], dirPlace))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.close()) }()

	used, err := m.stages.time(ctx, r.command(sc.kind, st))
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	switch {
	case err != nil:
		r.err = fmt.Errorf("round %d: %w", round, err)
	case round == 0:
		r.lost, r.err = verify(ctx, sc, st.real)
	default:
		r.runs = append(r.runs, used)
	}
	return nil
}

// verify returns an error if the tool has not done its work: dst lacks regular files or bytes of the source,
// or is not deleted. For a copy, it also returns the kinds of other entries that are missing.
func verify(ctx context.Context, sc scene, dst string) (lost []string, err error) {
	if sc.kind == deleting {
		if _, err := os.Lstat(dst); !errors.Is(err, fs.ErrNotExist) {
			return nil, errors.Join(errors.New("the copy is still there"), err)
		}
		return nil, nil
	}
	got, err := tree.Count(ctx, dst)
	if err != nil {
		return nil, err
	}
	if got.Files != sc.size.Files || got.Bytes != sc.size.Bytes {
		return nil, fmt.Errorf("copied %d files, %d bytes of %d files, %d bytes",
			got.Files, got.Bytes, sc.size.Files, sc.size.Bytes)
	}
	return sc.size.Lost(got), nil
}

// Package bench measures psync against the copiers that a machine has.
//
// The tools take turns in every round, in random order, so that a slow minute of
// the machine hurts all of them; a tool is compared with cp -r by the median of
// the ratios of the same round, so that drift cancels. Each run copies into a
// fresh destination, which is removed outside the timing. A first round, not
// counted, warms the caches and checks the copies: a tool that fails, or whose
// copy has not the files and bytes of its source, is reported and not timed.
//
// Whatever the package makes lies in one directory, which it removes at the end,
// interrupted or not. Trees given to it are only read.
package bench

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Main runs the program bench-peers with the arguments that follow its name, and
// returns its exit code: 0 when all tables were written, even if they tell of
// failed tools, 2 for a wrong command line, else 1.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	opt, err := parseOptions(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return 2 // the flag set has said why
	}
	if err := run(ctx, opt, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "bench-peers: %v\n", err)
		return 1
	}
	return 0
}

func run(ctx context.Context, opt options, stdout, stderr io.Writer) (err error) {
	peers, absent, err := findPeers(ctx, opt)
	if err != nil {
		return err
	}
	if len(absent) > 0 {
		fmt.Fprintf(stderr, "not measured: %s\n", strings.Join(absent, ", "))
	}
	trees, err := readTrees(ctx, opt.trees)
	if err != nil {
		return err
	}
	dir, err := makeDir(opt.dir, opt.shapes, trees)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove(dir)) }()

	raw, err := openRaw(opt.csv)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, raw.Close()) }()

	c := comparison{
		peers: peers,
		meter: meter{
			dir:      dir,
			rounds:   opt.rounds,
			order:    rand.New(rand.NewPCG(opt.seed, 0)),
			progress: stderr,
		},
		report: report{
			out:     stdout,
			command: opt.command,
			setting: setting(filepath.Dir(dir), opt.rounds),
		},
		raw: raw,
	}
	for _, s := range opt.shapes {
		if err := c.generated(ctx, s, opt.seed); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	for _, t := range trees {
		if err := c.tree(ctx, t); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return nil
}

// A comparison is one run of the program: the same tools on several workloads.
type comparison struct {
	peers  []peer
	meter  meter
	report report
	raw    *rawFile
}

// generated compares the tools on a tree of the shape s, which exists only for
// that time.
func (c *comparison) generated(ctx context.Context, s shape, seed uint64) (err error) {
	free, err := room(c.meter.dir)
	if err != nil {
		return err
	}
	if s, err = s.fit(free); err != nil {
		return err
	}
	root := filepath.Join(c.meter.dir, s.name)
	if err := os.Mkdir(root, 0o777); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove(root)) }()

	fmt.Fprintf(c.meter.progress, "%s: generating\n", s.name)
	if err := s.generate(ctx, root, seed); err != nil {
		return err
	}
	w, err := newWorkload(ctx, s.name, s.about, root)
	if err != nil {
		return err
	}
	return c.compare(ctx, w)
}

// tree compares the tools on a tree that is not ours.
func (c *comparison) tree(ctx context.Context, w workload) error {
	free, err := room(c.meter.dir)
	if err != nil {
		return err
	}
	if need := withSlack(w.size.bytes); need > free {
		return fmt.Errorf("a copy needs %s, free are %s; choose a place with -dir", mebibytes(need), mebibytes(free))
	}
	return c.compare(ctx, w)
}

func (c *comparison) compare(ctx context.Context, w workload) error {
	results, err := c.meter.measure(ctx, w, c.peers)
	if err != nil {
		return err
	}
	if err := c.raw.write(w.name, results); err != nil {
		return err
	}
	return c.report.write(w, results)
}

// Package bench compares the speed of psync with that of other copiers on the machine.
//
// The tools take turns in every round, in random order, so that a slow minute of the machine affects all of them. Each
// tool is compared with a baseline: a C program that does as little as the work allows, or cp -r for copies without a
// compiler. The comparison is the median of the ratios within rounds, so that drift cancels out. Each run has a fresh
// destination, which is prepared and removed outside the timing. A first round, which is not counted, warms the caches
// and checks the results: a tool that fails, or whose copy lacks files or bytes of the source, is reported and not
// timed.
//
// Everything that the package makes is in one directory. It is removed at the end, with all mounts, even
// after an interrupt. Trees given on the command line are only read.
package bench

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"psync/internal/bench/chart"
	"psync/internal/bench/farhost"
	"psync/internal/bench/recording"
)

// Main runs the program psync-bench with the arguments that follow its name, and returns its exit code: 0 if
// all tables were written, even if tools have failed, 2 for an invalid command line, and 1 otherwise.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	opt, err := parseOptions(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return 2 // the flag set has said why
	}
	do := run
	if opt.record.file != "" {
		do = record
	}
	if err := do(ctx, opt, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "psync-bench: %v\n", err)
		return 1
	}
	return 0
}

func run(ctx context.Context, opt options, stdout, stderr io.Writer) error {
	if err := errors.Join(opt.update.check(), opt.image.usable(), checkParent(opt.svg)); err != nil {
		return err
	}
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
	var tables bytes.Buffer
	sections, err := compare(ctx, opt, peers, trees, io.MultiWriter(stdout, &tables), stderr)
	if err != nil {
		return err
	}
	err = opt.update.replace(tables.Bytes())
	if opt.svg == "" || len(sections) == 0 {
		return err
	}
	image, failed := chart.SVG(panels(sections))
	return errors.Join(err, failed, os.WriteFile(opt.svg, image, 0o666))
}

// record writes the recording of some commands.
func record(ctx context.Context, opt options, _, _ io.Writer) error {
	frames, err := recording.Record(ctx, opt.record.commands)
	if err != nil {
		return err
	}
	return os.WriteFile(opt.record.file, recording.SVG(frames, strings.Join(opt.record.commands, "; ")), 0o666)
}

// checkParent returns an error if no file can be made at path, which may be empty.
func checkParent(path string) error {
	if path == "" {
		return nil
	}
	_, err := os.Stat(filepath.Dir(path))
	return err
}

// compare writes one table for each workload and kind to out, and a line on how they were measured.
func compare(ctx context.Context, opt options, peers []peer, trees []workload, out, progress io.Writer) (made []section, err error) {
	dir, err := makeDir(opt.dir, opt.shapes, trees)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, removeWork(dir)) }()
	var host *farhost.Host
	switch {
	case opt.ssh:
		if host, err = farhost.Start(ctx, dir); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(host.Close(), err) }()
	case len(opt.latencies) > 0:
		if err := tryLatency(dir); err != nil {
			return nil, err
		}
	}
	if i := slices.IndexFunc(peers, limitPeer().sameName); i >= 0 && peers[i].compiler != "" {
		if err := compileLimit(ctx, peers[i].compiler, dir); err != nil {
			return nil, err
		}
	}
	raw, err := openRaw(opt.csv)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, raw.Close()) }()

	c := comparison{
		opt:   opt,
		peers: peers,
		meter: meter{
			stages:   stages{dir: dir, image: opt.image, far: opt.far, host: host, seed: opt.seed},
			rounds:   opt.rounds,
			order:    rand.New(rand.NewPCG(opt.seed, 0)),
			progress: progress,
		},
		dir: dir,
		out: out,
		raw: raw,
	}
	for _, s := range opt.shapes {
		if err := c.generated(ctx, s); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	for _, t := range trees {
		if err := c.tree(ctx, t); err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
	}
	_, err = fmt.Fprintf(out, "%s.\n\n    %s\n", setting(filepath.Dir(dir), opt), opt.command)
	return c.sections, err
}

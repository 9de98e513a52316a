package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"psync/internal/bench/tree"
)

// A comparison is one run of the program, with the same tools on several workloads.
type comparison struct {
	opt      options
	peers    []peer
	meter    meter
	dir      string // the work directory
	out      io.Writer
	raw      *rawFile
	sections []section // the results so far
}

// generated compares the tools on a temporary tree of the shape s.
func (c *comparison) generated(ctx context.Context, s tree.Shape) (err error) {
	free, err := room(c.dir)
	if err != nil {
		return err
	}
	if s, err = s.Fit(free); err != nil {
		return err
	}
	root := filepath.Join(c.dir, "source")
	if err := os.Mkdir(root, 0o777); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove(root)) }()

	fmt.Fprintf(c.meter.progress, "%s: generating\n", s.Name)
	if err := s.Generate(ctx, root, c.opt.seed); err != nil {
		return err
	}
	w, err := newWorkload(ctx, s.Name, s.About, root)
	if err != nil {
		return err
	}
	return c.workload(ctx, w)
}

// tree compares the tools on a tree of the user.
func (c *comparison) tree(ctx context.Context, w workload) error {
	free, err := room(c.dir)
	if err != nil {
		return err
	}
	if need := w.size.Footprint(); need > free {
		return fmt.Errorf("a copy needs %s, free are %s; choose a place with -dir", tree.Mebibytes(need), tree.Mebibytes(free))
	}
	return c.workload(ctx, w)
}

// workload makes one table for each kind of run.
func (c *comparison) workload(ctx context.Context, w workload) error {
	latencies := c.opt.latencies
	if len(latencies) == 0 {
		latencies = []time.Duration{0}
	}
	for _, k := range c.opt.kinds {
		s := section{workload: w.name, about: fmt.Sprintf("%s: %s", w.about, w.size), kind: k, baseline: c.opt.baseline(k, c.peers)}
		for _, latency := range latencies {
			sc := scene{workload: w, kind: k, latency: latency}
			results, err := c.meter.measure(ctx, sc, able(c.peers, k))
			if err != nil {
				return err
			}
			if err := c.raw.write(sc, results); err != nil {
				return err
			}
			s.columns = append(s.columns, column{latency, summarize(results, s.baseline)})
		}
		if _, err := io.WriteString(c.out, s.markdown()); err != nil {
			return err
		}
		c.sections = append(c.sections, s)
	}
	return nil
}

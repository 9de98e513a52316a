package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"psync/internal/bench/farhost"
	"psync/internal/bench/tree"
	"psync/internal/delayfs"
)

// A scene is a task for every tool that can do it.
type scene struct {
	workload
	kind    kind
	latency time.Duration // of each operation on the far side; 0: none
}

// A stage is the environment of one run of a tool.
type stage struct {
	src, dst string         // for the tool
	real     string         // dst without latency, for checks
	limit    string         // the program of limitPeer
	ssh      string         // the configuration file of ssh for a host that src or dst is on, or ""
	undo     []func() error // in the order in which they were added
}

// stages prepares stages.
type stages struct {
	dir   string // the work directory
	image image
	far   side
	host  *farhost.Host // the host of the far side; nil: this one
	seed  uint64
}

// Mount points in the work directory. They are removed only by rmdir, because a tree of the user may be
// mounted there.
const (
	farPoint   = "far"
	imagePoint = "image"
)

// prepare makes the stage of one run, with a destination that is new or a copy of the source. If empty is
// set, a new destination is an empty directory. The caller must close the stage.
func (p stages) prepare(ctx context.Context, sc scene, empty bool) (st *stage, err error) {
	st = new(stage)
	defer func() {
		if ctx.Err() != nil {
			err = context.Cause(ctx) // whatever error the end of ctx has caused
		}
		if err != nil {
			err = errors.Join(err, st.close())
		}
	}()
	base, err := p.base(ctx, sc, st)
	if err != nil {
		return st, err
	}
	st.src, st.real = sc.root, filepath.Join(base, "copy")
	st.dst, st.limit = st.real, limitProgram(p.dir)
	if err := p.fill(ctx, sc, st.real, empty); err != nil {
		return st, err
	}
	if p.host != nil {
		st.moveTo(p.host, p.far, sc.latency)
		return st, nil
	}
	if sc.latency == 0 {
		return st, nil
	}
	point := filepath.Join(p.dir, farPoint)
	if p.far == source {
		st.src = point
		return st, st.delay(sc.root, point, sc.latency)
	}
	st.dst = filepath.Join(point, "copy")
	return st, st.delay(base, point, sc.latency)
}

// moveTo puts one side of the stage on a host.
func (st *stage) moveTo(host *farhost.Host, far side, roundTrip time.Duration) {
	host.SetRoundTrip(roundTrip)
	st.ssh = host.Config()
	if far == source {
		st.src = farhost.Name + ":" + st.src
	} else {
		st.dst = farhost.Name + ":" + st.dst
	}
}

// base makes a new directory that will contain the destination.
func (p stages) base(ctx context.Context, sc scene, st *stage) (string, error) {
	if p.image.name == "" {
		base, err := os.MkdirTemp(p.dir, "run-")
		if err == nil {
			st.later(func() error { return remove(base) })
		}
		return base, err
	}
	file, point := filepath.Join(p.dir, p.image.name+".img"), filepath.Join(p.dir, imagePoint)
	if err := os.Mkdir(point, 0o700); err != nil {
		return "", err
	}
	st.later(func() error { return errors.Join(os.Remove(point), os.RemoveAll(file)) })
	if err := p.image.mount(ctx, file, point, p.image.size(sc.size)); err != nil {
		return "", err
	}
	st.later(func() error { return unmountImage(point) })
	return point, nil
}

// fill puts the destination into its initial state.
func (p stages) fill(ctx context.Context, sc scene, dst string, empty bool) error {
	if sc.kind == copying {
		if empty {
			return os.Mkdir(dst, 0o777)
		}
		return nil
	}
	if _, err := execute(ctx, []string{"cp", "-a", sc.root, dst}); err != nil {
		return fmt.Errorf("cp -a: %w", err)
	}
	if sc.kind == changed {
		return tree.Outdate(ctx, dst, p.seed)
	}
	return nil
}

// delay mounts root at point with latency. Each run has a mount of its own, so that no kernel cache survives.
func (st *stage) delay(root, point string, latency time.Duration) error {
	if err := os.Mkdir(point, 0o700); err != nil {
		return err
	}
	st.later(func() error { return os.Remove(point) })
	mounted, err := delayfs.Mount(root, point, delayfs.Options{Delay: latency})
	if err != nil {
		return err
	}
	st.later(mounted.Unmount)
	return nil
}

// later registers undo to be called when st is closed, before those registered earlier.
func (st *stage) later(undo func() error) { st.undo = append(st.undo, undo) }

// close removes everything that belongs to the stage.
func (st *stage) close() error {
	var errs []error
	for len(st.undo) > 0 {
		last := len(st.undo) - 1
		errs = append(errs, st.undo[last]())
		st.undo = st.undo[:last]
	}
	return errors.Join(errs...)
}

// removeWork removes the work directory, unless something is still mounted in it.
func removeWork(dir string) error {
	for _, name := range []string{farPoint, imagePoint} {
		point := filepath.Join(dir, name)
		if err := os.Remove(point); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("unmount %s, then remove %s: %w", point, dir, err)
		}
	}
	return remove(dir)
}

// time runs a command and returns its usage, including that on another host.
func (p stages) time(ctx context.Context, argv []string) (usage, error) {
	if p.host == nil {
		return timeCommand(ctx, argv)
	}
	before, err := p.host.CPU(ctx)
	if err != nil {
		return usage{}, err
	}
	used, err := timeCommand(ctx, argv)
	if err != nil {
		return usage{}, err
	}
	after, err := p.host.CPU(ctx)
	used.system += after - before
	return used, err
}

package bench

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"psync/internal/bench/tree"
)

// options is the parsed command line.
type options struct {
	psync     string   // empty: do not measure psync
	threads   []int    // empty: psync's own choice
	peers     []peer   // given by -peer
	only      []string // names of the tools to measure; empty: all
	kinds     []kind
	shapes    []tree.Shape
	trees     []string
	latencies []time.Duration // empty: no latency
	far       side
	ssh       bool // the far side is reached by SSH, instead of FUSE
	image     image
	dir       string // empty: choose
	csv       string // empty: none
	svg       string // empty: none
	update    marked
	record    struct {
		file     string // empty: measure
		commands []string
	}
	rounds  int
	seed    uint64
	command string // the command line itself, for a shell
}

const (
	nearShapes = "small,flat"
	farShapes  = "far" // the default with -latency, because cp -r would take minutes on the others
	sshShapes  = "flat,far"
)

// parseOptions parses the command line. It also writes errors to stderr, with the usage.
func parseOptions(args []string, stderr io.Writer) (options, error) {
	opt := options{
		kinds:   []kind{copying},
		far:     destination,
		command: shellLine(append([]string{"go", "run", "./cmd/psync-bench"}, args...)),
	}
	fs := flag.NewFlagSet("psync-bench", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		fmt.Fprintf(stderr, "usage: psync-bench [flags]\n\n%s", introduction())
		fs.PrintDefaults()
	}
	opt.toolFlags(fs)
	opt.workFlags(fs)
	opt.placeFlags(fs)
	opt.outputFlags(fs)
	if err := fs.Parse(args); err != nil {
		return options{}, err
	}
	if err := opt.complete(fs); err != nil {
		fmt.Fprintf(stderr, "psync-bench: %v\n", err)
		return options{}, err
	}
	return opt, nil
}

func (opt *options) toolFlags(fs *flag.FlagSet) {
	fs.StringVar(&opt.psync, "psync", "", "measure the psync binary at `path` too")
	fs.Func("threads", "measure psync once for each number of workers in this `list`, split at commas", func(s string) (err error) {
		opt.threads, err = parseThreads(s)
		return err
	})
	fs.Func("peer", "measure another tool, given as `'name=command'`, where the command is split at spaces and\n"+
		"{src} stands for the source, {dst} for a destination that does not exist yet, {dir} for one\n"+
		"that is an empty directory; 'name@kinds=command' gives the command for other kinds than\n"+
		"copy, where {dst} exists; repeatable, replaces a known tool of that name",
		func(s string) error {
			p, err := parsePeer(s)
			if err == nil {
				opt.peers = addPeer(opt.peers, p)
			}
			return err
		})
	fs.Func("only", "measure only the tools in this `list` of names, split at commas", func(s string) error {
		opt.only = strings.Split(s, ",")
		return nil
	})
}

func (opt *options) workFlags(fs *flag.FlagSet) {
	fs.Func("do", fmt.Sprintf("do the kinds of run in this `list` of %s, split at commas (default %s)",
		joined(kinds()), copying), func(s string) (err error) {
		opt.kinds, err = parseKinds(s)
		return err
	})
	fs.Func("workloads", fmt.Sprintf("generate the workloads in this `list`, split at commas, none if it is empty\n"+
		"(default %s; with -latency %s)", nearShapes, farShapes), func(s string) (err error) {
		opt.shapes, err = tree.ShapesNamed(s)
		return err
	})
	fs.Func("tree", "use the tree at `path` as a workload too, read only; repeatable", func(s string) error {
		opt.trees = append(opt.trees, s)
		return nil
	})
	fs.IntVar(&opt.rounds, "rounds", 7, "count `n` rounds")
	fs.Uint64Var(&opt.seed, "seed", 1, "generate, change and shuffle by `n`: the same number makes the same trees in the\n"+
		"same order of tools")
}

func (opt *options) placeFlags(fs *flag.FlagSet) {
	fs.StringVar(&opt.dir, "dir", "", "work in a new directory below `path` (default: shared memory if there is room, else the temporary directory)")
	fs.Func("latency", "delay each operation on the far side by each time in this `list`, such as 0.2ms,1ms,\n"+
		"split at commas; needs FUSE. With -ssh these are round trips, and 0 is allowed", func(s string) (err error) {
		opt.latencies, err = parseLatencies(s)
		return err
	})
	fs.Func("far", "with -latency, the `side` that is far: src or dst (default dst)", func(s string) error {
		opt.far = side(s)
		if opt.far != source && opt.far != destination {
			return errors.New("want src or dst")
		}
		return nil
	})
	fs.BoolVar(&opt.ssh, "ssh", false, "reach the far side by SSH: a server of its own on this machine, behind a proxy that\n"+
		"delays what passes by -latency; measures psync, also by SFTP, and rsync, also with AES-GCM.\n"+
		"The command of -peer may have {ssh} for a configuration file of ssh, in which places are far:PATH")
	fs.Func("image", "give each run a destination in a fresh image of this `file system`: ext4, xfs or\n"+
		"btrfs; needs root", func(s string) (err error) {
		opt.image, err = imageNamed(s)
		return err
	})
}

func (opt *options) outputFlags(fs *flag.FlagSet) {
	fs.StringVar(&opt.csv, "csv", "", "write the figures of every run to `file`")
	fs.StringVar(&opt.svg, "svg", "", "write a plot to `file`: times of tools, or times against workers or latency")
	fs.StringVar(&opt.record.file, "record", "", "measure nothing, and write what the commands of -run show on a terminal to `file`, an SVG")
	fs.Func("run", "the shell `command` to record; repeatable", func(s string) error {
		opt.record.commands = append(opt.record.commands, s)
		return nil
	})
	fs.StringVar(&opt.update.file, "update", "", "put the tables into the Markdown `file` too, between the lines\n"+
		"<!-- bench NAME --> and <!-- /bench -->")
	fs.StringVar(&opt.update.name, "mark", "", "the `NAME` for -update")
}

// complete checks combinations of flags and fills in defaults.
func (opt *options) complete(fs *flag.FlagSet) error {
	given := make(map[string]bool)
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	if !given["workloads"] {
		names := nearShapes
		switch {
		case opt.ssh:
			names = sshShapes
		case len(opt.latencies) > 0:
			names = farShapes
		}
		opt.shapes, _ = tree.ShapesNamed(names)
	}
	switch {
	case fs.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", fs.Arg(0))
	case opt.rounds < 1:
		return errors.New("-rounds must be positive")
	case len(opt.threads) > 0 && opt.psync == "":
		return errors.New("-threads is about psync, so it needs -psync")
	case given["far"] && len(opt.latencies) == 0 && !opt.ssh:
		return errors.New("-far needs -latency or -ssh")
	case !opt.ssh && slices.Contains(opt.latencies, 0):
		return errors.New("a latency of 0 is not positive")
	case opt.ssh && (slices.Contains(opt.kinds, deleting) || slices.Contains(opt.kinds, changed)):
		return fmt.Errorf("with -ssh only %s and %s are measured", copying, noop)
	case opt.far == source && slices.Contains(opt.kinds, deleting):
		return errors.New("a source that is far means nothing to delete")
	case (opt.record.file == "") != (len(opt.record.commands) == 0):
		return errors.New("-record and -run need each other")
	case (opt.update.file == "") != (opt.update.name == ""):
		return errors.New("-update and -mark need each other")
	}
	return nil
}

// parseThreads parses a comma-separated list of numbers of workers.
func parseThreads(list string) ([]int, error) {
	var threads []int
	for word := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is not a number of workers", word)
		}
		if !slices.Contains(threads, n) {
			threads = append(threads, n)
		}
	}
	return threads, nil
}

// shellLine quotes words as a line for a shell.
func shellLine(words []string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:=+@%"
	quoted := make([]string, len(words))
	for i, w := range words {
		if w == "" || strings.Trim(w, plain) != "" {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		quoted[i] = w
	}
	return strings.Join(quoted, " ")
}

// baseline returns the name of the tool that the other peers are compared with.
func (opt *options) baseline(k kind, peers []peer) string {
	switch {
	case opt.ssh:
		return sshPeers()[0].name
	case slices.ContainsFunc(able(peers, k), limitPeer().sameName):
		return limitName
	}
	return k.baseline()
}

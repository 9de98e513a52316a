package bench

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// options is the command line, understood.
type options struct {
	psync   string   // empty: do not measure psync
	peers   []peer   // given by -peer
	only    []string // names of the tools to measure; empty: all
	shapes  []shape
	trees   []string
	dir     string // empty: choose
	csv     string // empty: none
	rounds  int
	seed    uint64
	command string // the command line itself, for a shell
}

const defaultShapes = "small,flat"

const introduction = `bench-peers measures psync against the copiers that this machine has: those of
a table that are found on PATH, and those given by -peer. It prints one Markdown
table a workload.

  keeps      times, or all (times, modes and owners); a tool that drops links or
             directories is measured, and the column says so
  × cp -r    median of the ratios to cp -r in the same round
  CPU s      user and system time, median
  peak RSS   highest of all rounds; "≤": not above that of bench-peers itself,
             which Linux counts in

`

// parseOptions reads the command line. What is wrong with it is also written to
// stderr, with the usage.
func parseOptions(args []string, stderr io.Writer) (options, error) {
	opt := options{command: shellLine(append([]string{"go", "run", "./cmd/bench-peers"}, args...))}
	fs := flag.NewFlagSet("bench-peers", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		fmt.Fprintf(stderr, "usage: bench-peers [flags]\n\n%s", introduction)
		fs.PrintDefaults()
	}
	fs.StringVar(&opt.psync, "psync", "", "measure the psync binary at `path` too")
	fs.Func("peer", "measure another tool, given as `'name=command'`, where the command is split at spaces and\n"+
		"{src} stands for the source, {dst} for a destination that does not exist yet, {dir} for one\n"+
		"that is an empty directory; repeatable, replaces a known tool of that name",
		func(s string) error {
			p, err := parsePeer(s)
			opt.peers = append(opt.peers, p)
			return err
		})
	fs.Func("only", "measure only the tools in this `list` of names, split at commas", func(s string) error {
		opt.only = strings.Split(s, ",")
		return nil
	})
	opt.shapes, _ = shapesNamed(defaultShapes)
	fs.Func("workloads", fmt.Sprintf("generate the workloads of this `list` of %s, split at commas (default %s)",
		strings.Join(shapeNames(), ", "), defaultShapes), func(s string) (err error) {
		opt.shapes, err = shapesNamed(s)
		return err
	})
	fs.Func("tree", "use the tree at `path` as a workload too, read only; repeatable", func(s string) error {
		opt.trees = append(opt.trees, s)
		return nil
	})
	fs.StringVar(&opt.dir, "dir", "", "work in a new directory below `path` (default: shared memory if there is room, else the temporary directory)")
	fs.StringVar(&opt.csv, "csv", "", "write the figures of every run to `file`")
	fs.IntVar(&opt.rounds, "rounds", 7, "count `n` rounds")
	fs.Uint64Var(&opt.seed, "seed", 1, "generate and shuffle by `n`: the same number makes the same trees in the same order of tools")
	if err := fs.Parse(args); err != nil {
		return options{}, err
	}
	if err := opt.check(fs.Args()); err != nil {
		fmt.Fprintf(stderr, "bench-peers: %v\n", err)
		return options{}, err
	}
	return opt, nil
}

func (opt options) check(rest []string) error {
	if len(rest) > 0 {
		return fmt.Errorf("unexpected argument %q", rest[0])
	}
	if opt.rounds < 1 {
		return errors.New("-rounds must be positive")
	}
	return nil
}

// shapesNamed returns the shapes of a list of names split at commas, none if the
// list is empty.
func shapesNamed(list string) ([]shape, error) {
	if list == "" {
		return nil, nil
	}
	var chosen []shape
	for name := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(shapes(), func(s shape) bool { return s.name == name })
		if i < 0 {
			return nil, fmt.Errorf("no workload %q among %s", name, strings.Join(shapeNames(), ", "))
		}
		chosen = append(chosen, shapes()[i])
	}
	return chosen, nil
}

func shapeNames() []string {
	var names []string
	for _, s := range shapes() {
		names = append(names, s.name)
	}
	return names
}

// shellLine returns words as a line that a shell splits into the same words.
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

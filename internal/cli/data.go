package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"psync/internal/content"
	"psync/internal/pace"
)

// dataFlags say how the contents of files are moved.
type dataFlags struct {
	streams     streams
	cutoff      size
	bwlimit     rate
	reflink     reflink
	preallocate bool
	fsync       bool
}

// How many workers copy, or compare, a file of which size at a time, far away.
const (
	defaultStreams = 4
	defaultCutoff  = 64 << 20
)

func (f *dataFlags) add(fs *pflag.FlagSet) {
	f.streams.n, f.cutoff.n = defaultStreams, defaultCutoff
	fs.Var(&f.streams, "multi-thread-streams", "copy ranges of one large file by up to `N` workers, if others are idle (default 4, but 1 where no side is a network file system)")
	fs.Var(&f.cutoff, "multi-thread-cutoff", "do so with files from `SIZE` on (default 64M)")
	fs.Var(&f.bwlimit, "bwlimit", "move at most `RATE` KiB a second, all workers together (or bytes with K, M, G of 1024, KB, MB of 1000)")
	fs.Var(&f.reflink, "reflink", "share the blocks of the source where the file system can: `auto|always|never` (default auto)")
	fs.BoolVar(&f.preallocate, "preallocate", false, "allocate the blocks of a file before it is written")
	fs.BoolVar(&f.fsync, "fsync", false, "return when everything is on the disk")
}

// pacer returns what limits the bytes moved, or nil.
func (f *dataFlags) pacer() content.Pacer {
	if f.bwlimit == 0 {
		return nil
	}
	return pace.NewLimiter(int64(f.bwlimit))
}

// check refuses flags that contradict each other.
func (f *dataFlags) check(sparse bool) error {
	switch {
	case f.reflink != reflink(content.ReflinkAlways):
		return nil
	case f.preallocate:
		return errors.New("--preallocate makes blocks, and --reflink=always none: they exclude each other")
	case sparse:
		return errors.New("--sparse looks for zeros, and --reflink=always copies no bytes: they exclude each other")
	}
	return nil
}

// streams is a number of workers for one file.
type streams struct {
	n   int
	set bool
}

func (s *streams) Type() string   { return "N" }
func (s *streams) String() string { return "" }

func (s *streams) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxThreads {
		return fmt.Errorf("the number of workers for one file is 1 to %d", maxThreads)
	}
	*s = streams{n: n, set: true}
	return nil
}

// rate is a number of bytes a second, as rsync understands it.
type rate int64

func (r *rate) Type() string   { return "RATE" }
func (r *rate) String() string { return "" }

func (r *rate) Set(text string) error {
	const least = 512 // as with rsync
	bad := fmt.Errorf("%q is no rate; write for instance 500 (KiB a second), 1.5M or 10MB", text)
	if strings.HasSuffix(text, "+1") || strings.HasSuffix(text, "-1") {
		return bad
	}
	if strings.Trim(text, "0123456789.") == "" {
		text += "K"
	}
	n, err := parseSize(text)
	switch {
	case err != nil:
		return bad
	case n < least && strings.ContainsAny(text, "123456789"):
		return fmt.Errorf("less than %d bytes a second is no useful rate", least)
	}
	*r = rate(n)
	return nil
}

// reflink is a content.Reflink by its name.
type reflink content.Reflink

var reflinkNames = []string{content.ReflinkAuto: "auto", content.ReflinkAlways: "always", content.ReflinkNever: "never"}

func (r *reflink) Type() string   { return strings.Join(reflinkNames, "|") }
func (r *reflink) String() string { return "" }

func (r *reflink) Set(text string) error {
	i := slices.Index(reflinkNames, text)
	if i < 0 {
		return fmt.Errorf("%q is none of %s", text, strings.Join(reflinkNames, ", "))
	}
	*r = reflink(i)
	return nil
}

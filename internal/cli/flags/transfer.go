package flags

import (
	"fmt"
	"strconv"
	"strings"

	"psync/internal/cli/values"
	"psync/internal/content"
	"psync/internal/engine"
	"psync/internal/pace"
	"psync/internal/run"
)

// The number of workers that copy or compare one file at a time over a network, and the file size for it.
const (
	defaultStreams = 4
	defaultCutoff  = 64 << 20
)

// transferOptions are the settings for moving contents that are not part of the engine's options.
type transferOptions struct {
	bwlimit      rate
	streamsTyped bool
}

// pacer returns the limiter for the bytes moved, or nil.
func (t *transferOptions) pacer() pace.Pacer {
	if t.bwlimit == 0 {
		return nil
	}
	return pace.NewLimiter(int64(t.bwlimit))
}

var reflinkWords = []string{content.ReflinkAuto: "auto", content.ReflinkAlways: "always", content.ReflinkNever: "never"}

// transferFlags set how the contents of files are moved.
func transferFlags(e *engine.Options, t *transferOptions) []flag {
	return []flag{
		newFlag("multi-thread-streams", "", copying, setter(func(text string) error { return t.setStreams(&e.Streams, text) }),
			"copy ranges of one large file by up to `N` workers, if others are idle (default 4, but 1 where no side is a network file system)"),
		newFlag("multi-thread-cutoff", "", copying, &values.Size{N: &e.Cutoff, Typed: new(bool)},
			"do so with files from `SIZE` on (default 64M)"),
		switchable("whole-file", "W", copying, &e.WholeFile,
			"send changed files from 16 MiB on as a whole, not only what differs from DST's (without another host that is always so)"),
		switchable("fuzzy", "y", copying, &e.Fuzzy,
			"send of new files from 16 MiB on only what differs from a file in the same directory of DST with the same size and time, or a similar name (without another host, files are copied as a whole)"),
		newFlag("bwlimit", "", copying, &t.bwlimit,
			"move at most `RATE` KiB a second, all workers together (or bytes with K, M, G of 1024, KB, MB of 1000)"),
		newFlag("reflink", "", copying, &values.Choice{Words: reflinkWords, Chose: func(i int) { e.Content.Reflink = content.Reflink(i) }},
			"share the blocks of the source where the file system can: `auto|always|never` (default auto)"),
		toggle("preallocate", "", copying, &e.Content.Preallocate, "allocate the blocks of a file before it is written").
			under(headingPlaces),
		newFlag("cache", "", copying|Compare, &values.Choice{Words: []string{"keep", "drop"}, Chose: func(i int) { e.Content.Cache = content.CacheKeep + content.Cache(i) }},
			"let what is read and written on this host stay in the system's cache, or drop it, but for files below 64K: `keep|drop` (default keep; on macOS, files from 8M on are dropped)").
			helpIn(Compare, "let what is read on this host stay in the system's cache, or drop it, but for files below 64K: `keep|drop` (default keep)"),
		toggle("verify", "", copying, &e.Verify,
			"read back each file that is copied, from the disk where the system allows that, and compare it with SRC").
			under(headingPlaces),
		toggle("fsync", "", copying, &e.Fsync,
			"sync each file before it is complete, and return when everything is on the disk").under(headingPlaces),
	}
}

// setStreams parses the number of workers for one file.
func (t *transferOptions) setStreams(streams *int, text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > run.MaxThreads {
		return fmt.Errorf("the number of workers for one file is 1 to %d", run.MaxThreads)
	}
	*streams, t.streamsTyped = n, true
	return nil
}

// rate is a number of bytes per second in rsync's syntax.
type rate int64

func (r *rate) Type() string   { return "RATE" }
func (r *rate) String() string { return "" }

func (r *rate) Set(text string) error {
	const least = 512 // as in rsync
	bad := fmt.Errorf("%q is not a rate; write for instance 500 (KiB a second), 1.5M or 10MB", text)
	if strings.HasSuffix(text, "+1") || strings.HasSuffix(text, "-1") {
		return bad
	}
	if strings.Trim(text, "0123456789.") == "" {
		text += "K"
	}
	n, err := values.ParseSize(text)
	switch {
	case err != nil:
		return bad
	case n < least && strings.ContainsAny(text, "123456789"):
		return fmt.Errorf("less than %d bytes a second is no useful rate", least)
	}
	*r = rate(n)
	return nil
}

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
		{
			name: "multi-thread-streams", verbs: copying, value: setter(func(text string) error { return t.setStreams(&e.Streams, text) }),
			help: "copy ranges of one large file by up to `N` workers, if others are idle (default 4, but 1 where no side is a network file system)",
		},
		{
			name: "multi-thread-cutoff", verbs: copying, value: &values.Size{N: &e.Cutoff, Typed: new(bool)},
			help: "do so with files from `SIZE` on (default 64M)",
		},
		{
			name: "whole-file", short: "W", verbs: copying, value: (*values.Toggle)(&e.WholeFile), off: values.Inverse(&e.WholeFile),
			help: "send changed files from 16 MiB on as a whole, not only what differs from DST's (without another host that is always so)",
		},
		{
			name: "fuzzy", short: "y", verbs: copying, value: (*values.Toggle)(&e.Fuzzy), off: values.Inverse(&e.Fuzzy),
			help: "send of new files from 16 MiB on only what differs from a file in the same directory of DST with the same size and time, or a similar name (without another host, files are copied as a whole)",
		},
		{
			name: "bwlimit", verbs: copying, value: &t.bwlimit,
			help: "move at most `RATE` KiB a second, all workers together (or bytes with K, M, G of 1024, KB, MB of 1000)",
		},
		{
			name: "reflink", verbs: copying, value: &values.Choice{Words: reflinkWords, Chose: func(i int) { e.Content.Reflink = content.Reflink(i) }},
			help: "share the blocks of the source where the file system can: `auto|always|never` (default auto)",
			misuse: func() faults {
				return faults{
					{e.Content.Reflink == content.ReflinkAlways && e.Content.Preallocate, "--preallocate makes blocks, and --reflink=always none: they exclude each other"},
					{e.Content.Reflink == content.ReflinkAlways && e.Content.Sparse, "--sparse looks for zeros, and --reflink=always copies no bytes: they exclude each other"},
				}
			},
		},
		{
			name: "preallocate", heading: headingPlaces, verbs: copying, value: (*values.Toggle)(&e.Content.Preallocate),
			help: "allocate the blocks of a file before it is written",
		},
		{
			name: "cache", verbs: copying | Compare, value: &values.Choice{Words: []string{"keep", "drop"}, Chose: func(i int) { e.Content.Cache = content.CacheKeep + content.Cache(i) }},
			help:    "let what is read and written on this host stay in the system's cache, or drop it, but for files below 64K: `keep|drop` (default keep; on macOS, files from 8M on are dropped)",
			helpFor: map[Verbs]string{Compare: "let what is read on this host stay in the system's cache, or drop it, but for files below 64K: `keep|drop` (default keep)"},
		},
		{
			name: "verify", heading: headingPlaces, verbs: copying, value: (*values.Toggle)(&e.Verify),
			help: "read back each file that is copied, from the disk where the system allows that, and compare it with SRC",
		},
		{
			name: "fsync", heading: headingPlaces, verbs: copying, value: (*values.Toggle)(&e.Fsync),
			help: "sync each file before it is complete, and return when everything is on the disk",
		},
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

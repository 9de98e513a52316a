package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"psync/internal/plan"
)

// policyFlags say which files are copied.
type policyFlags struct {
	sync                     bool
	ignoreTimes, sizeOnly    bool
	checksum                 bool
	update                   bool
	existing, ignoreExisting bool
	minSize, maxSize         size
	window                   seconds
}

func (f *policyFlags) add(fs *pflag.FlagSet, v verb) {
	f.sync = v == syncVerb
	if v == bareVerb {
		fs.BoolVar(&f.sync, "sync", false, "copy only what differs, as psync sync does")
	}
	if v != copyVerb {
		fs.BoolVarP(&f.ignoreTimes, "ignore-times", "I", false, "copy files even if size and time are equal")
		fs.BoolVar(&f.sizeOnly, "size-only", false, "take files of the same size for equal")
		fs.BoolVarP(&f.checksum, "checksum", "c", false, "compare the contents of files, not their times")
		fs.Var(&f.window, "modify-window", "times that differ by at most `SECONDS` are equal (default: what the file systems can tell apart)")
	}
	fs.BoolVarP(&f.update, "update", "u", false, "leave files alone that are newer in DST, unless they are only the beginning of those of SRC")
	fs.BoolVar(&f.existing, "existing", false, "make nothing that DST lacks")
	fs.BoolVar(&f.ignoreExisting, "ignore-existing", false, "leave alone what DST has")
	fs.Var(&f.maxSize, "max-size", "leave out files larger than `SIZE` (bytes, or with K, M, G, T of 1024, KB, MB of 1000)")
	fs.Var(&f.minSize, "min-size", "leave out files smaller than `SIZE`")
}

// checkPolicy refuses flags that would have no effect.
func (f *copyFlags) checkPolicy(fs *pflag.FlagSet) error {
	if f.verb == bareVerb && !f.sync {
		if name := typed(fs, "ignore-times", "size-only", "checksum", "modify-window"); name != "" {
			return fmt.Errorf("--%s says what differs, and is for -sync", name)
		}
	}
	switch {
	case f.checksum && f.sizeOnly:
		return errors.New("--checksum and --size-only exclude each other")
	case f.checksum && f.ignoreTimes:
		return errors.New("--checksum and --ignore-times exclude each other")
	case f.sizeOnly && f.ignoreTimes:
		return errors.New("--size-only and --ignore-times exclude each other")
	}
	return nil
}

func (f *policyFlags) policy() plan.Policy {
	return plan.Policy{
		Sync:        f.sync,
		IgnoreTimes: f.ignoreTimes, SizeOnly: f.sizeOnly, Checksum: f.checksum,
		Update: f.update, Existing: f.existing, IgnoreExisting: f.ignoreExisting,
		MinSize: f.minSize.n, MaxSize: f.maxSize.n, LimitSize: f.maxSize.set,
		Window: time.Duration(f.window),
	}
}

package cli

import (
	"github.com/spf13/pflag"

	"psync/internal/plan"
)

// linkFlags say what becomes of symbolic links, and where a run stops.
type linkFlags struct {
	copyLinks, copyDirlinks bool
	keepDirlinks            bool
	safeLinks, copyUnsafe   bool
	oneFileSystem           bool
}

func (f *linkFlags) add(fs *pflag.FlagSet) {
	fs.BoolVarP(&f.copyLinks, "copy-links", "L", false, "copy what symbolic links lead to")
	fs.BoolVarP(&f.copyDirlinks, "copy-dirlinks", "k", false, "copy the directories that symbolic links lead to")
	fs.BoolVarP(&f.keepDirlinks, "keep-dirlinks", "K", false, "treat a link of DST to a directory as one")
	fs.BoolVar(&f.safeLinks, "safe-links", false, "leave out symbolic links that lead out of SRC")
	fs.BoolVar(&f.copyUnsafe, "copy-unsafe-links", false, "copy what such links lead to")
	fs.BoolVarP(&f.oneFileSystem, "one-file-system", "x", false, "do not descend into other file systems than that of SRC")
}

func (f *linkFlags) options() plan.Links {
	return plan.Links{
		Copy: f.copyLinks, CopyDirlinks: f.copyDirlinks, KeepDirlinks: f.keepDirlinks,
		Safe: f.safeLinks, CopyUnsafe: f.copyUnsafe,
	}
}

package cli

import (
	"psync/internal/content"
	"psync/internal/getopt"
	"psync/internal/gnucp"
)

// The options of cp that have no letter, or mean something else than their letter does.
const (
	optAttributesOnly = iota + 256
	optBackup
	optCopyContents
	optDebug
	optKeepDirlinks
	optNoPreserve
	optParents
	optPreserve
	optReflink
	optRemoveDestination
	optSparse
	optStripSlashes
	optHelp
	optVersion
	optProgress
)

// cpOptions are in the order in which cp lists them where an abbreviation is ambiguous.
var cpOptions = []getopt.Option{
	{ID: 'a', Short: 'a', Long: "archive"},
	{ID: optAttributesOnly, Long: "attributes-only"},
	{ID: optBackup, Long: "backup", Arg: getopt.OptionalArgument},
	{ID: optBackup, Short: 'b'},
	{ID: optCopyContents, Long: "copy-contents"},
	{ID: optDebug, Long: "debug"},
	{ID: 'L', Short: 'L', Long: "dereference"},
	{ID: 'd', Short: 'd'},
	{ID: 'f', Short: 'f', Long: "force"},
	{ID: 'H', Short: 'H'},
	{ID: 'i', Short: 'i', Long: "interactive"},
	{ID: 'l', Short: 'l', Long: "link"},
	{ID: 'n', Short: 'n', Long: "no-clobber"},
	{ID: 'P', Short: 'P', Long: "no-dereference"},
	{ID: optNoPreserve, Long: "no-preserve", Arg: getopt.RequiredArgument},
	{ID: 'T', Short: 'T', Long: "no-target-directory"},
	{ID: 'x', Short: 'x', Long: "one-file-system"},
	{ID: optParents, Long: "parents"},
	{ID: optParents, Long: "path"}, // of old
	{ID: 'p', Short: 'p'},
	{ID: optPreserve, Long: "preserve", Arg: getopt.OptionalArgument},
	{ID: 'R', Short: 'R', Long: "recursive"},
	{ID: 'R', Short: 'r'},
	{ID: optRemoveDestination, Long: "remove-destination"},
	{ID: optSparse, Long: "sparse", Arg: getopt.RequiredArgument},
	{ID: optReflink, Long: "reflink", Arg: getopt.OptionalArgument},
	{ID: optStripSlashes, Long: "strip-trailing-slashes"},
	{ID: 'S', Short: 'S', Long: "suffix", Arg: getopt.RequiredArgument},
	{ID: 's', Short: 's', Long: "symbolic-link"},
	{ID: 't', Short: 't', Long: "target-directory", Arg: getopt.RequiredArgument},
	{ID: 'u', Short: 'u'},
	{ID: 'u', Long: "update", Arg: getopt.OptionalArgument},
	{ID: 'v', Short: 'v', Long: "verbose"},
	{ID: optKeepDirlinks, Long: "keep-directory-symlink"},
	{ID: 'Z', Short: 'Z'},
	{ID: 'Z', Long: "context", Arg: getopt.OptionalArgument},
	{ID: optHelp, Long: "help"},
	{ID: optVersion, Long: "version"},
	{ID: 'j', Short: 'j', Long: "threads", Arg: getopt.RequiredArgument, Whole: true},
	{ID: optProgress, Long: "progress", Whole: true},
}

type choice[T comparable] = []getopt.Word[T]

var (
	sparseWords = choice[gnucp.Sparse]{
		{Name: "never", Value: gnucp.SparseNever},
		{Name: "auto", Value: gnucp.SparseAuto},
		{Name: "always", Value: gnucp.SparseAlways},
	}
	reflinkWords = choice[content.Reflink]{
		{Name: "auto", Value: content.ReflinkAuto},
		{Name: "always", Value: content.ReflinkAlways},
		{Name: "never", Value: content.ReflinkNever},
	}
	updateWords = choice[gnucp.Update]{
		{Name: "all", Value: gnucp.UpdateAll},
		{Name: "none", Value: gnucp.UpdateNone},
		{Name: "none-fail", Value: gnucp.UpdateNoneFail},
		{Name: "older", Value: gnucp.UpdateOlder},
	}
	backupWords = choice[gnucp.Backup]{
		{Name: "none", Value: gnucp.NoBackups},
		{Name: "off", Value: gnucp.NoBackups},
		{Name: "simple", Value: gnucp.SimpleBackups},
		{Name: "never", Value: gnucp.SimpleBackups},
		{Name: "existing", Value: gnucp.ExistingBackups},
		{Name: "nil", Value: gnucp.ExistingBackups},
		{Name: "numbered", Value: gnucp.NumberedBackups},
		{Name: "t", Value: gnucp.NumberedBackups},
	}
	preserveWords = choice[byte]{
		{Name: "mode", Value: 'm'},
		{Name: "timestamps", Value: 't'},
		{Name: "ownership", Value: 'o'},
		{Name: "links", Value: 'l'},
		{Name: "context", Value: 'c'},
		{Name: "xattr", Value: 'x'},
		{Name: "all", Value: 'a'},
	}
)

package flags

import (
	"slices"

	"github.com/spf13/pflag"

	"psync/internal/cli/values"
)

// manifestFlags name the lists of checksums that a copy leaves, or a comparison goes by.
func manifestFlags(o *Options) []flag {
	return []flag{
		{
			name: "manifest", verbs: copying | Compare, value: (*values.Word)(&o.Output.Manifest),
			help:    "write to `FILE` the SHA-256 checksums of all files that were copied or are current, as sha256sum -c reads them",
			helpFor: map[Verbs]string{Compare: "compare the files in DIR, the one operand, with the SHA-256 checksums in `FILE`, as sha256sum writes them"},
			misuse: func() faults {
				name := o.Output.Manifest
				return faults{
					{name == "", "--manifest: the name of the file is missing"},
					{name == "-" && o.verb != Compare, "--manifest takes a file; for standard output give /dev/stdout"},
					{o.Output.Resume, "--manifest and --resume exclude each other: the list would lack what the interrupted run has copied; compare -c checks all of it"},
					{o.Engine.DelayUpdates, "--manifest and --delay-updates exclude each other: checksums are written before files get their names"},
				}
			},
		},
		{
			name: "mhl", verbs: copying, value: (*values.Toggle)(&o.Output.MHL),
			help: "write the hashes of all files into an ASC MHL 2.0 history in DST/ascmhl, or continue the one there",
			misuse: func() faults {
				return faults{
					{o.Output.MHL && o.Output.Resume, "--mhl and --resume exclude each other: what the interrupted run has copied was not hashed"},
					{o.Output.MHL && o.Engine.DelayUpdates, "--mhl and --delay-updates exclude each other: hashes are taken before files get their names"},
					{o.Output.MHL && o.Engine.Delete.On, "--mhl and --delete exclude each other: the history is in DST, and not in SRC, so it would be removed"},
				}
			},
		},
	}
}

// besideManifest are the flags that a comparison with a manifest has, but for those of other hosts.
var besideManifest = []string{"manifest", "threads", "verbose", "quiet", "human-readable", "insecure-links"}

// BesideManifest returns the name of a flag that was typed and is of no use with --manifest in a comparison, or "".
func (o *Options) BesideManifest(fs *pflag.FlagSet) (name string) {
	fs.Visit(func(f *pflag.Flag) {
		if !slices.Contains(besideManifest, f.Name) && !o.isRemote(f.Name) {
			name = f.Name
		}
	})
	return name
}

func (o *Options) isRemote(name string) bool {
	for _, f := range o.flags {
		if f.name == name {
			return f.heading == HeadingRemote
		}
	}
	return false
}

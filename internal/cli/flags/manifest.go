package flags

import (
	"slices"

	"github.com/spf13/pflag"
)

// manifestFlags name the lists of checksums that a copy leaves, or a comparison goes by.
func manifestFlags(o *Options) []flag {
	return []flag{
		word("manifest", "", copying|Compare, &o.Output.Manifest,
			"write to `FILE` the SHA-256 checksums of all files that were copied or are current, as sha256sum -c reads them").
			helpIn(Compare, "compare the files in DIR, the one operand, with the SHA-256 checksums in `FILE`, as sha256sum writes them"),
		toggle("mhl", "", copying, &o.Output.MHL,
			"write the hashes of all files into an ASC MHL 2.0 history in DST/ascmhl, or continue the one there"),
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

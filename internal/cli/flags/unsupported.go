package flags

import (
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// onUnsupported says how to treat attributes that DST cannot keep.
type onUnsupported uint8

const (
	failIfAsked onUnsupported = iota // a failure if a flag asked for it, else a warning
	failAlways
	warnAlways
	ignoreAlways
)

// onUnsupportedWords are the values of the flag, except the default.
var onUnsupportedWords = []string{"fail", "warn", "ignore"}

// apply records in k which attributes cause a failure if they are not kept. archived are the attributes that -a
// names and that count as asked for. Links are copied in any case.
func (o onUnsupported) apply(k *metadata.Keep, archived report.Attr) {
	switch o {
	case failAlways:
		k.Asked = ^report.Attr(0)
	case warnAlways, ignoreAlways:
		k.Asked = 0
		k.Silent = o == ignoreAlways
	default:
		k.Asked |= report.Symlinks
		k.Archived = archived
	}
}

// named returns which attributes that -a names count as asked for by name: for root, who may keep all of them, and with
// --super, all of them. SFTP has no words for some, which is no mistake of the command line; but a fifo, which every user may
// make, and for root a device, is missing in the copy.
func (k *keepOptions) named(user vfs.User, overSFTP bool) report.Attr {
	root := user.Privileged() || k.super
	named := k.archived.reported()
	switch {
	case overSFTP && root:
		return named & (report.Specials | report.Devices)
	case overSFTP:
		return named & report.Specials
	case root:
		return named
	}
	return 0
}

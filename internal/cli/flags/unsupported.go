package flags

import (
	"psync/internal/metadata"
	"psync/internal/report"
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
// names: for root, who may keep all of them, and with --super, they count as asked for. Links are copied in any case.
func (o onUnsupported) apply(k *metadata.Keep, archived report.Attr, root bool) {
	switch o {
	case failAlways:
		k.Asked = ^report.Attr(0)
	case warnAlways, ignoreAlways:
		k.Asked = 0
		k.Silent = o == ignoreAlways
	default:
		k.Asked |= report.Symlinks
		if root {
			k.Archived = archived
		}
	}
}

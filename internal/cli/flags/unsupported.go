package flags

import (
	"psync/internal/metadata"
	"psync/internal/report"
)

// onUnsupported says what it is to the user that DST cannot keep something.
type onUnsupported uint8

const (
	failIfAsked onUnsupported = iota // a failure if a flag asked for it, else a warning
	failAlways
	warnAlways
	ignoreAlways
)

// onUnsupportedWords are the values of the flag, but for the default.
var onUnsupportedWords = []string{"fail", "warn", "ignore"}

// apply says in k what of it is a failure not to keep. archived is what -a names: to
// root, who may keep all of that, it is as good as asked for. Links are copied in any case.
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

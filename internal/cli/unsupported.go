package cli

import (
	"fmt"
	"slices"
	"strings"

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

var onUnsupportedNames = []string{failAlways: "fail", warnAlways: "warn", ignoreAlways: "ignore"}

func (o *onUnsupported) Type() string   { return strings.Join(onUnsupportedNames[1:], "|") }
func (o *onUnsupported) String() string { return "" }

func (o *onUnsupported) Set(text string) error {
	i := slices.Index(onUnsupportedNames, text)
	if i < 1 {
		return fmt.Errorf("%q is none of %s", text, strings.Join(onUnsupportedNames[1:], ", "))
	}
	*o = onUnsupported(i)
	return nil
}

// apply returns k with what of it is a failure not to keep. archived is what -a says by name: to
// root, who may keep all of that, it is as good as asked for. Links are copied in any case.
func (o onUnsupported) apply(k metadata.Keep, archived report.Attr, root bool) metadata.Keep {
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
	return k
}

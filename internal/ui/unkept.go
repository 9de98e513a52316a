package ui

import (
	"strings"

	"psync/internal/report"
)

// printUnkept writes which attribute entries lack in the destination. This is a failure if the user asked for
// the attribute, and a warning if an option implied it.
func (p *Printer) printUnkept(attr report.Attr, n note) {
	printf, more := p.warnf, ""
	if n.asked {
		printf, more = p.errorf, withoutUnkept(attr)
	}
	if n.n > 1 {
		more = strings.TrimSuffix("first: "+n.first+"; "+more, "; ")
	}
	if more != "" {
		more = " (" + more + ")"
	}
	if n.n == 1 {
		printf("%s: the %s: %s%s", n.first, oneUnkept(attr), cause(n.err), more)
		return
	}
	printf("%s: %s%s", manyUnkept(attr, &n), cause(n.err), more)
}

// withoutUnkept returns how to run without an attribute.
func withoutUnkept(attr report.Attr) string {
	const accept = "--on-unsupported=warn accepts that"
	for _, a := range report.Attributes {
		if a.Attr == attr && a.Flag != "" {
			return "--no-" + a.Flag + " or " + accept
		}
	}
	return accept
}

// oneUnkept describes what happened to one entry. Some attributes are essential: a device without its
// device number cannot be made.
func oneUnkept(attr report.Attr) string {
	switch attr {
	case report.Devices, report.Specials, report.Symlinks:
		return attr.String() + " could not be made"
	case report.HardLinks:
		return "hard link was copied as a file of its own"
	}
	return attr.String() + " could not be kept"
}

// manyUnkept describes what happened to several entries.
func manyUnkept(attr report.Attr, n *note) string {
	switch attr {
	case report.Devices, report.Specials, report.Symlinks:
		return Things(n.n, attr.String(), attr.String()+"s") + " could not be made"
	case report.HardLinks:
		return Things(n.n, "hard link was copied as a file of its own", "hard links were copied as files of their own")
	}
	one, many := n.nouns()
	return "the " + attr.String() + " of " + Things(n.n, one, many) + " could not be kept"
}

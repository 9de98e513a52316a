package wire

import (
	"errors"
	"fmt"
	"strings"
)

const (
	maxName = 1024     // bytes of a name
	maxPath = 64 << 10 // bytes of a path, or of the target of a symbolic link
	maxText = 4 << 10  // bytes of texts and identifiers
)

var errName = errors.New("is no name of an entry")

// CheckName returns an error unless name may be the name of an entry: from 1 to 1024 bytes without slash and
// NUL, and neither "." nor "..".
func CheckName(name string) error {
	if name == "" || name == "." || name == ".." || len(name) > maxName || strings.IndexByte(name, '/') >= 0 || hasNUL(name) {
		return fmt.Errorf("%.64q %w", name, errName)
	}
	return nil
}

func hasNUL(s string) bool { return strings.IndexByte(s, 0) >= 0 }

// name codes the name of an entry.
func (c *coder) name(p *string) {
	c.string(p, maxName)
	if c.err == nil {
		if err := CheckName(*p); err != nil {
			c.fail(err)
		}
	}
}

// below codes the path of a directory below another one, or "" for that itself.
func (c *coder) below(p *string) {
	c.string(p, maxPath)
	if c.err != nil || *p == "" {
		return
	}
	for name := range strings.SplitSeq(*p, "/") {
		if err := CheckName(name); err != nil {
			c.fail(err)
			return
		}
	}
}

// path codes a path of any form, or the target of a symbolic link.
func (c *coder) path(p *string) { c.string(p, maxPath) }

// text codes what is shown, or compared.
func (c *coder) text(p *string) { c.string(p, maxText) }

// attrName codes the name of an extended attribute.
func (c *coder) attrName(p *string) {
	c.string(p, maxName)
	if c.err == nil {
		c.check(*p != "", "name of an attribute")
	}
}

// Package manual holds the texts of the manual that the flags and commands do not have themselves.
package manual

import "embed"

// Texts has a file for each page; see [psync/internal/cli/manpage.Manual].
//
//go:embed *.md
var Texts embed.FS

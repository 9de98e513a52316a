package rsyncflags

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A capability is one of those that rsync --version lists, by which scripts decide what to ask for.
type capability struct {
	name, key string // in the text, and in JSON
	offered   bool
}

func capabilities(crtimes bool) []capability {
	return []capability{
		{"symlinks", "symlinks", true},
		{"symtimes", "symtimes", true},
		{"hardlinks", "hardlinks", true},
		{"hardlink-specials", "hardlink_specials", true},
		{"hardlink-symlinks", "hardlink_symlinks", true},
		{"IPv6", "IPv6", true},
		{"atimes", "atimes", true},
		{"batchfiles", "batchfiles", false},
		{"inplace", "inplace", true},
		{"append", "append", true},
		{"ACLs", "ACLs", true},
		{"xattrs", "xattrs", true},
		{"iconv", "iconv", false},
		{"prealloc", "prealloc", true},
		{"stop-at", "stop_at", true},
		{"crtimes", "crtimes", crtimes},
	}
}

// PrintVersion prints what --version does, or, if that is given twice, the same as JSON. version is that of psync, and crtimes
// says whether creation times are kept on this system.
func (l *Line) PrintVersion(w io.Writer, version string, crtimes bool) {
	var names, fields []string
	for _, c := range capabilities(crtimes) {
		name := c.name
		if !c.offered {
			name = "no " + name
		}
		names = append(names, name)
		fields = append(fields, fmt.Sprintf("    %q: %t", c.key, c.offered))
	}
	if l.Version == 1 {
		fmt.Fprintf(w, "rsync (psync %s), like rsync 3.5, of which it speaks no protocol version\nCapabilities:\n    %s\n", version, strings.Join(names, ", "))
		return
	}
	fmt.Fprintf(w, "{\n  \"program\": \"psync\",\n  \"version\": %s,\n  \"capabilities\": {\n%s\n  },\n  \"compress_list\": [\n    \"zstd\", \"none\"\n  ]\n}\n",
		strconv.Quote(version), strings.Join(fields, ",\n"))
}

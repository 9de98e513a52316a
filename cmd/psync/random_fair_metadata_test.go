package main

import (
	"maps"
	"os"
	"slices"
	"strings"
)

// beFairToMetadata takes back what of metadata the two programs are not meant to do
// alike, or rsync does not do well.
func (g *generator) beFairToMetadata() {
	keepsGroup := slices.ContainsFunc(g.s.keep, func(arg string) bool { return arg == "-a" || arg == "-g" || arg == "--group" })
	for _, t := range []tree{g.s.source, g.s.dest, g.s.spare} {
		for _, at := range t.paths() {
			e := t[at]
			if e.extra != nil {
				e.extra = e.extra.clone()
			}
			if !keepsGroup && e.kind == 'd' {
				e.mode &^= 0o2000 // rsync sets modes of directories before it makes what is in them
			}
			if e.kind == 'd' && os.Geteuid() != 0 && g.has("-X", "-A", "-O", "--omit") {
				e.mode |= 0o700 // rsync takes the right to write in directories too early
				g.s.closed = nil
			}
			if (e.mode|g.s.source[at].mode)&0o6000 != 0 || g.has("--chmod=Fu+s") {
				e.owner = 0 // psync drops set-id bits where the owner that they are about is not kept
			}
			if x := e.extra; x != nil {
				if g.hasSpare() && e.kind != 'f' && e.kind != 'd' {
					x.attrs = nil // rsync does not keep them, of what it takes for a copy of the other tree
				}
				if slices.Contains(g.s.closed, at) {
					x.access = nil // it would open what is closed
				}
				if g.has("-b", "--backup") && g.has("--inplace", "--append") {
					x.access, x.attrs = nil, nil // backups that are copies keep them, with rsync if asked for
				}
				if x.access != nil {
					e.mode &= 0o777 // rsync takes rights of the group out of the list if it sets more bits
				}
				if g.has("--remove-source-files") && len(x.attrs) > 0 {
					x.attrs = map[string]string{} // rsync reads those that are long when the source is gone
				}
				if g.follows() {
					x.attrs = nil // rsync keeps those of links instead of those of what they lead to
				}
				if g.has("-H") {
					x.inherited = nil // it counts in which directory the first of several names is made
				}
				if g.has("--chown=", "--chmod=") {
					x.access, x.inherited = nil, nil // rsync changes users in the lists, too, and those of groups wrongly
				}
			}
			t[at] = e
		}
	}
	for _, at := range g.s.source.paths() {
		e, other := g.s.source[at], g.s.spare[at]
		if e.kind == 'f' && other.fill != e.fill {
			// rsync copies other contents than those of the source, if they look the same but
			// for attributes.
			g.s.spare = g.s.spare.without(at)
		}
	}
	if g.has("--no-p") {
		// rsync gives an entry whose extended attributes differ the mode of the source all the same, has default ACLs
		// take rights away from what gets an ACL, and keeps the mode of the file in the other tree.
		g.s.keep = slices.DeleteFunc(g.s.keep, func(arg string) bool { return arg == "-X" || arg == "-A" })
		g.s.spare = tree{}
	}
	if g.has("-H") {
		g.s.drop("-J") // a link may be made anew where rsync takes the one that is there for the first of several names
	}
	g.s.drop("-K") // rsync cannot set modes behind links
	if g.has("-b", "--backup", "-u", "--existing", "--ignore-existing") {
		// Which of several names is copied, and needs a backup, is a matter of order. Others
		// rsync does not make at all if it does not copy the first, or makes in place of newer ones.
		g.s.keep = slices.DeleteFunc(g.s.keep, func(arg string) bool { return arg == "-H" })
	}
	for _, at := range g.s.source.paths() {
		for _, name := range []string{at, g.s.source[at].first} {
			if e, ok := g.s.dest[name]; g.s.source[at].first != "" && ok && e.kind != 'b' && e.kind != 'c' {
				e.extra = nil // for the same reason, for it is lost if it is replaced
				if from := g.s.source[at]; g.has("-H") && e.size == from.size {
					e.fill = from.fill // which of them is taken for a copy is a matter of order, too
				}
				g.s.dest[name] = e
			}
		}
	}
	for _, at := range g.s.dest.paths() {
		e, from := g.s.dest[at], g.s.source[at]
		switch {
		case (e.kind == 'b' || e.kind == 'c') && (from.kind == 'b' || from.kind == 'c') && e.kind != from.kind:
			delete(g.s.dest, at) // rsync does not see the difference
		case g.has("--no-p") && e.kind != from.kind && strings.IndexByte("fpsbc", from.kind) >= 0:
			g.s.dest = g.s.dest.without(at) // rsync gives a file the mode of what was there, whatever it was
		case e.kind == 'd' && from.kind != 'd' && g.has("-H"):
			g.s.dest = g.s.dest.without(at) // rsync asks for its ACL when it is gone
		case e.kind == 'f' && from.kind == 'f' && g.grants(from) && g.has("-b", "--backup", "-U", "--no-U", "--chown="):
			// A file that is copied again would have a backup, an access time and an owner.
			e.size, e.mode = from.size+1, e.mode&^0o6000
			g.s.dest[at] = e
		case e.kind == 'f' && from.kind == 'f' && g.grants(from):
			// psync compares the contents, and copies again what others may have written, so that attributes
			// which are not kept are lost.
			e.extra = nil
			if e.size == from.size {
				e.fill = from.fill
			}
			g.s.dest[at] = e
		case e.kind == 's' && g.has("-b", "--backup"):
			e.kind = 'p' // rsync makes no backups of sockets with long paths
			g.s.dest[at] = e
		}
	}
	if g.has("--chmod=Fu+s", "--chmod=go-w") && os.Geteuid() == 0 {
		g.s.keep = slices.DeleteFunc(g.s.keep, func(arg string) bool { return strings.HasPrefix(arg, "--chown=") })
	}
}

// grants reports whether an entry has the rights of its owner, or more.
func (g *generator) grants(e entry) bool {
	return e.mode&0o6000 != 0 || g.has("--chmod=Fu+s") || e.extra != nil && e.extra.attrs["security.capability"] != ""
}

// hasSpare reports whether there is a tree of unchanged files.
func (g *generator) hasSpare() bool { return g.has("--link-dest", "--copy-dest", "--compare-dest") }

// clone returns a copy whose metadata can be changed.
func (x *extra) clone() *extra {
	y := *x
	y.attrs = maps.Clone(x.attrs)
	return &y
}

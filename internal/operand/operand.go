// Package operand determines where the SOURCE operands of a command line go, refuses dangerous combinations
// with DEST, and opens the directories that a run needs. Package location parses operands.
//
// Nothing is changed before all operands have been checked. Paths are joined without cleaning, so that they
// lead to the same entries when the run opens them.
package operand

import (
	"cmp"

	"psync/internal/filesfrom"
)

// A sourceOperand is a parsed source operand together with its properties.
type sourceOperand struct {
	path  string
	name  string // the name of the source in its directory
	isDir bool   // after following symbolic links
}

// A placement says what to copy from one directory.
type placement struct {
	dir   string          // the directory to open, symbolic links followed
	names []string        // entries of dir to copy under their own names; none: all entries of dir
	paths []string        // of the operands below dir, if they are not names
	into  string          // the name below DEST to copy into; "" for DEST itself
	self  bool            // in addition to entries, the attributes of dir are copied
	as    string          // the name in DEST of the only one of names; "" for its own
	part  *filesfrom.Part // the entries of dir that --files-from lists; nil: all, or names
	err   error           // why nothing can be copied from dir
}

// placements determines where sources go. The contents of a single directory go into DEST, with or without a trailing
// slash. Otherwise each source is copied to DEST/NAME. A symbolic link among several sources is copied as a link,
// unless a trailing slash requests the directory that it leads to. alone says that there is only one source operand,
// counting missing ones.
func placements(h Host, sources []sourceOperand, alone bool) ([]placement, error) {
	if alone && len(sources) == 1 && sources[0].isDir {
		return []placement{{dir: sources[0].path}}, nil
	}
	var placed []placement
	byDir := make(map[string]int)     // index in placed of the placement with names
	byName := make(map[string]string) // the operand that a name below DEST comes from
	for _, s := range sources {
		name := s.name
		if other, taken := byName[name]; taken {
			return nil, h.clash(other, s.path)
		}
		byName[name] = s.path

		dir, last := split(s.path)
		if s.isDir && last != name {
			placed = append(placed, placement{dir: s.path, into: name})
			continue
		}
		i, known := byDir[dir]
		if !known {
			i = len(placed)
			byDir[dir] = i
			placed = append(placed, placement{dir: dir})
		}
		placed[i].names = append(placed[i].names, name)
	}
	return placed, nil
}

// A tree is a directory that is copied.
type tree struct {
	path string
	into string // its name below the destination; rules do not apply to it
	name string // its name below the destination; rules apply to it
}

// trees returns the directories, or other entries, that a placement copies.
func (p placement) trees() []tree {
	if p.err != nil {
		return nil
	}
	if len(p.names) == 0 {
		return []tree{{path: p.dir, into: p.into}}
	}
	var all []tree
	for _, name := range p.names {
		all = append(all, tree{path: under(p.dir, name), name: cmp.Or(p.as, name)})
	}
	return all
}

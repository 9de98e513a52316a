package gnucp

import "psync/internal/vfs"

// identify returns the identity of an open file, or the zero ID if it cannot be found out.
func identify(f vfs.File) vfs.ID {
	attr, err := f.Stat()
	if err != nil {
		return vfs.ID{}
	}
	return attr.ID()
}

// removePartial removes a file that could not be completed and that id identifies, but not what
// somebody else has put in its place.
func (p place) removePartial(id vfs.ID) {
	if now, err := p.at.Stat(p.name, false); err == nil && now.ID() == id {
		_ = p.at.Remove(p.name)
	}
}

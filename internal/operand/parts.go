package operand

import (
	"errors"
	"syscall"

	"psync/internal/engine/source"
)

// placeParts decides where entries go that --files-from names: those of the only source, or of directories below it, go
// to DEST itself. A directory that does not exist is a failure of the entries that are listed there, not of the operands.
func (o Options) placeParts(sources []placement) (placed []placement, err error) {
	if len(sources) != 1 || len(sources[0].names) > 0 {
		return nil, ErrFilesFrom
	}
	for _, part := range o.Parts {
		p := placement{dir: sources[0].dir, part: &part}
		if part.Dir != "" {
			p.dir = under(p.dir, part.Dir)
			p.err = isDir(o.Hosts.Source, p.dir)
		}
		if p.err == source.ErrNotFound && o.IgnoreMissing {
			continue
		}
		if p.err != nil && part.Names == nil {
			part.Names, _ = o.Files.Names("")
		}
		placed = append(placed, p)
	}
	return placed, nil
}

// isDir returns why path leads to no directory, or nil.
func isDir(h Host, path string) error {
	attr, err := h.Stat(path)
	if notExist(err) || errors.Is(err, syscall.ENOTDIR) || err == nil && !attr.Mode.IsDir() {
		return source.ErrNotFound
	}
	return err
}

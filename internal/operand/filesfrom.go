package operand

import (
	"errors"
	"syscall"

	"psync/internal/engine/source"
	"psync/internal/vfs"
)

// placeParts determines where the entries that --files-from lists go. Entries of the only source, or of directories
// below it, go to DEST itself. If a directory does not exist, the entries listed in it fail, not the operands.
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

// isDir returns an error if path does not lead to a directory.
func isDir(h Host, path string) error {
	attr, err := h.Stat(path, vfs.Follow)
	if notExist(err) || errors.Is(err, syscall.ENOTDIR) || err == nil && !attr.Mode.IsDir() {
		return source.ErrNotFound
	}
	return err
}

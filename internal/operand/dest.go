package operand

import (
	"errors"
	"fmt"
	"strings"

	"psync/internal/vfs"
)

// checkDest reports whether the destination exists, or returns why it cannot exist.
func (o Options) checkDest(path string) (exists bool, err error) {
	h := o.Hosts.Dest
	attr, err := h.Stat(path, vfs.Follow)
	switch {
	case err == nil && !attr.Mode.IsDir():
		return false, fmt.Errorf("%s: %w", h.Called(path), ErrDestNotDir)
	case err == nil:
		return true, nil
	case !notExist(err):
		return false, err
	case !o.MakeDest:
		return false, fmt.Errorf("%s: %w", h.Called(path), ErrDestMissing)
	}
	switch link, err := ifExists(h, path, vfs.NoFollow); {
	case err != nil:
		return false, err
	case found(link):
		return false, fmt.Errorf("%s: %w: it is a link that leads nowhere", h.Called(path), ErrDestNotDir)
	case o.MakeParents:
		return false, nil
	}
	up := above(path)
	switch _, err := h.Stat(up, vfs.Follow); {
	case notExist(err):
		return false, fmt.Errorf("%s: %w", h.Called(up), ErrNoParent)
	case err != nil:
		return false, err
	}
	return false, nil
}

// renameFile returns the directory that the sources are copied to. That is dest, unless a single file should
// become dest itself: then it is the directory above, and the placement of the file gets the name.
func (o Options) renameFile(source sourceOperand, p *placement, dest string) (string, error) {
	_, last := split(dest)
	if !o.RenameFile || source.isDir || last == "" || last == "." || last == ".." {
		return dest, nil
	}
	h := o.Hosts.Dest
	attr, err := statIfExists(h, dest)
	if err != nil || attr.Mode.IsDir() {
		return dest, err
	}
	if last != p.names[0] {
		p.as = last
	}
	up := above(dest)
	if o.MakeParents {
		return up, nil
	}
	if _, err := h.Stat(up, vfs.Follow); notExist(err) {
		return "", fmt.Errorf("%s: %w", h.Called(up), ErrNoParent)
	}
	return up, nil // checkDest returns other errors
}

// checkEarlierCopy returns an error if --delete would remove an earlier copy by rsync, for which SRC without
// a trailing slash means DST/SRC.
func (o Options) checkEarlierCopy(args []string, placed []placement, dest string) error {
	if !o.Delete || o.Relative || o.SlashDecides || len(args) != 2 || len(placed[0].names) > 0 || strings.HasSuffix(args[0], "/") {
		return nil
	}
	name, err := nameOf(o.Hosts.Source, placed[0].dir)
	if errors.Is(err, ErrNoName) {
		return nil // the source is the root
	}
	if err != nil {
		return err
	}
	attr, err := o.Hosts.Dest.Stat(under(dest, name), vfs.NoFollow)
	if notExist(err) {
		return nil
	}
	if err != nil || o.Rules != nil && o.Rules.Protected(name, attr.Mode.IsDir()) {
		return err
	}
	inSource, err := ifExists(o.Hosts.Source, under(placed[0].dir, name), vfs.NoFollow)
	if err != nil || found(inSource) { // --delete would not remove the entry
		return err
	}
	return &EarlierCopyError{Source: o.Hosts.Source.Called(args[0]), Dest: o.Hosts.Dest.Called(dest), Name: name}
}

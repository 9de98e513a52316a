package operand

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"psync/internal/vfs"
)

// A SideFile is a file of this host, named by a flag, that a run writes to in addition to its destination.
type SideFile struct{ Flag, Path string }

// A SideFileError is the error for a side file that is, or lies inside, an entry that the run reads, writes or removes.
// The side file would be copied while it is written, be removed as extraneous, or replace another file.
type SideFileError struct {
	SideFile
	Place string // the entry, as the user typed it
}

func (e *SideFileError) Error() string {
	return fmt.Sprintf("--%s: %s is %s, or inside of it", e.Flag, e.Path, e.Place)
}

// CheckSideFiles returns an error for a side file that is, or would be, an entry at one of the paths of a host, or
// inside such an entry. The paths may be missing. For another host, there is nothing to check.
func CheckSideFiles(files []SideFile, h Host, paths ...string) error {
	if h.IsRemote() {
		return nil
	}
	for _, f := range files {
		at, ok, err := whereWritten(h, f.Path)
		if err != nil {
			return fmt.Errorf("--%s: %w", f.Flag, err)
		}
		for _, path := range paths {
			if !ok {
				break
			}
			switch inside, err := isIn(h, at, path); {
			case err != nil:
				return err
			case inside:
				return &SideFileError{f, path}
			}
		}
	}
	return nil
}

// CheckApart returns an error if two side files are the same file, because their contents would be mixed or
// overwritten.
func CheckApart(h vfs.Host, files []SideFile) error {
	for i, f := range files {
		for _, other := range files[:i] {
			same, err := isOneFile(h, f.Path, other.Path)
			if err != nil {
				return fmt.Errorf("--%s: %w", f.Flag, err)
			}
			if same {
				return fmt.Errorf("--%s and --%s name one file, %s: give each its own", other.Flag, f.Flag, f.Path)
			}
		}
	}
	return nil
}

// isOneFile reports whether two paths lead to the same file, which need not exist.
func isOneFile(h vfs.Host, a, b string) (bool, error) {
	a, isFile, err := whereWritten(h, a)
	if err != nil || !isFile {
		return false, err
	}
	b, isFile, err = whereWritten(h, b)
	if err != nil || !isFile {
		return false, err
	}
	return isIn(h, a, b)
}

// maxLinks is the maximum number of symbolic links that are followed at the end of a path, as on Linux.
const maxLinks = 40

// whereWritten returns the path of the file that a write to path changes, after following links at its end and links to
// directories that the run may make. The last link may lead to an entry that does not exist yet. whereWritten returns
// false if path does not lead to a file, but to a terminal or a pipe, for example.
func whereWritten(h vfs.Host, path string) (string, bool, error) {
	for range maxLinks {
		link, below, attr, err := firstMissing(h, path)
		if err != nil || attr.Mode.Type() != fs.ModeSymlink {
			return path, !found(attr) || attr.Mode.IsRegular(), err
		}
		there, err := statIfExists(h, path)
		if err != nil || found(there) && !there.Mode.IsRegular() {
			return path, false, err
		}
		target, err := os.Readlink(link)
		if err != nil {
			return path, false, err
		}
		if dir, _ := filepath.Split(link); !filepath.IsAbs(target) {
			target = dir + target
		}
		path = under(target, below)
	}
	return path, true, nil // opening it will fail
}

// firstMissing returns path and its attributes if the entry exists. Otherwise it returns the topmost element of path
// that is not a directory, its attributes if it is a dangling link, and the rest of path below it.
func firstMissing(h vfs.Host, path string) (at, below string, attr vfs.Attr, err error) {
	if attr, err = ifExists(h, path, vfs.NoFollow); err != nil || found(attr) {
		return path, "", attr, err
	}
	dir, missing, err := NearestDir(h, path)
	if err != nil {
		return path, "", attr, err
	}
	name, below, _ := strings.Cut(missing, "/")
	at = under(dir, name)
	attr, err = ifExists(h, at, vfs.NoFollow)
	return at, below, attr, err
}

// isIn reports whether a file, which need not exist, is the entry at path, or inside the directory at path. path may be
// missing, as a destination may be.
func isIn(h vfs.Host, file, path string) (bool, error) {
	place, err := statIfExists(h, path)
	if err != nil {
		return false, err
	}
	if found(place) && !place.Mode.IsDir() {
		attr, err := statIfExists(h, file)
		return attr.ID() == place.ID(), err
	}
	nearest, rest, err := NearestDir(h, file)
	if err != nil {
		return false, err
	}
	if found(place) {
		_, inside, err := h.Inside(nearest, path)
		if errors.Is(err, fs.ErrPermission) { // the user may pass through the directory, but not look at it
			err = nil
		}
		return inside, err
	}
	top, missing, err := NearestDir(h, path)
	if err != nil {
		return false, err
	}
	same, err := sameDir(h, nearest, top)
	return same && hasPrefix(strings.Split(filepath.Clean(rest), "/"), strings.Split(filepath.Clean(missing), "/")), err
}

// hasPrefix reports whether a path begins with another one, on a file system that may ignore case.
func hasPrefix(path, prefix []string) bool {
	return len(path) >= len(prefix) && strings.EqualFold(strings.Join(path[:len(prefix)], "/"), strings.Join(prefix, "/"))
}

// checkSideFiles returns an error for side files in operands.
func (o Options) checkSideFiles(args []string) error {
	last := len(args) - 1
	if err := CheckSideFiles(o.SideFiles, o.Hosts.Source, args[:last]...); err != nil {
		return err
	}
	return CheckSideFiles(o.SideFiles, o.Hosts.Dest, args[last])
}

// checkSideFiles returns an error for side files in directories for backups, and in directories whose files become
// files of the destination.
func (r *Roots) checkSideFiles(o AuxOptions) error {
	for _, dirs := range [][]string{{o.BackupDir}, o.LinkDest, o.CopyDest, o.CompareDest} {
		for _, dir := range dirs {
			if dir == "" {
				continue
			}
			if err := CheckSideFiles(r.options.SideFiles, r.options.Hosts.Dest, r.below(dir)); err != nil {
				return err
			}
		}
	}
	return nil
}

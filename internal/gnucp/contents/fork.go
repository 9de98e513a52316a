package contents

import (
	"slices"

	"psync/internal/gnucp/output"
	"psync/internal/vfs"
)

// countFork counts a file whose copy lacks a part of its contents that is copied only if extended attributes
// are preserved: a resource fork or the Finder information of macOS.
func (c *Copier) countFork(src vfs.File) {
	if c.Preserve.Xattr || c.AttributesOnly || len(c.Forks) == 0 {
		return
	}
	names, err := src.Xattrs(false)
	if err == nil && slices.ContainsFunc(names, func(name string) bool { return slices.Contains(c.Forks, name) }) {
		c.forks.Add(1)
	}
}

// ReportForks warns about the files that countFork counted.
func (s *Shared) ReportForks(out *output.Segment) {
	n, files := s.forks.Load(), output.Plain("files")
	if n == 0 {
		return
	}
	if n == 1 {
		files = "file"
	}
	out.Warn("warning: the resource fork or Finder info of %d %s was not copied; 'psync copy' copies it", n, files)
}

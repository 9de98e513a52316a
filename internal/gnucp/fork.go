package gnucp

import (
	"slices"

	"psync/internal/gnucp/output"
	"psync/internal/vfs"
)

// countFork counts a file whose copy lacks a part of its contents that only the preservation of
// extended attributes would copy: a resource fork, or what the Finder of macOS knows of it.
func (w *worker) countFork(src vfs.File) {
	if w.Preserve.Xattr || w.AttributesOnly || len(w.Forks) == 0 {
		return
	}
	names, err := src.Xattrs(false)
	if err == nil && slices.ContainsFunc(names, func(name string) bool { return slices.Contains(w.Forks, name) }) {
		w.forks.Add(1)
	}
}

// tellForks warns of the files that were counted.
func (r *run) tellForks(p *output.Segment) {
	n, files := r.forks.Load(), output.Plain("files")
	if n == 0 {
		return
	}
	if n == 1 {
		files = "file"
	}
	p.Warn("warning: the resource fork or Finder info of %d %s was not copied; 'psync copy' copies it", n, files)
}

package ui

import (
	"io/fs"

	"psync/internal/report"
)

// appendItemized appends a step in rsync's itemize format: eleven characters and the path. As in rsync, skipped
// entries have no line.
func appendItemized(line []byte, e report.Event) []byte {
	if e.Kind == report.Skip {
		return line
	}
	line = appendLetters(line, e)
	line = append(line, ' ')
	line = appendPath(line, e, appendAsRsync)
	line = appendTarget(line, e, appendAsRsync)
	return append(line, '\n')
}

// appendLetters appends the action, the type, and nine places for the differences. The action shows whether names
// are linked.
func appendLetters(line []byte, e report.Event) []byte {
	if e.Kind == report.Delete {
		return append(line, "*deleting  "...)
	}
	did, what := action(e), entryType(e)
	line = append(line, did, what)
	if isNew(e) {
		return append(line, "+++++++++"...)
	}
	diff := e.Diff
	if e.Basis != nil {
		diff = e.Basis.Diff
	}
	places := diff.Letters()
	if isHardLink(e) || e.Basis != nil && e.Basis.Linked && what == 'f' {
		places[0] = '.' // the contents are those of another entry anyway
	}
	if what != 'f' {
		places[1] = '.' // only files have a size: the size of a link is the length of its target, which 'c' covers
	}
	// With blanks, rsync marks entries that are listed although nothing differs. A transferred file is never
	// marked so.
	if did != '>' && string(places[:]) == "........." {
		copy(places[:], "         ")
	}
	return append(line, places[:]...)
}

// action returns the letter for what is done: bytes are copied, an entry without contents is made, a name is
// linked, or only attributes change.
func action(e report.Event) byte {
	switch {
	case e.Kind == report.Link, e.Kind == report.Current && e.Diff == report.DiffLinks, e.Kind == report.SetAttr && e.Diff&report.DiffLinks != 0:
		return 'h'
	case e.Basis != nil && e.Basis.Linked:
		return 'h'
	case e.Basis != nil && (e.Basis.Same || entryType(e) != 'f'):
		return 'c' // from another tree
	case e.Kind == report.SetAttr, e.Kind == report.Current:
		return '.'
	case entryType(e) != 'f':
		return 'c'
	}
	return '>'
}

func entryType(e report.Event) byte {
	switch {
	case e.Kind == report.Mkdir, e.IsDir:
		return 'd'
	case isLink(e):
		return 'L'
	case e.Type&fs.ModeDevice != 0:
		return 'D'
	case isSpecial(e):
		return 'S'
	}
	return 'f'
}

// isNew reports whether e leaves nothing of the entry that had its name before.
func isNew(e report.Event) bool {
	if e.Basis != nil {
		return false
	}
	switch e.Kind {
	case report.Mkdir, report.Copy, report.Symlink:
		return true
	}
	return e.Diff&report.DiffNew != 0
}

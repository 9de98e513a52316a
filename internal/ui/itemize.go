package ui

import "psync/internal/report"

// appendItemized appends the line that rsync --itemize-changes has for a step:
// eleven letters, and the path. As in rsync, entries that are skipped have none.
func appendItemized(line []byte, e report.Event) []byte {
	switch e.Kind {
	case report.Skip:
		return line
	case report.Delete:
		line = append(line, "*deleting  "...)
	default:
		line = appendLetters(line, e)
	}
	line = append(line, ' ')
	line = appendPath(line, e)
	line = appendTarget(line, e)
	return append(line, '\n')
}

// appendLetters appends what is done, to what, and nine places for what
// differs, of which the last two (ACL, extended attributes) are not in use.
func appendLetters(line []byte, e report.Event) []byte {
	did := action(e)
	line = append(line, did, entryType(e))
	if isNew(e) {
		return append(line, "+++++++++"...)
	}
	same := true
	for _, place := range [...]struct {
		diff   report.Diff
		letter byte
	}{
		{report.DiffContents, 'c'},
		{report.DiffSize, 's'},
		{report.DiffMtime | report.DiffNow, 't'},
		{report.DiffPerms, 'p'},
		{report.DiffOwner, 'o'},
		{report.DiffGroup, 'g'},
		{report.DiffAtime, 'u'},
		{0, 'a'},
		{0, 'x'},
	} {
		letter := place.letter
		switch {
		case e.Diff&place.diff == 0:
			letter = '.'
		case place.letter == 't' && e.Diff&report.DiffNow != 0:
			letter = 'T'
		case place.letter == 's' && isLink(e):
			letter = '.' // the size of a link is that of its target, which 'c' tells of
		}
		same = same && letter == '.'
		line = append(line, letter)
	}
	// So rsync tells entries that are mentioned though they are the same; a file
	// whose bytes travel is not one of them.
	if same && did != '>' {
		line = append(line[:len(line)-9], "         "...)
	}
	return line
}

// action returns the letter for what is done: bytes are copied, an entry is made
// without any, a file is linked, or nothing but attributes changes.
func action(e report.Event) byte {
	switch {
	case e.Kind == report.SetAttr:
		return '.'
	case e.Kind == report.Link:
		return 'h'
	case e.Kind == report.Mkdir, e.IsDir, isLink(e):
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
	}
	return 'f'
}

// isNew reports whether e leaves nothing of what had its name before.
func isNew(e report.Event) bool {
	switch e.Kind {
	case report.Mkdir, report.Copy, report.Symlink:
		return true
	}
	return e.Diff&report.DiffNew != 0
}

// isLink reports whether e is about a symbolic link.
func isLink(e report.Event) bool {
	return e.Kind == report.Symlink || e.Target != ""
}

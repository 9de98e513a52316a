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

// appendLetters appends the action, the type, and nine places for the differences. Two differences have no
// place of their own. rsync has no letter for flags, and an additional place would shift the columns that
// scripts cut out of the line, so flags share the place of permissions. The first letter shows whether names
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
	start := len(line)
	line = append(line,
		letter(e, report.DiffContents, 'c'),
		letter(e, report.DiffSize, 's'),
		timeLetter(e),
		letter(e, report.DiffPerms|report.DiffFlags, 'p'),
		letter(e, report.DiffOwner, 'o'),
		letter(e, report.DiffGroup, 'g'),
		useLetter(e),
		letter(e, report.DiffACL, 'a'),
		letter(e, report.DiffXattr, 'x'),
	)
	places := line[start:]
	if isHardLink(e) {
		places[0] = '.' // the contents are those of another entry anyway
	}
	if what != 'f' {
		places[1] = '.' // only files have a size: the size of a link is the length of its target, which 'c' covers
	}
	// With blanks, rsync marks entries that are listed although nothing differs. A transferred file is never
	// marked so.
	if did != '>' && string(places) == "........." {
		copy(places, "         ")
	}
	return line
}

// letter returns c if e has one of the differences.
func letter(e report.Event, diff report.Diff, c byte) byte {
	if e.Diff&diff == 0 {
		return '.'
	}
	return c
}

// timeLetter returns the letter for the modification time.
func timeLetter(e report.Event) byte {
	if e.Diff&report.DiffNow != 0 {
		return 'T'
	}
	return letter(e, report.DiffMtime, 't')
}

// useLetter returns the letter for the access time (use), the creation time (newness), or both.
func useLetter(e report.Event) byte {
	switch e.Diff & (report.DiffAtime | report.DiffBtime) {
	case report.DiffAtime:
		return 'u'
	case report.DiffBtime:
		return 'n'
	case report.DiffAtime | report.DiffBtime:
		return 'b'
	}
	return '.'
}

// action returns the letter for what is done: bytes are copied, an entry without contents is made, a name is
// linked, or only attributes change.
func action(e report.Event) byte {
	switch {
	case e.Kind == report.SetAttr:
		return '.'
	case e.Kind == report.Link:
		return 'h'
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
	switch e.Kind {
	case report.Mkdir, report.Copy, report.Symlink:
		return true
	}
	return e.Diff&report.DiffNew != 0
}

package filter

import (
	"errors"
	"path"
	"strings"
)

// mergeRule is a rule that names a file of rules.
type mergeRule struct {
	file string
	name string // its last element
	// above is the rest of file: the directory, absolute or relative to the transfer root, from which on directories
	// above the transfer root are searched for the file, too, if it is read in each directory; "" if they are not.
	above string

	in           context // of the rules in the file
	excludesSelf bool
	alone        bool // subdirectories do not inherit the rules
}

// parseMerge parses the modifiers of a merge rule.
func parseMerge(mods, file string, in context) (m mergeRule, err error) {
	m = mergeRule{file: file, in: context{style: newStyle, words: in.words, absolute: in.absolute, perishable: in.perishable, depth: in.depth + 1}}
	into := &m.in
	for _, c := range []byte(mods) {
		switch {
		case (c == '-' || c == '+') && into.style == newStyle:
			into.style, into.include = bareStyle, c == '+'
		case c == 'C' && into.style == newStyle:
			into.style, into.words, m.alone = cvsStyle, true, true
		case c == 's':
			into.side |= sending
		case c == 'r':
			into.side |= receiving
		case c == '/':
			into.absolute = true
		case c == 'p':
			into.perishable = true
		case c == 'w':
			into.words = true
		case c == 'e':
			m.excludesSelf = true
		case c == 'n':
			m.alone = true
		default:
			return m, invalidModifier(c)
		}
	}
	if m.file == "" && into.style == cvsStyle {
		m.file = cvsFile
	}
	if m.file == "" {
		return m, errors.New("there is no file name after the prefix")
	}
	if in.side != 0 {
		if into.side != 0 {
			return m, errors.New("it names a side, and so does the merge rule for its file; drop one")
		}
		into.side = in.side
	}
	m.name = lastElement(m.file)
	m.above = strings.TrimSuffix(m.file, m.name)
	return m, nil
}

// checkName returns an error if a directory cannot have the file.
func (m *mergeRule) checkName() error {
	if m.name == "" || m.name == "." || m.name == ".." {
		return errors.New("the file that is to be read in each directory needs a name")
	}
	return nil
}

// isSearched reports whether the directory at, which is above root, is searched for the file. Both are absolute, without
// the leading slash.
func (m *mergeRule) isSearched(at, root string) bool {
	if m.above == "" {
		return false
	}
	top := m.above
	if !path.IsAbs(top) {
		top = "/" + root + "/" + top
	}
	top = strings.Trim(path.Clean(top), "/")
	return top == "" || top == at || strings.HasPrefix(at, top+"/")
}

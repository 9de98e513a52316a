package filter

import (
	"errors"
	"fmt"
	"strings"

	"psync/internal/filter/pattern"
)

// style says how the text of a rule is parsed.
type style int

const (
	newStyle  style = iota // rule letter or name, modifiers, pattern
	oldStyle               // a pattern, optionally after "- " or "+ "
	bareStyle              // only a pattern
	cvsStyle               // only a pattern, or "!"
)

// context holds what a rule inherits from the option or the file that contains it.
type context struct {
	style      style
	include    bool // a pattern without a prefix is an include; not used in newStyle
	side       side
	absolute   bool
	perishable bool
	words      bool // files hold rules between white space instead of on lines
	depth      int  // nesting of files in files
}

// add compiles one rule.
func (b *Builder) add(text string, in context) error {
	if text == "" {
		return nil
	}
	switch in.style {
	case oldStyle:
		if text == "!" {
			b.clear()
			return nil
		}
		if rest, ok := strings.CutPrefix(text, "- "); ok {
			return b.addPattern(text, rest, rule{}, in)
		}
		if rest, ok := strings.CutPrefix(text, "+ "); ok {
			return b.addPattern(text, rest, rule{include: true}, in)
		}
		return b.addPattern(text, text, rule{include: in.include}, in)
	case bareStyle, cvsStyle:
		if in.style == cvsStyle && text == "!" {
			b.clear()
			return nil
		}
		return b.addPattern(text, text, rule{include: in.include}, in)
	default:
		return b.addFilter(text, in)
	}
}

// addPattern completes r with its pattern and with the values that it inherits.
func (b *Builder) addPattern(text, arg string, r rule, in context) error {
	if arg == "" {
		return fmt.Errorf("filter rule %q: there is no pattern after the prefix", text)
	}
	if in.side != 0 {
		if r.side != 0 {
			return fmt.Errorf("filter rule %q names a side, and so does the merge rule for its file; drop one", text)
		}
		r.side = in.side
	}
	r.absolute = r.absolute || in.absolute
	r.perishable = r.perishable || in.perishable
	var err error
	if r.pattern, err = pattern.Compile(arg); err != nil {
		return fmt.Errorf("filter rule %q: %w", text, err)
	}
	if strings.HasPrefix(arg, "/") && !r.absolute {
		r.at = b.at
	}
	b.rules = append(b.rules, &r)
	return nil
}

// clear forgets the rules so far.
func (b *Builder) clear() { b.rules, b.files, b.cleared = nil, b.files[:b.known:b.known], true }

// addFilter takes a rule in the syntax of --filter.
func (b *Builder) addFilter(text string, in context) error {
	kind, mods, arg, err := cutFilter(text)
	if err != nil {
		return fmt.Errorf("filter rule %q: %w", text, err)
	}
	var r rule
	switch kind {
	case '!':
		b.clear()
		return nil
	case '.', ':':
		return b.addMerge(text, kind, mods, arg, in)
	case 'S':
		r = rule{include: true, side: sending}
	case 'H':
		r = rule{side: sending}
	case 'R':
		r = rule{include: true, side: receiving}
	case 'P':
		r = rule{side: receiving}
	case '+':
		r = rule{include: true}
	}
	cvs, err := r.modify(mods)
	if err != nil {
		return fmt.Errorf("filter rule %q: %w", text, err)
	}
	if cvs {
		return b.addCVS(context{include: r.include, side: r.side | in.side, absolute: r.absolute, perishable: r.perishable})
	}
	return b.addPattern(text, arg, r, in)
}

// modify applies the modifiers of a rule that has a pattern, or, if cvs is true, stands for the patterns of CVS.
func (r *rule) modify(mods string) (cvs bool, err error) {
	fixed := r.side != 0 // by the letter of the rule
	for _, m := range []byte(mods) {
		switch {
		case m == '!':
			r.negate = true
		case m == '/':
			r.absolute = true
		case m == 'p':
			r.perishable = true
		case m == 's' && !fixed:
			r.side |= sending
		case m == 'r' && !fixed:
			r.side |= receiving
		case m == 'C' && !fixed && !cvs:
			cvs = true
		case m == 's' || m == 'r' || m == 'C' && fixed:
			return false, fmt.Errorf("modifier %q contradicts a rule that names its side; use + or - with it", m)
		default:
			return false, refuse(m)
		}
	}
	return cvs, nil
}

// addMerge reads the file of a merge rule in place of the rule, or has it read in each directory.
func (b *Builder) addMerge(text string, kind byte, mods, file string, in context) error {
	m, err := parseMerge(mods, file, in)
	if err != nil {
		return fmt.Errorf("filter rule %q: %w", text, err)
	}
	m.in.depth = in.depth + 1
	if m.excludesSelf {
		self := context{style: bareStyle}
		if b.at != nil {
			self.side = sending | receiving // in files of directories, rsync protects it even with --delete-excluded
		}
		if err := b.add(lastElement(m.file), self); err != nil {
			return err
		}
	}
	if kind == '.' {
		return b.merge(m.file, m.in)
	}
	if err := b.addDirFile(m); err != nil {
		return fmt.Errorf("filter rule %q: %w", text, err)
	}
	return nil
}

// mergeRule is a rule that names a file of rules.
type mergeRule struct {
	file         string
	in           context // of the rules in the file
	excludesSelf bool
	alone        bool // subdirectories do not inherit the rules
}

// parseMerge parses the modifiers of a merge rule.
func parseMerge(mods, file string, in context) (m mergeRule, err error) {
	m = mergeRule{file: file, in: context{style: newStyle, words: in.words, absolute: in.absolute, perishable: in.perishable}}
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
			return m, refuse(c)
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
	return m, nil
}

func lastElement(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// names are the long names of rules, by their letters.
var names = map[string]byte{
	"exclude": '-', "include": '+', "hide": 'H', "show": 'S', "protect": 'P',
	"risk": 'R', "clear": '!', "merge": '.', "dir-merge": ':',
}

// cutFilter splits a rule into its parts.
func cutFilter(text string) (kind byte, mods, arg string, err error) {
	rest := text[1:]
	kind = text[0]
	if 'a' <= kind && kind <= 'z' {
		n := strings.IndexAny(text, " _,")
		if n < 0 {
			n = len(text)
		}
		kind, rest = names[text[:n]], text[n:]
	}
	rest = strings.TrimPrefix(rest, ",")
	switch {
	case strings.IndexByte("+-PRHS!.:", kind) < 0:
		return 0, "", "", errors.New("unknown rule; it must begin with one of + - P R H S ! . : or their long names, as in \"- *.o\"")
	case kind == '!':
		if rest != "" {
			err = errors.New("a clear rule takes nothing; write it alone")
		}
		return kind, "", "", err
	}
	mods = rest
	if n := strings.IndexAny(rest, " _"); n >= 0 {
		mods, arg = rest[:n], rest[n+1:]
	}
	return kind, mods, arg, nil
}

// refuse returns the error for an unsupported modifier.
func refuse(modifier byte) error {
	if modifier == 'x' {
		return errors.New(`rules for extended attributes (modifier "x") are not supported; leave the rule out`)
	}
	return fmt.Errorf("modifier %q is not valid for this rule; put a space or _ before the pattern", modifier)
}

package filter

import (
	"errors"
	"fmt"
	"strings"
)

// style says how the text of a rule is parsed.
type style int

const (
	newStyle  style = iota // rule letter or name, modifiers, pattern
	oldStyle               // a pattern, optionally after "- " or "+ "
	bareStyle              // only a pattern
)

// context holds what a rule inherits from the option or the file that contains it.
type context struct {
	style   style
	include bool // a pattern without a prefix is an include; not used in newStyle
	side    side
	words   bool // files hold rules between white space instead of on lines
	depth   int  // nesting of files in files
}

// add compiles one rule.
func (b *Builder) add(text string, in context) error {
	if text == "" {
		return nil
	}
	switch in.style {
	case oldStyle:
		if text == "!" {
			b.rules = nil
			return nil
		}
		if rest, ok := strings.CutPrefix(text, "- "); ok {
			return b.addPattern(text, rest, rule{}, in)
		}
		if rest, ok := strings.CutPrefix(text, "+ "); ok {
			return b.addPattern(text, rest, rule{include: true}, in)
		}
		return b.addPattern(text, text, rule{include: in.include}, in)
	case bareStyle:
		return b.addPattern(text, text, rule{include: in.include}, in)
	default:
		return b.addFilter(text, in)
	}
}

// addPattern completes r with its pattern and with the values that it inherits.
func (b *Builder) addPattern(text, pattern string, r rule, in context) error {
	if pattern == "" {
		return fmt.Errorf("filter rule %q: there is no pattern after the prefix", text)
	}
	if in.side != 0 {
		if r.side != 0 {
			return fmt.Errorf("filter rule %q names a side, and so does the merge rule for its file; drop one", text)
		}
		r.side = in.side
	}
	var err error
	if r.pattern, err = compile(pattern); err != nil {
		return fmt.Errorf("filter rule %q: %w", text, err)
	}
	b.rules = append(b.rules, r)
	return nil
}

// addFilter takes a rule in the syntax of --filter.
func (b *Builder) addFilter(text string, in context) error {
	kind, mods, arg, err := cutFilter(text)
	if err != nil {
		return fmt.Errorf("filter rule %q: %w", text, err)
	}
	var r rule
	switch kind {
	case '!':
		b.rules = nil
		return nil
	case '.':
		return b.addMerge(text, mods, arg, in)
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
	if err := r.modify(mods); err != nil {
		return fmt.Errorf("filter rule %q: %w", text, err)
	}
	return b.addPattern(text, arg, r, in)
}

// modify applies the modifiers of a rule that has a pattern.
func (r *rule) modify(mods string) error {
	fixed := r.side != 0 // by the letter of the rule
	for _, m := range []byte(mods) {
		switch {
		case m == '!':
			r.negate = true
		case m == 's' && !fixed:
			r.side |= sending
		case m == 'r' && !fixed:
			r.side |= receiving
		case m == 's' || m == 'r':
			return fmt.Errorf("modifier %q contradicts a rule that names its side; use + or - with it", m)
		default:
			return refuse(m)
		}
	}
	return nil
}

// addMerge reads the file of a merge rule in place of the rule.
func (b *Builder) addMerge(text, mods, file string, in context) error {
	if file == "" {
		return fmt.Errorf("filter rule %q: there is no file name after the prefix", text)
	}
	into := context{style: newStyle, words: in.words, depth: in.depth + 1}
	hide := false
	for _, m := range []byte(mods) {
		switch {
		case (m == '-' || m == '+') && into.style == newStyle:
			into.style, into.include = bareStyle, m == '+'
		case m == 's':
			into.side |= sending
		case m == 'r':
			into.side |= receiving
		case m == 'w':
			into.words = true
		case m == 'e':
			hide = true
		case m == 'n': // only useful in per-directory files, and harmless
		default:
			return fmt.Errorf("filter rule %q: %w", text, refuse(m))
		}
	}
	if in.side != 0 {
		if into.side != 0 {
			return fmt.Errorf("filter rule %q names a side, and so does the merge rule for its file; drop one", text)
		}
		into.side = in.side
	}
	if hide {
		name := file[strings.LastIndexByte(file, '/')+1:]
		if err := b.add(name, context{style: bareStyle}); err != nil {
			return err
		}
	}
	return b.merge(file, into)
}

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
	case kind == ':':
		return 0, "", "", errors.New(`per-directory merge files are not supported; merge one file with ". FILE"`)
	case strings.IndexByte("+-PRHS!.", kind) < 0:
		return 0, "", "", errors.New("unknown rule; it must begin with one of + - P R H S ! . or their long names, as in \"- *.o\"")
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
	switch modifier {
	case '/':
		return errors.New(`the modifier "/" is not supported; anchor the pattern at the transfer root with a leading slash`)
	case 'p':
		return errors.New(`perishable rules (modifier "p") are not supported; leave the modifier out to keep what matches`)
	case 'C':
		return errors.New(`CVS rules (modifier "C") are not supported; write the patterns out`)
	case 'x':
		return errors.New(`rules for extended attributes (modifier "x") are not supported; leave the rule out`)
	}
	return fmt.Errorf("modifier %q is not valid for this rule; put a space or _ before the pattern", modifier)
}

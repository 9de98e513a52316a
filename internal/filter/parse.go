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
	option     string
}

// statement is what the text of a rule says.
type statement struct {
	kind  kind
	rule  rule      // of patternRule
	cvs   context   // of cvsRules: what they inherit
	merge mergeRule // of mergeFile and dirMerge
}

type kind int

const (
	patternRule kind = iota
	clearRules       // forget all rules so far
	cvsRules         // add the patterns that CVS ignores
	mergeFile        // read a file in place of the rule
	dirMerge         // have a file read in each directory
)

// parse returns what a rule says. The text is not empty.
func parse(text string, in context) (statement, error) {
	if in.style == newStyle {
		return parseFilter(text, in)
	}
	if text == "!" && in.style != bareStyle {
		return statement{kind: clearRules}, nil
	}
	if in.style == oldStyle {
		if rest, ok := strings.CutPrefix(text, "- "); ok {
			return parsePattern(text, rest, rule{}, in)
		}
		if rest, ok := strings.CutPrefix(text, "+ "); ok {
			return parsePattern(text, rest, rule{include: true}, in)
		}
	}
	return parsePattern(text, text, rule{include: in.include}, in)
}

// parsePattern completes r with its pattern and with the values that it inherits.
func parsePattern(text, arg string, r rule, in context) (s statement, err error) {
	if arg == "" {
		return s, fmt.Errorf("filter rule %q: there is no pattern after the prefix", text)
	}
	if in.side != 0 {
		if r.side != 0 {
			return s, fmt.Errorf("filter rule %q names a side, and so does the merge rule for its file; drop one", text)
		}
		r.side = in.side
	}
	r.absolute = r.absolute || in.absolute
	r.perishable = r.perishable || in.perishable
	r.rooted = strings.HasPrefix(arg, "/")
	if r.pattern, err = pattern.Compile(arg); err != nil {
		return s, fmt.Errorf("filter rule %q: %w", text, err)
	}
	if r.typed = newTyped(in.option, text); r.typed != nil {
		r.text = arg
	}
	return statement{rule: r}, nil
}

// parseFilter parses a rule in the syntax of --filter.
func parseFilter(text string, in context) (s statement, err error) {
	letter, mods, arg, err := cutFilter(text)
	if err != nil {
		return s, fmt.Errorf("filter rule %q: %w", text, err)
	}
	var r rule
	switch letter {
	case '!':
		return statement{kind: clearRules}, nil
	case '.', ':':
		s.kind = mergeFile
		if s.merge, err = parseMerge(mods, arg, in); err == nil && letter == ':' {
			s.kind, err = dirMerge, s.merge.checkName()
		}
		if err != nil {
			err = fmt.Errorf("filter rule %q: %w", text, err)
		}
		return s, err
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
		return s, fmt.Errorf("filter rule %q: %w", text, err)
	}
	if cvs {
		inherited := context{style: cvsStyle, words: true, include: r.include, side: r.side | in.side, absolute: r.absolute, perishable: r.perishable}
		return statement{kind: cvsRules, cvs: inherited}, nil
	}
	return parsePattern(text, arg, r, in)
}

// letterOf returns the letter for the long name of a rule, or 0.
func letterOf(name string) byte {
	return map[string]byte{
		"exclude": '-', "include": '+', "hide": 'H', "show": 'S', "protect": 'P', "risk": 'R', "clear": '!', "merge": '.', "dir-merge": ':',
	}[name]
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
		kind, rest = letterOf(text[:n]), text[n:]
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

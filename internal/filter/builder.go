package filter

import (
	"fmt"
	"io"
	"regexp"
	"slices"
)

// A Builder gathers rules in the order of the command line. The zero value is
// ready for rules that name no file.
type Builder struct {
	// Open opens the files that rules name. It also decides what "-" means.
	Open func(name string) (io.ReadCloser, error)

	// From0 says that entries of files end in NUL instead of a line break.
	From0 bool

	// Getenv returns the values of HOME and CVSIGNORE for the patterns of CVS. If it is nil, they are empty.
	Getenv func(name string) string

	// Option, unless it is "", is the option of what is added next, for [Rules.Unmatched]. Rules in files have none.
	Option string

	rules   []*rule
	files   []*mergeRule
	known   int      // how many of files come from elsewhere
	cleared bool     // a rule has forgotten all before it
	at      *place   // of the file, if it was found in a directory
	user    *Builder // of the command line then
}

// Exclude adds the pattern of an --exclude option. As in rsync, a leading "- " or "+ " makes the rest an
// exclude or an include, a lone "!" clears all rules so far, and an empty pattern does nothing.
func (b *Builder) Exclude(pattern string) error {
	return b.add(pattern, context{style: oldStyle, option: b.Option})
}

// Include adds the pattern of an --include option; see [Builder.Exclude].
func (b *Builder) Include(pattern string) error {
	return b.add(pattern, context{style: oldStyle, include: true, option: b.Option})
}

// ExcludeFrom adds the patterns in a file, one per line, each as
// [Builder.Exclude] does. Lines that begin with "#" or ";" are comments.
func (b *Builder) ExcludeFrom(file string) error {
	return b.merge(file, context{style: oldStyle})
}

// IncludeFrom is like [Builder.ExcludeFrom], but adds the patterns as [Builder.Include] does.
func (b *Builder) IncludeFrom(file string) error {
	return b.merge(file, context{style: oldStyle, include: true})
}

// Filter adds the rule of a --filter option: a rule letter or name, modifiers,
// a space or underscore, a pattern or file name.
func (b *Builder) Filter(rule string) error {
	return b.add(rule, context{style: newStyle, option: b.Option})
}

// ExcludeRegexp adds an exclude for each path that contains a match of expr. The path is relative to the
// transfer root, without leading or trailing slashes.
func (b *Builder) ExcludeRegexp(expr string) error {
	return b.addRegexp(expr, false)
}

// IncludeRegexp is like [Builder.ExcludeRegexp], but adds an include.
func (b *Builder) IncludeRegexp(expr string) error {
	return b.addRegexp(expr, true)
}

func (b *Builder) addRegexp(expr string, include bool) error {
	if expr == "" {
		return fmt.Errorf("empty regular expression: it would match every path; write .* if that is meant")
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return fmt.Errorf("regular expression %q: %w", expr, err)
	}
	b.rules = append(b.rules, &rule{include: include, expr: re, typed: newTyped(b.Option, expr)})
	return nil
}

// Rules returns the rules gathered so far, or nil if there are none. With deleteExcluded, rules that do not
// name a side act on the sending side alone.
func (b *Builder) Rules(deleteExcluded bool) *Rules {
	if len(b.rules) == 0 {
		return nil
	}
	r := &Rules{rules: slices.Clip(b.rules), files: slices.Clip(b.files), deleteExcluded: deleteExcluded, user: b}
	r.arrange()
	return r
}

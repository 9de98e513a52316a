// Package filter decides by name which entries of a tree take part: it compiles
// the include and exclude rules of rsync, and the list that --files-from names.
//
// # Rules
//
// A [Builder] takes rules in the order of the command line; the first rule
// that matches a path decides, and a path that no rule matches takes part. A rule
// acts on the sending side (an exclude hides the entry from the copy), on the
// receiving side (an exclude protects the entry from deletion) or on both:
//
//	exclude -   hides and protects      include +   shows and puts at risk
//	hide    H   hides only              show    S   shows only
//	protect P   protects only           risk    R   puts at risk only
//	clear   !   forgets all rules so far
//	merge   .   reads more rules from a file
//
// A directory that is hidden is not entered, so what lies below it is not
// asked about; the same holds for a protected directory that the source lacks.
//
// # Patterns
//
// A pattern is compared with the end of a path, element by element:
//
//	foo        every entry named foo
//	foo/       every directory named foo
//	/foo       foo in the transfer root, nowhere else
//	a/foo      foo in any directory named a
//	*.o  f?o   * stands for any bytes but a slash, ? for one of them
//	[a-c] [!x] one byte of a set, or outside of it; POSIX classes as [[:digit:]]
//	a/**       everything below any directory named a; ** crosses slashes
//	a/***      the same, and the directory itself
//	**/foo     foo anywhere, the transfer root included
//	/a/**/foo  foo two or more levels below the top-level directory a
//
// A backslash takes the meaning from the next byte, but only in a pattern that
// has a wildcard; in all others it is a backslash. A pattern that rsync cannot
// read, such as an unclosed bracket, matches nothing, as there. Braces mean
// nothing. Names are bytes: ? takes half of a two-byte letter.
//
// The modifier "!" turns a pattern around: the rule acts on what does not
// match.
//
// # What differs from rsync
//
// Per-directory merge files (":"), CVS rules ("C"), perishable rules ("p"), rules
// for extended attributes ("x") and rules that compare with the absolute path
// ("/") are refused with an error. POSIX classes know ASCII only, whatever the
// locale. Regular expressions, [Builder.ExcludeRegexp], are psync's own.
//
// # How it is fast
//
// Rules are asked about every entry of a tree, so a pattern is cut into
// elements when it is compiled. Names, prefixes and suffixes are compared as
// strings; other elements, and patterns with **, are matched by gobwas/glob. That
// library matches runes: bytes beyond ASCII are shown to it as the runes of
// the same number, on both sides, which makes a byte of every rune.
package filter

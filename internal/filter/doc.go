// Package filter decides by name which entries of a tree take part: it compiles
// the include and exclude rules of rsync.
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
//	dir-merge : reads more rules from a file of this name in each directory
//
// A hidden directory is not entered, so rules are not applied to the entries below it; the same holds for a
// protected directory that the source lacks.
//
// # Patterns
//
// Package [psync/internal/filter/pattern] says what patterns match. The modifier "!" negates a pattern: the rule acts on
// entries that do not match. With "/", the pattern is compared with the absolute path. With "p", the rule does not keep
// a directory that is removed from being empty. "-C" stands for the patterns that CVS ignores.
//
// # Files in directories
//
// The rules of a file that is read in each directory take the place of the dir-merge rule, before those that the directory
// inherits from the one above it; with the modifier "n", it inherits none. A leading slash anchors their patterns
// at the directory of the file, and "!" forgets only the rules of files of that name. The sending side reads the files of
// the source, the receiving side those that the destination has before anything is copied. [Rules] do not change: those in
// force in a directory are values of their own, see [Rules.In]. If the name of the file begins with a path, such as in
// "/.rsync-filter", the directories above the tree are searched, too; see [Rules.At].
//
// # What differs from rsync
//
// A file in a directory can neither have rules for extended attributes ("x") nor merge files of other directories, and cannot have the directories above searched. A file that cannot be read or understood is an
// error of its directory. Regular expressions, [Builder.ExcludeRegexp], are psync's own.
package filter

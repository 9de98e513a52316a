// Package internal holds the map of psync: what each package is for, and which
// packages it may use. A package imports lower floors only; imports_test.go
// enforces the table below, so a change of the map is a change of this file.
//
//	11 bench    measures psync against the copiers that a machine has
//	11 selftest  tries what a system and a volume really do, and what a copy makes of it
//	10 cli      reads flags, wires the floors below, maps errors to exit codes and hints
//	9 selftest/facts  checks what a system and a volume do that psync goes by
//	9 selftest/copying  checks what becomes of trees when psync copies them
//	9 bench/chart  draws charts
//	8 selftest/tree  makes and compares trees with all metadata, for checks
//	8 operand   parses SOURCE and DEST, refuses what cannot end well, and opens directories
//	9 cli/flags  defines the flags of psync, and what they say together
//	8 cli/cpflags  parses command lines of cp(1)
//	8 cli/argv  rewrites and checks arguments before flags are parsed
//	8 cli/manpage  writes man pages of commands
//	7 selftest/check  runs checks, each in a directory of its own
//	7 ui        renders report events and statistics: bar, lines, summary
//	7 engine    runs workers that claim directories and apply planned steps
//	7 gnucp     copies as cp(1) of the GNU system does, by workers that claim directories
//	6 gnucp/contents  copies files as cp(1) does
//	5 gnucp/attrs  gives copies the attributes that cp(1) gives them
//	4 gnucp/entry  finds entries by paths as cp(1) does
//	5 engine/alias  finds entries of the source whose names the destination may take for one
//	6 engine/pairs  opens pairs of directories, and keeps them open for the tasks below them
//	5 engine/source  finds out which entries of the source take part, and what links are copied as
//	4 engine/backup  keeps what a destination has before it is replaced, rewritten or removed
//	4 engine/dirnames  holds sets of names, and finds those that a file system may take for one
//	5 engine/changed  finds out whether a file changes while it is read
//	6 engine/mirror  decides what is removed from a destination because its source lacks it
//	6 engine/place  makes entries of a destination under their names
//	5 engine/sweep  removes temporaries of earlier runs
//	5 engine/attrs  gives entries of the destination the attributes of those of the source
//	3 engine/hardlink  knows the entries with several names, and who waits for whom
//	4 engine/volume  remembers what is known of each file system that was met
//	4 gnucp/policy  decides, without I/O, what cp(1) does
//	4 walk      has workers deal with tasks, and knows when all are done
//	4 plan      decides, without I/O, what is copied, replaced and removed, and how
//	3 gnucp/listing  holds the entries of a directory in the order of cp(1), in little memory
//	3 gnucp/output  prints what workers say in the order in which one of them would have said it
//	3 metadata  plans and orders attribute changes, by tables for each system
//	3 content   moves and compares the bytes of one file
//	3 localfs   implements vfs on directory descriptors
//	3 delayfs   counts and delays the operations that reach a file system, for tests
//	4 vfs/fstest  holds what every implementation of vfs must keep, and trees as text, for tests
//	3 vfs/memfs  is a file system in memory, like that of Linux or macOS, for tests
//	3 vfs/faultfs  has the operations of a directory fail or take time, for tests
//	2 sys       wraps the system calls that os and x/sys do not offer
//	1 vfs       defines Dir, File, Node, Entry, Attr
//	1 bench/tree  generates, counts and changes the trees that are copied to measure
//	1 selftest/acl  makes ACLs, for checks
//	1 report    defines events, failures and statistics
//	1 pace      paces work: bytes a second, workers at a time
//	1 filter    compiles include and exclude rules
//	1 getopt    parses arguments as getopt_long(3) does
//	1 quote     quotes names as the GNU tools show them
//	1 tempname  names files that are not complete after the process that makes them
//
// The packages of the top floor are programs of their own, called psync-selftest and psync-bench: psync
// links nothing of them, which imports_test.go asserts, too.
//
// Three seams carry the rest: [psync/internal/vfs.Dir] (where bytes live),
// [psync/internal/walk.Pool] (who does what) and [psync/internal/report.Sink]
// (who is told). Decisions are pure and stand in plan, metadata, filter and operand; effects
// stand in engine; system calls stand in sys and localfs; words for people
// stand in cli and ui. Package gnucp stands apart: it keeps the contract of another program, down to
// the order of things and the words, so its decisions (gnucp/policy), effects and words
// (gnucp/output) have rooms of their own; with engine it shares walk, content and all floors below.
// Third-party packages have one room each: cobra in cli, cli/flags and cli/manpage, progressbar and x/term
// in ui, gobwas/glob in filter, x/text in metadata, x/time in pace, go-fuse in delayfs, gonum/plot in
// bench/chart, x/sys in sys and localfs.
//
// # The path of one file
//
//  1. cli turns flags into engine.Options, parses the operands, opens both roots
//     and refuses what cannot end well (overlap, a missing DEST) before anything is touched.
//  2. engine.Run starts N workers. Each claims a directory from the stack of tasks and
//     opens it beneath the roots, one descriptor relative to another.
//  3. The source is listed in chunks of bounded size, so memory does not grow
//     with a directory. Names in a destination that existed before are looked up.
//  4. filter says what takes part, plan what to do with each name; engine applies:
//     subdirectories first, whose tasks go to the stack at once, then files, one after
//     the other. A sync looks at both sides first, and may find nothing to do. While
//     other workers wait for a task, files that nobody has begun with are shared with them.
//  5. content.Copy moves the bytes by the cheapest way the two devices offer.
//  6. With --delete, what the source lacks is removed then: files at once,
//     directories as tasks of their own, emptied by many workers and removed on the
//     way up. With --max-delete all of it is only counted, and removed, by a second
//     look at those directories, when the whole tree is copied.
//  7. What else an entry has than contents is compared and set by a plan of package
//     metadata, in the order that its system needs. Of an entry with several names
//     one worker copies the first, and whoever meets others meanwhile goes on.
//  8. When a directory's own entries are done, its attributes are set. Entries
//     below it do not change them, so nobody waits for a subtree.
//  9. Everything that happened is a report.Event; nothing but a full or read-only
//     destination, or an interrupt, ends a run early.
package internal

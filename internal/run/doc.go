// Package run carries out copies, comparisons and removals from operands as people type them.
//
// A call of [Copy] is a copy from its beginning to its end:
//
//	result, err := run.Copy(ctx, run.Options{
//		Sources:  []string{"photos/"},
//		Dest:     "/backup/photos",
//		Operands: operand.Options{MakeDest: true},
//		Engine:   engine.Options{Keep: metadata.Keep{Mtime: true}},
//	}, nil)
//
// It connects to the hosts of the operands, refuses what cannot end well before anything is touched, opens the
// directories, the logs, the journal and the other files that [Output] names, has the kernel confine the process if that is
// wanted, copies, and completes the files.
//
// A caller that shows something meanwhile takes the steps one by one: [OpenCopy], [OpenComparison] or [OpenRemoval], then
// [Run.Do], [Run.Finish] and [Run.Close]. What is done to entries is reported to a [report.Sink], and counted in
// [Run.Stats]. Failed entries are counted in the result, and are not an error by themselves; with a journal they lead to an
// [IncompleteError], and with MHL to [ErrNoMHL].
//
// The package reads no arguments and no environment, and writes nothing for people but logs. A copy clears the umask of the
// process, and Confine cannot be taken back. Both are for a process that does nothing else.
package run

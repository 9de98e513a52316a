// Package proof prints what a journal proves.
package proof

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"psync/internal/journal"
	"psync/internal/journal/check"
	"psync/internal/quote"
	"psync/internal/run"
	"psync/internal/ui"
)

// WasRefused reports whether the last run did not begin because DST was empty.
func WasRefused(f *journal.File) bool { return f.End != nil && f.End.Status == run.StatusRefused }

func statusLine(out io.Writer, what, format string, args ...any) {
	fmt.Fprintf(out, "%-12s %s\n", what, ui.Escape(fmt.Sprintf(format, args...)))
}

// Print prints what is known of a run.
func Print(out io.Writer, f *journal.File, audit *journal.Audit) {
	line := func(what, format string, args ...any) { statusLine(out, what, format, args...) }
	line("job", "%s", jobLine(f.Job))
	line("runs", "%d, the first from %s", len(f.Sessions), f.Started().Format(time.DateTime))
	line("state", "%s", stateOf(f))
	line("directories", "%s known, %s done, %s failed, %s not done", ui.Count(audit.Found), ui.Count(audit.Done), ui.Count(audit.Failed), ui.Count(audit.Missing))
	line("entries", "%s, %s in files, %s failed", ui.Count(audit.Entries), ui.Size(audit.Bytes), ui.Count(audit.FailedEntries))
	if f.Untrusted > 0 && !f.Running {
		line("not counted", "%s bytes at the end, which are damaged or incomplete, or record what the disk may lack", ui.Count(f.Untrusted))
	}
}

// PrintResult prints whether all is done, or most of the directories that are not.
func PrintResult(out io.Writer, f *journal.File, audit *journal.Audit, most int, complete string) {
	switch {
	case audit.Complete() && WasRefused(f):
		statusLine(out, "result", "unknown: the last run found DST empty, where the journal says that directories are done")
		return
	case audit.Complete():
		statusLine(out, "result", "%s", complete)
		return
	}
	statusLine(out, "result", "incomplete; not done are, with all that is not known yet below:")
	roots := rootNames(f.Job)
	for i, d := range audit.Open {
		if i == most {
			break
		}
		note := ""
		if d.Failed > 0 {
			note = fmt.Sprintf(" (%s failed)", ui.Count(d.Failed))
		}
		name := below(f.Job.Roots[d.Root], d.Path)
		if d.Path == "" {
			name = roots[d.Root]
		}
		fmt.Fprintf(out, "  %s%s\n", ui.Escape(name), note)
	}
	if more := audit.Failed + audit.Missing - int64(min(most, len(audit.Open))); more > 0 {
		fmt.Fprintf(out, "  and %s more\n", ui.Count(more))
	}
}

// rootNames returns what the roots of a job are called. One that is only the directory of operands is called by these, as
// not all of it is part of the job.
func rootNames(job journal.Job) []string {
	operands := make([][]string, len(job.Roots))
	for _, src := range job.Sources {
		in, longest := -1, ""
		for i, root := range job.Roots {
			if prefix := prefixOf(root); len(prefix) > len(longest) && strings.HasPrefix(prefixOf(src), prefix) {
				in, longest = i, prefix
			}
		}
		if in >= 0 {
			operands[in] = append(operands[in], src)
		}
	}
	names := slices.Clone(job.Roots)
	for i, root := range job.Roots {
		isOperand := func(src string) bool { return prefixOf(src) == prefixOf(root) }
		if len(operands[i]) > 0 && !slices.ContainsFunc(operands[i], isOperand) {
			names[i] = strings.Join(quote.Words(operands[i]), " ")
		}
	}
	return names
}

// below returns the path of what is at path below root.
func below(root, path string) string {
	if path == "" {
		return root
	}
	return prefixOf(root) + path
}

// prefixOf returns what the paths of entries below root begin with. Those in the home of another host have no directory.
func prefixOf(root string) string {
	if home := strings.TrimSuffix(root, "."); strings.HasSuffix(home, ":") && !strings.HasPrefix(root, "/") {
		return home
	}
	return strings.TrimSuffix(root, "/") + "/"
}

// jobLine returns the command line of a job.
func jobLine(j journal.Job) string {
	args := []string{}
	if j.Verb != "" {
		args = append(args, j.Verb)
	}
	args = append(args, j.Settings...)
	return quote.CommandLine(append(append(args, j.Sources...), j.Dest))
}

// stateOf says what becomes of the last run.
func stateOf(f *journal.File) string {
	last := f.Sessions[len(f.Sessions)-1]
	switch {
	case f.Running:
		return fmt.Sprintf("at work since %s, process %d of %s", last.Started.Format(time.DateTime), last.PID, last.Host)
	case f.End == nil:
		return "the last run was killed, or its system has crashed"
	}
	return fmt.Sprintf("the last run ended at %s with status %d", f.End.Ended.Format(time.DateTime), f.End.Status)
}

// PrintChecked prints what of a journal is not so in DST.
func PrintChecked(out io.Writer, job journal.Job, r *check.Result, most int) {
	statusLine(out, "in DST", "%s directories found, %s not as the journal says", ui.Count(r.Found), ui.Count(int64(len(r.Wrong))))
	for _, w := range r.Wrong[:min(most, len(r.Wrong))] {
		fmt.Fprintf(out, "  %s: %s\n", ui.Escape(below(job.Copies[w.Root], w.Path)), ui.Escape(w.Err.Error()))
	}
	if more := len(r.Wrong) - most; more > 0 {
		fmt.Fprintf(out, "  and %s more\n", ui.Count(int64(more)))
	}
}

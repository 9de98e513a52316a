// Package overview shows the state of a job that hosts share.
package overview

import (
	"fmt"
	"strings"
	"time"

	"psync/internal/queue"
	"psync/internal/ui"
)

// phases says what hosts do in the phases of a job.
var phases = [...]string{
	queue.Copy: "copying", queue.Link: "making hard links", queue.Remove: "removing", queue.Last: "setting last attributes",
	queue.Audit: "being audited",
}

// Lines returns what people want to know of a job: how far it has come, how fast it is, and what each host works on. lease
// is that of the queue.
func Lines(s queue.State, lease time.Duration) []string {
	lines := []string{head(s)}
	journal := journalOf(s)
	if journal != nil {
		known := *journal
		if s.Round.N <= 1 {
			known.Missing = 0 // the audit before the first round finds that everything is
		}
		lines = append(lines, directories(known))
	}
	if line := amounts(s, journal, lease); line != "" {
		lines = append(lines, line)
	}
	if s.Closed {
		return lines
	}
	if len(s.Members) == 0 {
		lines = append(lines, "no host works on it")
	}
	if journal == nil {
		lines = append(lines, "no host keeps the journal, so the job does not end: type the command with --journal on one of them")
	}
	width := 0
	for _, m := range s.Members {
		width = max(width, len([]rune(ui.Escape(m.Name))))
	}
	for _, m := range s.Members {
		lines = append(lines, fmt.Sprintf("%-*s  %s", width, ui.Escape(m.Name), doing(m, s.Round, lease)))
	}
	for _, m := range s.Members {
		for _, c := range m.Hanging {
			lines = append(lines, ui.Escape(m.Name)+": "+hangs(c))
		}
	}
	return lines
}

// hangs describes a call that has not returned, or work that gets no further by a call that is not known.
func hangs(c queue.Call) string {
	if c.Name == "" {
		return fmt.Sprintf("%s gets no further for %s", ui.Escape(c.Path), ui.About(c.For))
	}
	return fmt.Sprintf("%s of %s has not returned for %s", ui.Escape(c.Name), ui.Escape(c.Path), ui.About(c.For))
}

// head describes the job itself.
func head(s queue.State) string {
	switch {
	case s.Closed:
		return fmt.Sprintf("ended with exit status %d", s.Status)
	case s.Round.N == 0:
		return "not begun"
	case int(s.Round.Phase) >= len(phases):
		return fmt.Sprintf("round %d", s.Round.N)
	}
	return fmt.Sprintf("round %d, %s: %s in work, %s waiting", s.Round.N, phases[s.Round.Phase],
		ui.Things(int64(s.Held), "bundle", "bundles"), ui.Count(int64(s.Waiting)))
}

// journalOf returns what the journal proves, or nil if no member keeps it. After the keeper was started on another host, the
// earlier one may still be a member.
func journalOf(s queue.State) *queue.Progress {
	var latest *queue.Member
	for i, m := range s.Members {
		if m.Journal != nil && (latest == nil || m.Age < latest.Age) {
			latest = &s.Members[i]
		}
	}
	if latest == nil {
		return nil
	}
	return latest.Journal
}

// directories says how many directories are done.
func directories(p queue.Progress) string {
	line := fmt.Sprintf("%s of %s done", ui.Count(p.Done), ui.Things(p.Found, "directory", "directories"))
	if p.Failed > 0 {
		line += fmt.Sprintf(", %s failed", ui.Count(p.Failed))
	}
	if p.Missing > 0 {
		line += fmt.Sprintf(", %s missing by the last audit", ui.Count(p.Missing))
	}
	return line
}

// total adds the figures of the members, and of those that are gone. Of one that is lost, the rate counts no more.
func total(s queue.State, journal *queue.Progress, lease time.Duration) (t queue.Figures) {
	add := func(f queue.Figures) {
		t.Files += f.Files
		t.Bytes += f.Bytes
		t.Removed += f.Removed
		t.Failed += f.Failed
	}
	for _, m := range s.Members {
		add(m.Figures)
		if m.Age < lease {
			t.Rate += m.Figures.Rate
		}
	}
	if journal != nil {
		add(journal.Gone)
	}
	return t
}

// amounts says how many files and bytes are done, how fast that is, and how long the rest takes.
func amounts(s queue.State, journal *queue.Progress, lease time.Duration) string {
	t := total(s, journal, lease)
	var p queue.Progress
	if journal != nil {
		p = *journal
	}
	var parts []string
	switch {
	case p.Files > 0:
		parts = append(parts, fmt.Sprintf("%s of %s, %s of %s", ui.Count(t.Files), ui.Things(p.Files, "file", "files"), ui.Size(t.Bytes), ui.Size(p.Bytes)))
	case t.Files > 0:
		parts = append(parts, ui.Things(t.Files, "file", "files")+", "+ui.Size(t.Bytes))
	}
	if t.Removed > 0 {
		parts = append(parts, ui.Count(t.Removed)+" removed")
	}
	if t.Failed > 0 {
		parts = append(parts, ui.Count(t.Failed)+" failed")
	}
	if t.Rate > 0 && !s.Closed {
		parts = append(parts, ui.Size(t.Rate)+"/s")
	}
	if left := Left(t, p); left > 0 && !s.Closed {
		parts = append(parts, "about "+ui.About(left)+" left")
	}
	return strings.Join(parts, ", ")
}

// Left returns how long the rest of a job takes if it goes on as before, or 0 if that is not known. Files cost time, and
// bytes do: what takes longer counts.
func Left(done queue.Figures, p queue.Progress) time.Duration {
	if p.Files == 0 || p.Elapsed <= 0 {
		return 0
	}
	byBytes, byFiles := time.Duration(0), time.Duration(0)
	if rest := p.Bytes - done.Bytes; rest > 0 && done.Rate > 0 {
		byBytes = seconds(float64(rest) / float64(done.Rate))
	}
	if rest := p.Files - done.Files; rest > 0 && done.Files > 0 {
		byFiles = seconds(p.Elapsed.Seconds() * float64(rest) / float64(done.Files))
	}
	return max(byBytes, byFiles)
}

// seconds returns a duration, at most a hundred years.
func seconds(s float64) time.Duration {
	const most = 100 * 365 * 24 * time.Hour
	return time.Duration(min(s, most.Seconds()) * float64(time.Second))
}

// doing says what a member does.
func doing(m queue.Member, r queue.Round, lease time.Duration) string {
	var parts []string
	switch {
	case m.Age >= lease:
		return fmt.Sprintf("lost: silent for %s, others go on with its directories", ui.About(m.Age))
	case m.Age >= lease/2:
		parts = append(parts, fmt.Sprintf("silent for %s, lost in %s", ui.About(m.Age), ui.About(lease-m.Age)))
	case r.N == 0:
		parts = append(parts, "has joined")
	case m.Finished >= r.N:
		parts = append(parts, "has finished the round")
	case m.Hungry:
		parts = append(parts, "has nothing to do")
	case m.At != "":
		parts = append(parts, "at "+ui.Escape(m.At))
	default:
		parts = append(parts, "at work")
	}
	if f := m.Figures; f.Files > 0 {
		parts = append(parts, ui.Things(f.Files, "file", "files"), ui.Size(f.Bytes))
	}
	if m.Figures.Failed > 0 {
		parts = append(parts, ui.Count(m.Figures.Failed)+" failed")
	}
	if m.Figures.Rate > 0 {
		parts = append(parts, ui.Size(m.Figures.Rate)+"/s")
	}
	if m.Journal != nil {
		parts = append(parts, "keeps the journal")
	}
	return strings.Join(parts, ", ")
}

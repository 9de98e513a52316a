package ui

import (
	"fmt"
	"io"
	"strings"
	"time"

	"psync/internal/filter"
	"psync/internal/report"
	"psync/internal/ui/info"
	"psync/internal/ui/order"
)

// RsyncLines says which lines of rsync are written, in addition to those that list what is done.
type RsyncLines struct {
	Info, Debug info.Levels
	Current     bool   // a format with %i lists entries that are up to date, too
	WholeFile   bool   // files are copied as a whole
	BackupDir   string // as typed; "": backups stay where their entries are
	DryRun      bool
	Removes     order.Phase
}

// rsyncLines are the lines about entries, for the level of a kind in --info. In the formats, %n is the name, %d "directory" or
// "file", and %t the target of a link or the path of a backup.
var rsyncLines = [...]struct {
	kind   report.Kind
	why    report.Reason
	info   info.Kind
	level  int
	format string
}{
	{report.SetAttr, 0, info.Name, 2, "%n"},
	{report.Delete, 0, info.Del, 1, "deleting %n"},
	{report.Skip, 0, info.Nonreg, 1, `skipping non-regular file "%n"`},
	{report.Skip, report.Unsafe, info.Name, 1, `ignoring unsafe symlink "%n" -> "%t"`},
	{report.RemovedSource, 0, info.Remove, 1, "sender removed %n"},
	{report.Current, 0, info.Name, 2, "%n is uptodate"},
	{report.Omit, report.NotInDest, info.Skip, 1, `not creating new %d "%n"`},
	{report.Omit, report.InDest, info.Skip, 1, "%n exists"},
	{report.Omit, report.OlderThan, info.Skip, 1, "%n is newer"},
	{report.Omit, report.OverMax, info.Skip, 1, "%n is over max-size"},
	{report.Omit, report.UnderMin, info.Skip, 1, "%n is under min-size"},
	{report.BackUp, 0, info.Backup, 1, "backed up %n to %t"},
	{report.Hide, 0, info.DebugFilter, 1, "[sender] hiding %d %n because of pattern %t"},
	{report.Show, 0, info.DebugFilter, 1, "[sender] showing %d %n because of pattern %t"},
	{report.Protect, 0, info.DebugFilter, 1, "[generator] protecting %d %n because of pattern %t"},
	{report.Risk, 0, info.DebugFilter, 1, "[generator] risking %d %n because of pattern %t"},
}

// appendLine appends the line about an event, if there is one.
func (l *RsyncLines) appendLine(line []byte, e report.Event) []byte {
	for _, about := range rsyncLines {
		if about.kind != e.Kind || about.why != e.Why || l.level(about.info) < about.level {
			continue
		}
		name, target, what := relative(e), e.Target, "file"
		switch {
		case e.IsDir && (e.Kind == report.Delete || e.Basis != nil):
			name += "/"
		case e.IsDir:
			what = "directory"
		}
		switch {
		case e.Kind == report.BackUp && l.BackupDir != "":
			target = strings.TrimRight(l.BackupDir, "/") + "/" + target
		case e.Kind >= report.Hide && target == "":
			target = "<rule from a file read earlier>"
		}
		expand := strings.NewReplacer("%n", string(appendAsRsync(nil, name)), "%t", string(appendAsRsync(nil, target)), "%d", what)
		return append(append(line, expand.Replace(about.format)...), '\n')
	}
	return line
}

// Hidden writes that a rule leaves out an operand.
func (l *RsyncLines) Hidden(w io.Writer, name string, isDir bool, by filter.Match) {
	_, _ = w.Write(l.appendLine(nil, report.Event{Kind: report.Hide, Name: name, IsDir: isDir, Target: by.Pattern}))
}

// level returns the level of a kind of lines.
func (l *RsyncLines) level(k info.Kind) int {
	if k == info.DebugFilter {
		return l.Debug[k]
	}
	return l.Info[k]
}

// wants returns the events that the lines are about. listed are the steps that a format lists.
func (l *RsyncLines) wants(listed bool) report.Wants {
	return report.Wants{
		Steps: listed || l.Info[info.Del] > 0 || l.Info[info.Remove] > 0,
		Rest:  listed && l.Current || l.Info[info.Name] > 1 || l.Info[info.Skip] > 0 || l.Info[info.Backup] > 0 || l.level(info.DebugFilter) > 0,
	}
}

// eventAsRsync writes what rsync writes about an event, and reports whether there is nothing else to do about it.
func (p *Printer) eventAsRsync(e report.Event) (done bool) {
	listed, itemizes := p.line != nil, p.config.OutFormat.Itemizes()
	about, current, isNow := true, e.Kind == report.Current, false
	switch e.Kind {
	case report.Expect, report.Done:
		if p.lines != nil {
			p.lines.Work(e)
		}
		return true
	case report.Fail:
		if p.lines != nil && !e.IsDir { // what was removed has made room for it
			p.list(e, order.Generator, nil)
		}
	case report.Mkdir, report.Copy, report.Replace, report.Symlink, report.Link:
		isFile := entryType(e) == 'f'
		isNow = isFile && e.Basis != nil && e.Basis.Diff == report.DiffNow // which is listed all the same
		if e.Basis == nil || e.Basis.Diff != 0 && !isNow || isFile && !e.Basis.Same {
			return false
		}
		about, current = !itemizes, !isNow // in another tree
	case report.Delete:
		about = !listed
	case report.SetAttr, report.Current:
		about = !itemizes && !e.IsDir
	}
	if current && itemizes && p.config.Rsync.Current {
		p.step(e)
	}
	if current || isNow {
		e.Kind = report.Current
	}
	if about {
		if line := p.config.Rsync.appendLine(nil, p.original(e)); line != nil {
			class := order.Generator
			switch e.Kind {
			case report.RemovedSource, report.Hide, report.Show:
				class = order.Sender
			}
			p.list(e, class, line)
		}
	}
	return !isNow && (e.Kind == report.Skip || e.Kind >= report.RemovedSource)
}

// BeginFiles writes what comes after the list of files, before any entry is copied. newBackupDir says that the directory for backups does
// not exist yet.
func (l *RsyncLines) BeginFiles(w io.Writer, newBackupDir bool) {
	switch {
	case l.BackupDir == "" || l.Info[info.Backup] == 0:
	case newBackupDir:
		fmt.Fprintf(w, "(new) backup_dir is %s\n", Escape(l.BackupDir))
	default:
		fmt.Fprintf(w, "backup_dir is %s\n", Escape(l.BackupDir))
	}
	switch {
	case l.Debug[info.Flist] == 0:
	case l.WholeFile:
		_, _ = io.WriteString(w, "delta-transmission disabled for local transfer or --whole-file\n")
	default:
		_, _ = io.WriteString(w, "delta-transmission enabled\n")
	}
}

// End writes the figures. There is neither a list of files that is sent nor a protocol whose bytes could be counted, so what
// was sent are the contents that were moved.
func (l *RsyncLines) End(w io.Writer, t report.Totals, d time.Duration) {
	total, sent := t[report.BytesSeen]+t[report.LinkBytes], t[report.BytesCopied]
	dry := ""
	if l.DryRun {
		dry, sent = " (DRY RUN)", 0
	}
	if l.Debug[info.DebugDeltasum] > 0 && l.WholeFile {
		fmt.Fprintf(w, "total: matches=0  hash_hits=0  false_alarms=0 data=%d\n", sent)
	}
	if l.Info[info.Stats] > 1 {
		_, _ = io.WriteString(w, "\n")
		numbersOfFiles(w, t)
		for _, line := range []struct{ label, value string }{
			{"Number of regular files transferred", Count(t[report.FilesCopied])},
			{"Total file size", Count(total) + " bytes"},
			{"Total transferred file size", Count(t[report.BytesCopied]) + " bytes"},
			{"Literal data", Count(sent) + " bytes"},
			{"Matched data", "0 bytes"},
			{"File list size", "0"},
			{"File list generation time", "0.000 seconds"},
			{"File list transfer time", "0.000 seconds"},
			{"Total bytes sent", Count(sent)},
			{"Total bytes received", "0"},
		} {
			fmt.Fprintf(w, "%s: %s\n", line.label, line.value)
		}
	}
	if l.Info[info.Stats] == 0 {
		return
	}
	speedup := float64(total) / float64(max(sent, 1))
	rate := int64(float64(sent) / max(d.Seconds(), 0.5))
	fmt.Fprintf(w, "\nsent %s bytes  received 0 bytes  %s.00 bytes/sec\n", Count(sent), Count(rate))
	fmt.Fprintf(w, "total size is %s  speedup is %.2f%s\n", Count(total), speedup, dry)
}

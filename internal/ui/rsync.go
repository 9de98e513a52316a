package ui

import (
	"fmt"
	"io"
	"time"

	"psync/internal/report"
)

// appendSkipAsRsync appends what rsync says of an entry that is left out.
func appendSkipAsRsync(line []byte, e report.Event) []byte {
	name := appendAsRsync(nil, relative(e))
	if e.Err == nil {
		return fmt.Appendf(line, "skipping non-regular file \"%s\"\n", name)
	}
	return fmt.Appendf(line, "ignoring unsafe symlink \"%s\" -> \"%s\"\n", name, appendAsRsync(nil, e.Target))
}

// RsyncFigures writes what rsync says at the beginning and at the end of a run.
type RsyncFigures struct {
	List   bool // -v, and directories are copied
	Names  bool // -v
	Stats  bool // --stats
	DryRun bool
}

// Begin writes the line that comes before the list of entries. In rsync, copying begins before the list of files is complete
// if that streams.
func (f RsyncFigures) Begin(w io.Writer, receives, streams bool) {
	switch {
	case !f.List:
	case receives && streams:
		_, _ = io.WriteString(w, "receiving incremental file list\n")
	case receives:
		_, _ = io.WriteString(w, "receiving file list ... done\n")
	case streams:
		_, _ = io.WriteString(w, "sending incremental file list\n")
	default:
		_, _ = io.WriteString(w, "building file list ... done\n")
	}
}

// End writes the figures. There is neither a list of files that is sent nor a protocol whose bytes could be counted, so what
// was sent are the contents that were moved.
func (f RsyncFigures) End(w io.Writer, t report.Totals, d time.Duration) {
	total, sent := t[report.BytesSeen]+t[report.LinkBytes], t[report.BytesCopied]
	dry := ""
	if f.DryRun {
		dry, sent = " (DRY RUN)", 0
	}
	if f.Stats {
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
	if !f.Names && !f.Stats {
		return
	}
	speedup := float64(total) / float64(max(sent, 1))
	rate := int64(float64(sent) / max(d.Seconds(), 0.5))
	fmt.Fprintf(w, "\nsent %s bytes  received 0 bytes  %s.00 bytes/sec\n", Count(sent), Count(rate))
	fmt.Fprintf(w, "total size is %s  speedup is %.2f%s\n", Count(total), speedup, dry)
}

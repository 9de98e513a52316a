package ui

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"psync/internal/report"
)

// Stats writes the figures of a run. It uses the words of rsync's --stats where rsync has the same figures, so
// that scripts which parse them keep working.
func Stats(w io.Writer, t report.Totals, d time.Duration) error {
	var b bytes.Buffer
	line := func(label, value string) { fmt.Fprintf(&b, "%s: %s\n", label, value) }

	numbersOfFiles(&b, t)
	line("Number of replaced files", Count(t[report.Replaced]))
	line("Number of hard links made", Count(t[report.HardLinked]))
	line("Number of regular files transferred", Count(t[report.FilesCopied]))
	if n := t[report.Verified]; n > 0 {
		line("Number of verified files", Count(n))
	}
	line("Number of current regular files", Count(t[report.FilesKept]))
	line("Number of attribute updates", Count(t[report.AttrsSet]))
	line("Number of failed files", Count(t[report.Failed]))
	line("Number of vanished files", Count(t[report.Vanished]))
	line("Number of attributes not kept", Count(t[report.Unkeeps]))
	line("Total file size", Count(t[report.BytesSeen]+t[report.LinkBytes])+" bytes")
	line("Total transferred file size", Count(t[report.BytesCopied])+" bytes")
	line("Elapsed time", elapsed(d))
	if rate := perSecond(t[report.BytesCopied], d); rate != "" {
		files := int64(float64(t[report.FilesCopied]) / d.Seconds())
		line("Transfer rate", rate+", "+Count(files)+" files/s")
	}
	_, err := w.Write(b.Bytes())
	return err
}

// numbersOfFiles writes how many entries there are, are made and removed, as rsync does.
func numbersOfFiles(w io.Writer, t report.Totals) {
	line := func(what, value string) { fmt.Fprintf(w, "Number of %s: %s\n", what, value) }
	line("files", kinds(t[report.FilesSeen], t[report.DirsSeen], t[report.LinksSeen], t[report.SpecialsSeen]))
	line("created files", kinds(t[report.FilesMade], t[report.DirsMade]+t[report.RootsMade], t[report.LinksMade], t[report.SpecialsMade]))
	line("deleted files", kinds(t[report.FilesDeleted], t[report.DirsDeleted], t[report.LinksDeleted], t[report.SpecialsDeleted]))
}

// kinds returns a sum and its parts, leaving out parts that are zero.
func kinds(reg, dir, link, special int64) string {
	s := Count(reg + dir + link + special)
	sep := " ("
	for _, k := range []struct {
		name string
		n    int64
	}{{"reg", reg}, {"dir", dir}, {"link", link}, {"special", special}} {
		if k.n != 0 {
			s += sep + k.name + ": " + Count(k.n)
			sep = ", "
		}
	}
	if sep == ", " {
		s += ")"
	}
	return s
}

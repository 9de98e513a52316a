package record

import (
	"os"
	"strconv"
	"time"

	"psync/internal/report"
	"psync/internal/ui"
)

// appendPrefix appends the time and the process number, as rsync has them in its log file.
func appendPrefix(b []byte, now time.Time) []byte {
	b = now.Local().AppendFormat(b, "2006/01/02 15:04:05 [")
	b = strconv.AppendInt(b, int64(os.Getpid()), 10)
	return append(b, "] "...)
}

// appendText appends the line of an event for people, or nothing.
func (r *Recorder) appendText(b []byte, e report.Event, now time.Time) []byte {
	start := len(b)
	b = appendPrefix(b, now)
	prefixed := len(b)
	switch {
	case e.Kind <= report.Delete:
		if r.step != nil {
			b = r.step(b, e)
		}
	default:
		b = append(b, kindNames[e.Kind]...)
		b = append(b, ' ')
		b = append(b, ui.Escape(e.Path())...)
		if e.Attr != 0 {
			b = append(b, ": "+e.Attr.String()...)
		}
		if e.Err != nil {
			b = append(b, ": "+ui.Escape(ui.Describe(e.Err))...)
		}
		b = append(b, '\n')
	}
	if len(b) == prefixed {
		return b[:start]
	}
	return b
}

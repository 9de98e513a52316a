package page

import (
	"strings"
	"time"

	"psync/internal/ui"
)

func count(n int64) string { return ui.Count(n) }

func size(n int64) string { return ui.Size(n) }

func seconds(s float64) string {
	switch d := time.Duration(s * float64(time.Second)); {
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return d.Round(100 * time.Millisecond).String()
	default:
		return d.Round(time.Second).String()
	}
}

func commandLine(args []string) string {
	line := "psync"
	for _, arg := range args {
		line += " " + ui.Escape(arg)
	}
	return line
}

func lacks(o *Operand) string {
	if o == nil {
		return ""
	}
	return strings.Join(o.Lacks, ", ")
}

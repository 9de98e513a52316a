package page

import (
	"strings"
	"time"

	"psync/internal/record"
	"psync/internal/ui"
)

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

func lacks(o *record.Operand) string {
	if o == nil {
		return ""
	}
	return strings.Join(o.Lacks, ", ")
}

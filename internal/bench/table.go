package bench

import (
	"fmt"
	"slices"
	"strings"
)

// markdown renders the section: a title, a sentence and a table.
func (s section) markdown() string {
	table := s.figures()
	if len(s.columns) > 1 {
		table = s.byLatency()
	}
	return fmt.Sprintf("**%s**: %s. %s.\n\n%s\n", s.title(), s.about, s.kind.about(), table)
}

// figures renders all figures of a section with one column.
func (s section) figures() string {
	tools := s.columns[0].tools
	withKeeps := s.kind != deleting // a deletion keeps nothing
	lines := table{{"tool", "keeps", "median s", "× " + s.baseline, "min–max", "CPU s", "peak RSS MiB"}}
	for _, i := range s.order() {
		lines = append(lines, tools[i].row())
	}
	if withKeeps {
		return lines.markdown(2)
	}
	for i, line := range lines {
		lines[i] = append(line[:1:1], line[2:]...)
	}
	return lines.markdown(1)
}

func (s summary) row() []string {
	if s.failure != "" {
		return []string{s.label, s.keeps, "failed: " + s.failure, "", "", "", ""}
	}
	ratio, span := "–", "–"
	if s.ratio.median > 0 {
		ratio = fmt.Sprintf("%.2f", s.ratio.median)
		span = fmt.Sprintf("%.2f–%.2f", s.ratio.min, s.ratio.max)
	}
	rss := fmt.Sprintf("%.1f", float64(s.rss)/(1<<20))
	if s.rss <= s.rssFloor {
		rss = fmt.Sprintf("≤ %.1f", float64(s.rssFloor)/(1<<20))
	}
	return []string{s.label, s.keeps, fmt.Sprintf("%.3f", s.wall.median), ratio, span, fmt.Sprintf("%.2f", s.cpu), rss}
}

// byLatency renders the times of a section, with a pair of columns for each latency.
func (s section) byLatency() string {
	head := []string{"tool"}
	for _, c := range s.columns {
		head = append(head, milliseconds(c.latency)+": s", "× "+s.baseline)
	}
	lines := table{head}
	for _, i := range s.order() {
		line := []string{s.columns[0].tools[i].label}
		for _, c := range s.columns {
			cells := c.tools[i].row()
			if c.tools[i].failure == "" && c.tools[i].ratio.median > 0 {
				cells[3] += " (" + cells[4] + ")"
			}
			line = append(line, cells[2], cells[3])
		}
		lines = append(lines, line)
	}
	return lines.markdown(1)
}

// A table consists of rows of cells. The first row is the header.
type table [][]string

// markdown renders t. The first left columns hold text, the others numbers. It omits empty columns, such as
// ratios without a baseline.
func (t table) markdown(left int) string {
	var b strings.Builder
	t = t.said()
	for i, line := range t {
		for _, text := range line {
			b.WriteString("| " + cell(text) + " ")
		}
		b.WriteString("|\n")
		if i == 0 {
			b.WriteString(strings.Repeat("|:--", left) + strings.Repeat("|--:", len(line)-left) + "|\n")
		}
	}
	return b.String()
}

// said returns t without columns that are empty or hold only dashes.
func (t table) said() table {
	kept := make(table, len(t))
	for column := range t[0] {
		says := func(line []string) bool { return strings.Trim(line[column], "–") != "" }
		if !slices.ContainsFunc(t[1:], says) {
			continue
		}
		for i, line := range t {
			kept[i] = append(kept[i], line[column])
		}
	}
	return kept
}

// cell escapes text for a cell of a table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(text)
}

package bench

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A report writes tables in Markdown.
type report struct {
	out     io.Writer
	command string // the command line that made it
	setting string // where it was made
}

// setting describes this machine and how it is used.
func setting(place string, rounds int) string {
	return fmt.Sprintf("%s %s, %d cores; copies go to %s; %d rounds", system(), runtime.GOARCH, runtime.NumCPU(), place, rounds)
}

// write writes the section of one workload.
func (r report) write(w workload, results []*result) error {
	_, err := fmt.Fprintf(r.out, "## %s\n\n%s: %s.\n%s.\n\n    %s\n\n%s\n",
		w.name, w.about, w.size, r.setting, r.command, table(results))
	return err
}

// table renders results: psync first, then by time, those that failed last.
func table(results []*result) string {
	var base *result
	rows := make([]row, len(results))
	if i := slices.IndexFunc(results, func(r *result) bool { return r.name == baselineName }); i >= 0 {
		base = results[i]
	}
	for i, r := range results {
		rows[i] = newRow(r, base)
	}
	slices.SortStableFunc(rows, row.compare)

	var b strings.Builder
	b.WriteString("| tool | keeps | median s | min–max s | × " + baselineName + " | CPU s | peak RSS MiB |\n")
	b.WriteString("|:--|:--|--:|--:|--:|--:|--:|\n")
	for _, r := range rows {
		b.WriteString(r.String())
	}
	return b.String()
}

// A row is a line of a table, figures in seconds and bytes.
type row struct {
	name, keeps      string
	failure          string // if any, there are no figures
	median, min, max float64
	ratio            float64 // 0 if there is nothing to compare with
	cpu              float64
	rss, rssFloor    int64
}

func newRow(r, base *result) row {
	line := row{name: r.name, keeps: r.keeps}
	if len(r.lost) > 0 {
		line.keeps += ", loses " + strings.Join(r.lost, " and ")
	}
	if r.err != nil {
		line.failure = r.err.Error()
		return line
	}
	wall := seconds(r, usage.elapsed)
	line.median, line.min, line.max = median(wall), slices.Min(wall), slices.Max(wall)
	line.cpu = median(seconds(r, usage.cpu))
	if base != nil && base.err == nil {
		line.ratio = median(ratios(wall, seconds(base, usage.elapsed)))
	}
	for _, u := range r.runs {
		line.rss, line.rssFloor = max(line.rss, u.rss), max(line.rssFloor, u.rssFloor)
	}
	return line
}

// seconds returns one figure of each run.
func seconds(r *result, figure func(usage) time.Duration) []float64 {
	all := make([]float64, len(r.runs))
	for i, u := range r.runs {
		all[i] = figure(u).Seconds()
	}
	return all
}

// compare orders rows as table promises.
func (r row) compare(s row) int {
	return cmp.Or(r.rank()-s.rank(), cmp.Compare(r.median, s.median))
}

func (r row) rank() int {
	switch {
	case r.name == psyncName:
		return 0
	case r.failure == "":
		return 1
	default:
		return 2
	}
}

func (r row) String() string {
	if r.failure != "" {
		return fmt.Sprintf("| %s | %s | failed: %s | | | | |\n", cell(r.name), r.keeps, cell(r.failure))
	}
	ratio := "–"
	if r.ratio > 0 {
		ratio = fmt.Sprintf("%.2f", r.ratio)
	}
	rss := fmt.Sprintf("%.1f", float64(r.rss)/(1<<20))
	if r.rss <= r.rssFloor {
		rss = fmt.Sprintf("≤ %.1f", float64(r.rssFloor)/(1<<20))
	}
	return fmt.Sprintf("| %s | %s | %.3f | %.3f–%.3f | %s | %.2f | %s |\n",
		cell(r.name), r.keeps, r.median, r.min, r.max, ratio, r.cpu, rss)
}

// cell makes text safe for a cell of a table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(text)
}

// median returns the middle of values, which are not empty.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}

// ratios divides each value by that of the same round.
func ratios(values, base []float64) []float64 {
	all := make([]float64, len(values))
	for i := range values {
		all[i] = values[i] / base[i]
	}
	return all
}

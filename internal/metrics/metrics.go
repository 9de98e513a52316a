// Package metrics serves the state of a run in the text format of Prometheus.
//
// The format is that of https://prometheus.io/docs/instrumenting/exposition_formats/, version 0.0.4.
package metrics

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"psync/internal/report"
)

// A Run provides the state of a run. Its functions must be safe for concurrent use.
type Run struct {
	Version string
	Started time.Time
	Stats   *report.Stats

	Workers     func() int           // number of workers
	Busy        func() int           // workers that are not idle
	Unclaimed   func() int           // directories that no worker has started on
	Outages     func() int64         // outages of volumes so far
	Repeated    func() int64         // calls that were made again after an error
	Unreachable func() int           // volumes that the run is waiting for
	LongestCall func() time.Duration // the age of the oldest pending call to a network volume

	// SourceCalls and DestCalls count calls to network volumes, and requests to a psync on another host.
	SourceCalls, DestCalls *report.Durations
}

// A sample is a value of a metric.
type sample struct {
	labels string // such as type="file"; may be ""
	value  float64
}

// counts are the counts of the statistics by family.
var counts = []struct {
	name, help string
	of         []labelled
}{
	{"psync_entries_seen_total", "Entries of the source that a worker has come to.", []labelled{
		{`type="directory"`, report.DirsSeen}, {`type="file"`, report.FilesSeen}, {`type="link"`, report.LinksSeen}, {`type="special"`, report.SpecialsSeen},
	}},
	{"psync_seen_bytes_total", "Size of the files seen.", []labelled{{"", report.BytesSeen}}},
	{"psync_entries_made_total", "Entries that the destination did not have.", []labelled{
		{`type="directory"`, report.DirsMade},
		{`type="file"`, report.FilesMade},
		{`type="link"`, report.LinksMade},
		{`type="special"`, report.SpecialsMade},
		{`type="hardlink"`, report.HardLinked},
	}},
	{"psync_entries_replaced_total", "Entries of the destination that were replaced.", []labelled{{"", report.Replaced}}},
	{"psync_attribute_updates_total", "Entries that were current but for attributes.", []labelled{{"", report.AttrsSet}}},
	{"psync_files_copied_total", "Files whose contents were copied.", []labelled{{"", report.FilesCopied}}},
	{"psync_copied_bytes_total", "Bytes that were copied, those of files in hand included.", []labelled{{"", report.BytesCopied}}},
	{"psync_files_current_total", "Files that were current.", []labelled{{"", report.FilesKept}}},
	{"psync_current_bytes_total", "Size of the files that were current, or made as hard links.", []labelled{{"", report.BytesKept}}},
	{"psync_files_skipped_total", "Files that were left alone, as flags want it.", []labelled{{"", report.FilesSkipped}}},
	{"psync_skipped_bytes_total", "Size of the files that were left alone, as far as it is known.", []labelled{{"", report.BytesSkipped}}},
	{"psync_files_verified_total", "Files that were read back and were equal.", []labelled{{"", report.Verified}}},
	{"psync_files_mismatched_total", "Files that were copied once more because they did not read back as written.", []labelled{{"", report.Mismatched}}},
	{"psync_entries_removed_total", "Entries that were removed.", []labelled{
		{`type="directory"`, report.DirsDeleted}, {`type="file"`, report.FilesDeleted}, {`type="link"`, report.LinksDeleted}, {`type="special"`, report.SpecialsDeleted},
	}},
	{"psync_failures_total", "Entries that failed.", []labelled{{"", report.Failed}}},
	{"psync_vanished_total", "Entries of the source that were gone when their turn came.", []labelled{{"", report.Vanished}}},
	{"psync_attributes_not_kept_total", "Attributes asked for that the destination cannot keep.", []labelled{{"", report.Unkeeps}}},
}

type labelled struct {
	labels string
	count  report.Count
}

// Write writes the metrics of a run.
func (r *Run) Write(w io.Writer) error {
	totals := r.Stats.Totals()
	var b strings.Builder
	for _, c := range counts {
		var samples []sample
		for _, l := range c.of {
			samples = append(samples, sample{l.labels, float64(totals[l.count])})
		}
		write(&b, c.name, "counter", c.help, samples...)
	}
	known := 0
	if r.Stats.Expected.Known.Load() {
		known = 1
	}
	for _, g := range []struct {
		name, help string
		value      float64
	}{
		{"psync_expected_files", "Files of the source that were counted so far.", float64(r.Stats.Expected.Files.Load())},
		{"psync_expected_bytes", "Their size.", float64(r.Stats.Expected.Bytes.Load())},
		{"psync_expected_known", "1 if all files of the source were counted.", float64(known)},
		{"psync_unfinished_bytes", "Bytes of files in hand that are not copied yet.", float64(max(0, totals[report.BytesLeft]))},
		{"psync_workers", "Workers that may be at work.", float64(r.Workers())},
		{"psync_workers_busy", "Workers that have a directory or an entry in hand.", float64(r.Busy())},
		{"psync_directories_waiting", "Directories that are known and that no worker has begun with.", float64(r.Unclaimed())},
		{"psync_volumes_unreachable", "Volumes that do not answer and are waited for.", float64(r.Unreachable())},
		{"psync_longest_call_seconds", "How long the oldest call to a volume of the network has not returned.", r.LongestCall().Seconds()},
		{"psync_start_time_seconds", "When the run began, in seconds since 1970.", float64(r.Started.UnixMilli()) / 1000},
	} {
		write(&b, g.name, "gauge", g.help, sample{value: g.value})
	}
	write(&b, "psync_outages_total", "counter", "Times that a volume did not answer.", sample{value: float64(r.Outages())})
	write(&b, "psync_calls_repeated_total", "counter", "Calls to volumes of the network that were made again after an error.",
		sample{value: float64(r.Repeated())})
	r.writeCalls(&b)
	write(&b, "psync_build_info", "gauge", "The version of psync.", sample{"version=" + quoted(r.Version), 1})
	_, err := io.WriteString(w, b.String())
	return err
}

// writeCalls writes a histogram of calls by side.
func (r *Run) writeCalls(b *strings.Builder) {
	const name = "psync_call_duration_seconds"
	fmt.Fprintf(b, "# HELP %s How long calls to volumes of the network, and requests to a psync on another host, took.\n# TYPE %s histogram\n", name, name)
	for _, side := range []struct {
		label string
		calls *report.Durations
	}{{`side="source"`, r.SourceCalls}, {`side="destination"`, r.DestCalls}} {
		counts, sum := side.calls.Counts()
		var n int64
		for i, bound := range report.DurationBounds {
			n += counts[i]
			fmt.Fprintf(b, "%s_bucket{%s,le=\"%g\"} %d\n", name, side.label, bound.Seconds(), n)
		}
		n += counts[len(report.DurationBounds)]
		fmt.Fprintf(b, "%s_bucket{%s,le=\"+Inf\"} %d\n", name, side.label, n)
		fmt.Fprintf(b, "%s_sum{%s} %g\n%s_count{%s} %d\n", name, side.label, sum.Seconds(), name, side.label, n)
	}
}

// write writes a metric with all its labels.
func write(b *strings.Builder, name, kind, help string, samples ...sample) {
	fmt.Fprintf(b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
	for _, s := range samples {
		b.WriteString(name)
		if s.labels != "" {
			b.WriteString("{" + s.labels + "}")
		}
		b.WriteString(" " + strconv.FormatFloat(s.value, 'g', -1, 64) + "\n")
	}
}

// quoted returns the value of a label in quotes.
func quoted(value string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(value) + `"`
}

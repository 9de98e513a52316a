package page

import (
	"bytes"
	_ "embed"
	"fmt"
	"html"
	"io"
	"strconv"
	"time"

	"psync/internal/ui"
)

//go:embed head.html
var head string

// Write writes the page. It uses no template: with the library for those, programs keep every exported method, since a
// template may call it. psync would be a sixth larger, and take 3 % longer to start.
func (d *Digest) Write(to io.Writer) error {
	v := d.view()
	var w writer
	w.WriteString(head)
	w.top(v)
	w.failing(v)
	w.rows(v)
	for _, r := range v.Shown {
		w.run(r)
	}
	w.bottom(v)
	w.add("</body>\n</html>\n")
	_, err := w.WriteTo(to)
	return err
}

// A writer collects HTML.
type writer struct{ bytes.Buffer }

// add adds HTML. Values are text, and are escaped; all verbs are %v.
func (w *writer) add(format string, values ...any) {
	for i, v := range values {
		values[i] = html.EscapeString(fmt.Sprint(v))
	}
	fmt.Fprintf(w, format, values...)
}

// addIf adds HTML if ok is true.
func (w *writer) addIf(ok bool, format string, values ...any) {
	if ok {
		w.add(format, values...)
	}
}

func when(t time.Time) string { return t.Format("2006-01-02 15:04:05 -07:00") }

// A coord is a coordinate of a drawing.
type coord float64

func (c coord) String() string { return strconv.FormatFloat(float64(c), 'f', 1, 64) }

// top adds what a reader asks first.
func (w *writer) top(v *view) {
	w.add("<h1>psync report</h1>\n<p class=\"soft\">")
	w.addIf(v.Last.Operands() != "", "<code>%v</code>", v.Last.Operands())
	w.add(" on %v; %v, the last ", v.Last.Start.Host, ui.Things(v.RunCount, "run", "runs"))
	if s := v.Last.Summary; s == nil {
		w.add("from %v", when(v.Last.Start.Time))
	} else {
		w.addIf(!s.Time.IsZero(), "until %v", when(s.Time))
	}
	class := "verdict"
	if v.Verdict.Good {
		class = "verdict good"
	}
	w.add("</p>\n<div class=\"%v\"><strong>%v</strong>", class, v.Verdict.Text)
	for _, more := range v.Verdict.More {
		w.add("<p>%v</p>", more)
	}
	w.add("</div>\n")
	w.addIf(v.Damaged > 0, "<p class=\"verdict\">%v could not be read, and what is there is missing from this page.</p>\n",
		ui.Things(v.Damaged, "line of the logs", "lines of the logs"))
	w.addIf(v.NextPass != "", "<p>%v</p>\n", v.NextPass)
	w.add("<dl>\n")
	for _, c := range v.Cards {
		w.add("<div")
		w.addIf(c.Label == "Failed" && c.Value != "0", ` class="bad"`)
		w.add("><dt>%v</dt><dd>%v", c.Label, c.Value)
		w.addIf(c.Note != "", "<small>%v</small>", c.Note)
		w.add("</dd></div>\n")
	}
	w.add("</dl>\n")
	w.addIf(len(v.Runs) > 1, "<p class=\"soft\">The figures are those of the last run.</p>\n")
}

// failing adds what failed, was not kept, or was skipped.
func (w *writer) failing(v *view) {
	r := v.Failing
	if r.Failed() > 0 {
		w.add("<section><h2>Failures: %v</h2>", ui.Count(r.Failed()))
		w.groups(r.Failures)
		w.add("</section>\n")
	}
	if r.Unkept.Total() > 0 || len(v.NotAsked) > 0 {
		w.add("<section><h2>Not kept</h2>")
		if r.Unkept.Total() > 0 {
			w.groups(r.Unkept)
		}
		for _, s := range v.NotAsked {
			w.add("<p>%v %v, which no flag asked to keep.</p>\n", ui.Things(s.Count, "entry has", "entries have"), s.Name)
		}
		w.add("</section>\n")
	}
	w.section("Skipped: %v", r.Skipped)
}

// rows adds the table of runs, if there are several.
func (w *writer) rows(v *view) {
	if len(v.Rows) == 0 {
		return
	}
	w.add("<section><h2>Runs</h2>")
	w.addIf(v.OlderRuns > 0, `<p class="soft">the last %v of %v</p>`, len(v.Rows), ui.Count(v.RunCount))
	w.add(`<div class="wide"><table class="runs"><tr><th>Began</th><th>End</th><th class="n">Took</th><th class="n">Found</th>` +
		`<th class="n">Copied</th><th class="n">Bytes</th><th class="n">Removed</th><th class="n">Failed</th></tr>` + "\n")
	for _, r := range v.Rows {
		w.add(`<tr><td>%v<br><span class="soft">%v</span></td><td>%v</td>`, when(r.Start.Time), r.Name(), r.End)
		w.add(`<td class="n">%v<div class="share"><i style="width:%v%%"></i></div></td>`, seconds(r.Seconds()), coord(r.Share))
		const figures = `<td class="n">%v</td><td class="n">%v</td><td class="n">%v</td>`
		if s := r.Summary; s != nil {
			w.add(`<td class="n">%v</td>`+figures, ui.Count(s.Found), ui.Count(s.Copied), ui.Size(s.BytesCopied), ui.Count(s.Deleted))
		} else {
			w.add("<td></td>"+figures, ui.Count(r.Copied.Count), ui.Size(r.Copied.Bytes), ui.Count(r.Removed))
		}
		w.add(`<td class="n">%v</td></tr>`+"\n", ui.Count(r.Failed()))
	}
	w.add("</table></div></section>\n")
}

// run adds what happened in a run.
func (w *writer) run(r *runView) {
	start, s := &r.Start, r.Summary
	w.add("<section>\n<h2>%v of %v</h2>\n<p><code>%v</code></p>\n", r.Name(), when(start.Time), commandLine(start.Args))
	w.add("<p class=\"soft\">on %v, psync %v", start.Host, start.Psync)
	if s != nil {
		w.add("; %v, exit status %v", seconds(s.T), s.Exit)
	}
	w.add("</p>\n")
	for _, source := range start.Sources {
		w.addIf(lacks(&source) != "", "<p class=\"soft\">The source is known to lack: %v</p>\n", lacks(&source))
	}
	w.addIf(lacks(start.Dest) != "", "<p class=\"soft\">The destination is known to lack: %v</p>\n", lacks(start.Dest))
	w.addIf(r.Balance != "", "<p class=\"soft\">%v</p>\n", r.Balance)
	if s != nil {
		w.addIf(s.Verified > 0, "<p>%v equal.</p>\n", ui.Things(s.Verified, "file was read back and was", "files were read back and were"))
		if s.Audit != nil {
			w.add("<p>%v</p>\n", s.Audit)
		}
	}
	for i := range r.Charts {
		w.add("<h3>%v</h3>", r.Charts[i].Title)
		w.chart(&r.Charts[i])
	}
	w.addIf(len(r.Charts) > 0, "<p class=\"soft\">%v, %v; each counts when it is complete</p>\n",
		ui.Things(r.Copied.Count, "file", "files"), ui.Size(r.Copied.Bytes))
	if r.HasFailures {
		w.add("<h3>Failures of this run: %v</h3>", ui.Count(r.Failed()))
		w.groups(r.Failures)
	}
	w.add("</section>\n")
}

// bottom adds what is not about one run.
func (w *writer) bottom(v *view) {
	if len(v.Sizes.Bars) > 0 {
		w.add("<section><h2>Files by size</h2>")
		w.chart(&v.Sizes)
		w.add("<p class=\"soft\">files that were copied; each bar begins at twice the size of the one before</p></section>\n")
	}
	if len(v.Slowest) > 0 {
		w.add(`<section><h2>Slowest directories</h2><div class="wide"><table><tr><th class="n">From first to last file</th>` +
			`<th class="n">Files</th><th class="n">Bytes</th><th>Directory</th></tr>` + "\n")
		for _, s := range v.Slowest {
			w.add(`<tr><td class="n">%v</td><td class="n">%v</td><td class="n">%v</td><td><code>%v</code></td></tr>`+"\n",
				seconds(s.Seconds), ui.Count(s.Count), ui.Size(s.Bytes), s.Path)
		}
		w.add("</table></div></section>\n")
	}
	w.section("Removed: %v, by directory", v.Removed)
	w.section("Removed from the source, as the destination has it: %v, by directory", v.Moved)
	w.add(`<section><h2>Lines of the logs</h2><div class="wide"><table><tr><th>Event</th><th class="n">Lines</th><th class="n">Sum of sizes</th></tr>` + "\n")
	for _, s := range v.EventSums {
		w.add(`<tr><td>%v</td><td class="n">%v</td><td class="n">%v</td></tr>`+"\n", s.Name, ui.Count(s.Count), ui.Count(s.Bytes))
	}
	w.add("</table></div></section>\n")
}

// section adds groups of events under a title with their number, unless there are none.
func (w *writer) section(title string, g *groups) {
	if n := g.Total(); n > 0 {
		w.add("<section><h2>"+title+"</h2>", ui.Count(n))
		w.groups(g)
		w.add("</section>\n")
	}
}

func (w *writer) groups(g *groups) {
	w.add(`<div class="wide"><table><tr><th class="n">Number</th><th>What, and examples</th></tr>` + "\n")
	for _, group := range g.Most() {
		w.add(`<tr><td class="n">%v</td><td><strong>%v</strong>`, ui.Count(group.Count), group.What)
		w.addIf(group.Remedy != "", "<br>Remedy: %v", group.Remedy)
		for _, example := range group.Examples {
			w.add("<br><code>%v</code>", example)
		}
		w.add("</td></tr>\n")
	}
	w.add("</table></div>")
	w.addIf(g.Rest() > 0, `<p class="soft">and %v more of other groups</p>`, ui.Count(g.Rest()))
}

func (w *writer) chart(c *chart) {
	w.add(`<figure><div class="y">`)
	for _, label := range c.Y {
		w.add("<span>%v</span>", label)
	}
	w.add(`</div><svg viewBox="0 0 720 160" preserveAspectRatio="none" role="img" aria-label="%v">`+"\n", c.Title)
	for _, y := range []string{"0", coord(chartHeight / 2).String(), "160"} {
		w.add(`<line class="grid" x1="0" x2="720" y1="%v" y2="%[1]v"/>`, y)
	}
	class := "x"
	if c.Area != "" {
		class = "x time"
		w.add("\n"+`<path class="data" d="%v"/>`, c.Area)
	}
	for _, b := range c.Bars {
		w.add("\n"+`<rect class="data" x="%v" y="%v" width="%v" height="%v"><title>%v</title></rect>`,
			coord(b.X), coord(b.Y), coord(b.Width), coord(b.Height), b.Title)
	}
	w.add("\n</svg><div class=\"%v\">", class)
	for _, t := range c.X {
		w.add(`<span style="left:%v%%">%v</span>`, coord(t.At), t.Text)
	}
	w.add("</div></figure>")
}

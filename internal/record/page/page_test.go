package page

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"psync/internal/ui"
)

const (
	start   = `{"event":"start","schema":1,"time":"2026-01-02T03:04:05Z","psync":"1","host":"h","verb":"sync","args":["sync","a","b"],"sources":[{"path":"a","lacks":["acls"]}],"dest":{"path":"b","lacks":["owners"]}}` + "\n"
	summary = `{"event":"summary","t":2,"exit":0,"found":3,"copied":1,"unchanged":2,"bytes_copied":7,"not_asked":{"acls":4},"audit":{"complete":true,"found":12345}}` + "\n"
)

func digestOf(t *testing.T, logs ...string) (*Digest, string) {
	t.Helper()
	d := New()
	for _, log := range logs {
		if err := d.Read(strings.NewReader(log)); err != nil {
			t.Fatal(err)
		}
	}
	var b strings.Builder
	if err := d.Write(&b); err != nil {
		t.Fatal(err)
	}
	return d, b.String()
}

// randomLog returns a log of n events.
func randomLog(n int) string {
	var b strings.Builder
	b.WriteString(start)
	for i := range n {
		name := fmt.Sprintf("dir%d/f%d", rand.IntN(50), i)
		switch at := float64(i) / 100; rand.IntN(6) {
		case 0:
			fmt.Fprintf(&b, `{"event":"delete","t":%f,"path":%q}`, at, name)
		case 1:
			fmt.Fprintf(&b, `{"event":"fail","t":%f,"path":%q,"op":"open","errno":%d,"error":"error %[3]d","message":"open: error %[3]d"}`, at, name, rand.IntN(40))
		case 2:
			fmt.Fprintf(&b, `{"event":"replace","t":%f,"path":%q,"type":"symlink","target":"x"}`, at, name)
		default:
			fmt.Fprintf(&b, `{"event":"copy","t":%f,"path":%q,"type":"file","size":%d}`, at, name, rand.Int64N(1<<rand.IntN(40)))
		}
		b.WriteByte('\n')
	}
	b.WriteString(summary)
	return b.String()
}

func TestSumsAreThoseOfTheLines(t *testing.T) {
	log := randomLog(20_000)
	want := make(map[string]Sum)
	var files Sum
	lines := bufio.NewScanner(strings.NewReader(log))
	for lines.Scan() {
		var l struct {
			Event, Type string
			Size        int64
		}
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		s := want[l.Event]
		want[l.Event] = Sum{s.Count + 1, s.Bytes + l.Size}
		if l.Type == "file" {
			files.add(l.Size)
		}
	}
	d, text := digestOf(t, log)
	for name, sum := range want {
		if name == "start" || name == "summary" {
			continue
		}
		if got := d.Events[name]; got == nil || *got != sum {
			t.Errorf("%s: %+v, want %+v", name, got, sum)
		}
		row := fmt.Sprintf("<td>%s</td><td class=\"n\">%s</td><td class=\"n\">%s</td>", name, ui.Count(sum.Count), ui.Count(sum.Bytes))
		if !strings.Contains(text, row) {
			t.Errorf("the page lacks %s", row)
		}
	}
	var sizes, timed, failed Sum
	for _, s := range d.Sizes {
		sizes = Sum{sizes.Count + s.Count, sizes.Bytes + s.Bytes}
	}
	for _, s := range d.Runs[0].Times.parts {
		timed = Sum{timed.Count + s.Count, timed.Bytes + s.Bytes}
	}
	failures, run := d.Runs[0].Failures, d.Runs[0]
	for _, g := range failures.Most() {
		failed.Count += g.Count
	}
	if sizes != files || timed != files || d.Runs[0].Copied != files {
		t.Errorf("by size %+v, over time %+v, of the run %+v, want %+v", sizes, timed, d.Runs[0].Copied, files)
	}
	if failed.Count+failures.Rest() != want["fail"].Count || run.Failed() != want["fail"].Count || d.Removed.Total() != want["delete"].Count {
		t.Errorf("%d failures, %d removals, want %+v", failed.Count+failures.Rest(), d.Removed.Total(), want)
	}
	if parts := len(d.Runs[0].Times.parts); parts > points {
		t.Errorf("%d points in time", parts)
	}
}

func TestPage(t *testing.T) {
	event := func(s string) string { return start + s + "\n" + summary }
	dryRun := func(verb string, exit int) string {
		return fmt.Sprintf(`{"event":"start","schema":1,"verb":%q,"dry_run":true}
{"event":"copy","path":"d/f","type":"file","size":3}
{"event":"delete","path":"d/g"}
{"event":"summary","exit":%d,"found":3,"copied":1,"unchanged":2,"deleted":4}
`, verb, exit)
	}
	file := func(t int) string {
		return fmt.Sprintf(`{"event":"copy","t":%d,"path":"d/f","type":"file","size":3}`+"\n", t)
	}
	const fail = `{"event":"fail","path":"p","message":"denied"}`
	tests := []struct {
		what, log string
		want      []string
	}{
		{"the end", start + summary, []string{
			"All is there: 1 entry was copied and 2 were current.", "proves that 12,345 directories", "known to lack: acls",
			"known to lack: owners", "4 entries have acls", "psync sync a b", "<code>a → b</code> on h; 1 run,",
		}},
		{"no end", start, []string{"killed, goes on", "Files copied so far", "Removed so far"}},
		{"markup", event(`{"event":"delete","path":"d/<script>alert(1)</script>"}`), []string{"d/&lt;script&gt;alert(1)"}},
		{"not UTF-8", event(`{"event":"delete","path":"a�b","path_base64":"Yf9i"}`), []string{`a\xffb`}},
		{"a remedy", event(`{"event":"fail","path":"p","op":"open","error":"denied","message":"open: denied","remedy":"ask"}`), []string{"open: denied", "Remedy: ask", "<code>p</code>", "Failures: 1"}},
		{"unkept", event(`{"event":"unkept","path":"p","attribute":"owner","message":"denied"}`), []string{"owner: denied", "Not kept", "1 attribute could not be kept."}},
		{"skipped", event(`{"event":"skip","path":"p","type":"fifo"}`), []string{"Skipped: 1", "fifo"}},
		{"vanished", event(`{"event":"vanish","path":"p"}`), []string{"vanished while it was copied", "Failures: 1"}},
		{"damaged", start + "{\n" + summary, []string{"1 line of the logs could not be read"}},
		{"a lost start", start + summary + `{"event":"copy","path":"f"}` + "\n" + summary, []string{"2 lines of the logs could not be read"}},
		{"two runs", start + summary + start + summary, []string{"2 runs", "<dt>Found</dt><dd>3<small>", "<h2>Runs</h2>", "<td>complete</td>"}},
		{"a dry run", start + summary + dryRun("sync", 0), []string{"Dry run of", "1 to be copied", "<dt>To be removed</dt><dd>4</dd>"}},
		{"a comparison", dryRun("compare", 0), []string{"Comparison of", "<dt>Equal</dt><dd>2</dd>"}},
		{"moved", event(`{"event":"removed_source","t":1,"path":"src/d/f","type":"file","size":3}`), []string{"Removed from the source", "<code>src/d/f</code>"}},
		{"files", event(file(0) + file(1)), []string{"Throughput", "<rect", "Slowest directories", "<code>d</code>"}},
		{"failures of an earlier run", event(fail) + start + summary, []string{"Failures of this run: 1", "<td>1 failed</td>", "All is there", "<dt>Failed</dt><dd>0</dd>"}},
	}
	for _, tt := range tests {
		_, text := digestOf(t, tt.log)
		for _, want := range tt.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the page lacks %q", tt.what, want)
			}
		}
		for _, no := range []string{"<script", "http:", "https:", "url(", "<link", "<img", "ZgotmplZ", "NaN"} {
			if strings.Contains(text, no) {
				t.Errorf("%s: the page has %q", tt.what, no)
			}
		}
	}
}

// What takes no time has no charts, and a page without copies has all that it needs.
func TestPageHasNoEmptyCharts(t *testing.T) {
	short := start + `{"event":"copy","t":0.01,"path":"d/f","type":"file","size":3}` + "\n" + strings.Replace(summary, `"t":2`, `"t":0.02`, 1)
	removal := strings.Replace(start, `"sync"`, `"delete"`, 1) + `{"event":"delete","t":1,"path":"f"}` + "\n" + `{"event":"summary","t":2,"deleted":1}`
	for what, log := range map[string]string{"short": short, "removal": removal, "no events": start + summary} {
		_, text := digestOf(t, log)
		for _, no := range []string{"Throughput", "Slowest", `d=""`, "<td>complete</td>"} {
			if strings.Contains(text, no) {
				t.Errorf("%s: the page has %s", what, no)
			}
		}
		if what != "short" && strings.Contains(text, "<svg") {
			t.Errorf("%s: the page has a chart", what)
		}
	}
}

func TestWhatIsNoLog(t *testing.T) {
	for _, log := range []string{"", "text\n", `{"event":"copy"}` + "\n", strings.Replace(start, `"schema":1`, `"schema":2`, 1)} {
		if err := New().Read(strings.NewReader(log)); err == nil {
			t.Errorf("%q is read", log)
		}
	}
}

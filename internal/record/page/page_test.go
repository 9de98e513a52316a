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
	for _, g := range d.Failures.Most() {
		failed.Count += g.Count
	}
	if sizes != files || timed != files || d.Runs[0].Copied != files {
		t.Errorf("by size %+v, over time %+v, of the run %+v, want %+v", sizes, timed, d.Runs[0].Copied, files)
	}
	if failed.Count+d.Failures.Rest() != want["fail"].Count || d.Removed.Total() != want["delete"].Count {
		t.Errorf("%d failures, %d removals, want %+v", failed.Count+d.Failures.Rest(), d.Removed.Total(), want)
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
	tests := []struct {
		what, log string
		want      []string
	}{
		{"the end", start + summary, []string{"The last run succeeded", "12345", "known to lack: acls", "known to lack: owners", "4 entries have acls", "psync sync a b"}},
		{"no end", start, []string{"killed, or goes on"}},
		{"interrupted", start + `{"event":"summary","exit":20,"interrupted":true}`, []string{"was interrupted"}},
		{"an early end", start + `{"event":"summary","exit":11,"error":"no space"}`, []string{"ended early: no space (exit status 11)"}},
		{"markup", event(`{"event":"delete","path":"d/<script>alert(1)</script>"}`), []string{"d/&lt;script&gt;alert(1)"}},
		{"not UTF-8", event(`{"event":"delete","path":"a�b","path_base64":"Yf9i"}`), []string{`a\xffb`}},
		{"a remedy", event(`{"event":"fail","path":"p","op":"open","error":"denied","message":"open: denied","remedy":"ask"}`), []string{"open: denied", "Remedy: ask", "<code>p</code>"}},
		{"unkept", event(`{"event":"unkept","path":"p","attribute":"owner","message":"denied"}`), []string{"owner: denied"}},
		{"skipped", event(`{"event":"skip","path":"p","type":"fifo"}`), []string{"Skipped: 1", "fifo"}},
		{"vanished", event(`{"event":"vanish","path":"p"}`), []string{"vanished while"}},
		{"damaged", start + "{\n" + summary, []string{"1 lines of the logs are damaged"}},
		{"two runs", start + summary + start + summary, []string{"2 runs", "<dt>Found</dt><dd>6</dd>"}},
		{"a dry run", dryRun("sync", 0) + start + summary, []string{"Dry run of", "3 = 1 to be copied", "4 to be removed", "<dt>Found</dt><dd>3</dd>", "dry runs and comparisons do not count"}},
		{"the end is a dry run", dryRun("sync", 0), []string{"nothing was done"}},
		{"equal trees", dryRun("compare", 0), []string{"the trees are equal", "Comparison of"}},
		{"different trees", dryRun("compare", 1), []string{"the trees differ"}},
		{"moved", event(`{"event":"removed_source","t":1,"path":"src/d/f","type":"file","size":3}`), []string{"Removed from the source", "<code>src/d/f</code>"}},
		{"a file", event(`{"event":"copy","t":1,"path":"d/f","type":"file","size":3}`), []string{"Throughput", "<rect", "Slowest directories", "<code>d</code>"}},
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

func TestWhatIsNoLog(t *testing.T) {
	for _, log := range []string{"", "text\n", `{"event":"copy"}` + "\n", strings.Replace(start, `"schema":1`, `"schema":2`, 1)} {
		if err := New().Read(strings.NewReader(log)); err == nil {
			t.Errorf("%q is read", log)
		}
	}
}

package metrics

import (
	"fmt"
	"io"
	"net"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"psync/internal/report"
)

func newRun() *Run {
	r := &Run{
		Version: "v1 \"odd\"\\\n", Started: time.UnixMilli(1500), Stats: new(report.Stats),
		Workers: func() int { return 16 }, Busy: func() int { return 3 }, Unclaimed: func() int { return 5 },
		Outages: func() int64 { return 2 }, Repeated: func() int64 { return 4 }, Unreachable: func() int { return 1 }, LongestCall: func() time.Duration { return 2500 * time.Millisecond },
		SourceCalls: new(report.Durations), DestCalls: new(report.Durations),
	}
	for _, d := range []time.Duration{time.Microsecond, 10 * time.Microsecond, 2 * time.Millisecond, time.Minute} {
		r.SourceCalls.Add(d)
	}
	c := r.Stats.Counter()
	for i := range report.Count(len(report.Totals{})) {
		c.Add(i, 100+int64(i))
	}
	r.Stats.Expected.Files.Store(7)
	r.Stats.Expected.Known.Store(true)
	return r
}

// parse returns the samples of a text, which must be as the format has it: help, type, then samples of that name.
func parse(t *testing.T, text string) map[string]string {
	t.Helper()
	line := regexp.MustCompile(`^([a-z_]+)(\{[a-z_]+="(?:[^"\\\n]|\\["\\n])*"(?:,le="[0-9.e+Inf-]+")?\})? ([0-9.e+-]+)$`)
	samples, name := make(map[string]string), ""
	for i, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if help, ok := strings.CutPrefix(l, "# HELP "); ok {
			name, _, _ = strings.Cut(help, " ")
			continue
		}
		if kind, ok := strings.CutPrefix(l, "# TYPE "); ok {
			if kind == name+" histogram" {
				continue
			}
			if kind != name+" counter" && kind != name+" gauge" || strings.HasSuffix(name, "_total") != strings.HasSuffix(kind, " counter") {
				t.Errorf("line %d: %s", i, l)
			}
			continue
		}
		m := line.FindStringSubmatch(l)
		if m == nil || m[1] != name && !slices.Contains(parts(name), m[1]) {
			t.Errorf("line %d: %s", i, l)
			continue
		}
		if _, twice := samples[m[1]+m[2]]; twice {
			t.Errorf("line %d: %s stands twice", i, l)
		}
		samples[m[1]+m[2]] = m[3]
	}
	return samples
}

// parts returns the names of the samples of a histogram.
func parts(name string) []string { return []string{name + "_bucket", name + "_sum", name + "_count"} }

func TestWrite(t *testing.T) {
	r := newRun()
	var b strings.Builder
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	got := parse(t, b.String())
	for name, want := range map[string]string{
		`psync_entries_seen_total{type="directory"}`: fmt.Sprint(100 + int(report.DirsSeen)),
		`psync_entries_removed_total{type="file"}`:   fmt.Sprint(100 + int(report.FilesDeleted)),
		`psync_copied_bytes_total`:                   fmt.Sprint(100 + int(report.BytesCopied)),
		`psync_failures_total`:                       fmt.Sprint(100 + int(report.Failed)),
		`psync_expected_files`:                       "7",
		`psync_expected_known`:                       "1",
		`psync_workers`:                              "16",
		`psync_workers_busy`:                         "3",
		`psync_directories_waiting`:                  "5",
		`psync_outages_total`:                        "2",
		`psync_calls_repeated_total`:                 "4",

		`psync_call_duration_seconds_bucket{side="source",le="1e-05"}`: "2",
		`psync_call_duration_seconds_bucket{side="source",le="0.001"}`: "2",
		`psync_call_duration_seconds_bucket{side="source",le="0.01"}`:  "3",
		`psync_call_duration_seconds_bucket{side="source",le="10"}`:    "3",
		`psync_call_duration_seconds_bucket{side="source",le="+Inf"}`:  "4",
		`psync_call_duration_seconds_count{side="source"}`:             "4",
		`psync_call_duration_seconds_sum{side="source"}`:               "60.002011",
		`psync_call_duration_seconds_count{side="destination"}`:        "0",
		`psync_volumes_unreachable`:                                    "1",
		`psync_longest_call_seconds`:                                   "2.5",
		`psync_start_time_seconds`:                                     "1.5",
		`psync_build_info{version="v1 \"odd\"\\\n"}`:                   "1",
		`psync_entries_made_total{type="hardlink"}`:                    fmt.Sprint(100 + int(report.HardLinked)),
		`psync_attributes_not_kept_total`:                              fmt.Sprint(100 + int(report.Unkeeps)),
	} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
}

func TestWriteHasEachCount(t *testing.T) {
	// What others say in other words, or what only serves to balance a summary.
	derived := []report.Count{
		report.LinkBytes, report.RootsMade, // only --stats counts them, as rsync does
		report.Private, report.DroppedHardLinks, report.DroppedACLs, report.DroppedXattrs, report.DroppedForks,
		report.OthersCopied, report.OthersKept, report.OthersSkipped,
		report.EntriesFailed, report.CopiedFailed, report.KeptFailed, report.UnseenFailed,
	}
	values := make(map[string]bool)
	r := newRun()
	var b strings.Builder
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, v := range parse(t, b.String()) {
		values[v] = true
	}
	for i := range report.Count(len(report.Totals{})) {
		if want := !slices.Contains(derived, i); values[fmt.Sprint(100+int(i))] != want {
			t.Errorf("count %d is served: %t, want %t", i, !want, want)
		}
	}
}

// ask sends a request to a server, and returns the answer.
func ask(t *testing.T, s *Server, request string) string {
	t.Helper()
	c, err := net.Dial("tcp", s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(c)
	if err != nil {
		t.Fatal(err)
	}
	return string(answer)
}

func TestServer(t *testing.T) {
	s, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	defer s.Close()
	s.Serve(newRun().Write)
	if _, err := Listen(s.Addr()); err == nil {
		t.Error("an address that is in use was reserved again")
	}
	for _, test := range []struct{ request, status string }{
		{"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", "200 OK"},
		{"GET /metrics?x=1 HTTP/1.0\r\n\r\n", "200 OK"},
		{"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "404 Not Found"},
		{"POST /metrics HTTP/1.1\r\nHost: x\r\n\r\n", "405 Method Not Allowed"},
		{"hello\n\n", "400 Bad Request"},
	} {
		answer := ask(t, s, test.request)
		head, body, _ := strings.Cut(answer, "\r\n\r\n")
		if !strings.HasPrefix(head, "HTTP/1.1 "+test.status+"\r\n") || !strings.Contains(head, fmt.Sprintf("Content-Length: %d", len(body))) {
			t.Errorf("%q is answered by %q", test.request, head)
		}
		if test.status == "200 OK" && parse(t, body)["psync_workers"] != "16" {
			t.Errorf("the body is %q", body)
		}
	}
	idle, err := net.Dial("tcp", s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = idle.Close() }()
	s.Close() // does not wait for who says nothing
}

func TestAddress(t *testing.T) {
	for addr, want := range map[string]string{
		"9100": "127.0.0.1:9100", ":9100": "127.0.0.1:9100", "0.0.0.0:9100": "0.0.0.0:9100", "[::1]:1": "[::1]:1",
		"": "", "host:": "", "a:b:c": "",
	} {
		got, err := Address(addr)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("Address(%q) = %q, %v", addr, got, err)
		}
	}
}

package cli

import (
	"bytes"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// A scraper is a stdout that asks for the metrics with each write, before the writer goes on. Its address is in
// what the run says on stderr.
type scraper struct {
	stderr *lockedBuffer
	text   string   // what was written
	got    []string // an answer for each write
}

func (s *scraper) Write(p []byte) (int, error) {
	s.text += string(p)
	answer, err := s.scrape()
	if err != nil {
		return 0, err
	}
	s.got = append(s.got, answer)
	return len(p), nil
}

func (s *scraper) address() string {
	_, rest, _ := strings.Cut(s.stderr.String(), "metrics are at http://")
	addr, _, _ := strings.Cut(rest, "/metrics")
	return addr
}

func (s *scraper) scrape() (string, error) {
	c, err := net.Dial("tcp", s.address())
	if err != nil {
		return "", err
	}
	defer func() { _ = c.Close() }()
	if _, err := io.WriteString(c, "GET /metrics HTTP/1.0\r\n\r\n"); err != nil {
		return "", err
	}
	answer, err := io.ReadAll(c)
	return string(answer), err
}

// A lockedBuffer is a buffer that several goroutines may use.
type lockedBuffer struct {
	mu sync.Mutex // guards b
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// value returns the value of a metric in an answer, or "" if there is none.
func value(answer, metric string) string {
	m := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(metric) + ` (.*)$`).FindStringSubmatch(answer)
	if m == nil {
		return ""
	}
	return m[1]
}

func TestMetricsEqualSummary(t *testing.T) {
	root := t.TempDir()
	src, dst := filepath.Join(root, "src"), filepath.Join(root, "dst")
	if err := os.MkdirAll(filepath.Join(src, "d"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "d/b", "d/c"} {
		if err := os.WriteFile(filepath.Join(src, name), []byte("1234567"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		args    []string
		metrics map[string]string
		summary string
	}{
		{
			[]string{"copy", "-v", "--stats", "--metrics=0", src, dst},
			map[string]string{`psync_files_copied_total`: "3", `psync_copied_bytes_total`: "21", `psync_unfinished_bytes`: "0", `psync_failures_total`: "0"},
			"Number of regular files transferred: 3\n",
		},
		{
			[]string{"sync", "-v", "--stats", "--metrics=0", src, dst},
			map[string]string{`psync_files_current_total`: "3", `psync_files_copied_total`: "0", `psync_directories_waiting`: "0"},
			"Number of current regular files: 3\n",
		},
		{
			[]string{"delete", "--force", "-v", "--metrics=0", dst},
			map[string]string{`psync_entries_removed_total{type="file"}`: "3", `psync_entries_removed_total{type="directory"}`: "2"},
			"",
		},
	} {
		s := &scraper{stderr: new(lockedBuffer)}
		code := Main(t.Context(), test.args, Process{Stdin: strings.NewReader(""), Stdout: s, Stderr: s.stderr})
		if code != ExitOK || len(s.got) == 0 {
			t.Fatalf("%s: exit code %d, %d answers\n%s%s", test.args[0], code, len(s.got), s.text, s.stderr)
		}
		last := s.got[len(s.got)-1]
		for metric, want := range test.metrics {
			if got := value(last, metric); got != want {
				t.Errorf("%s: %s is %q, want %q", test.args[0], metric, got, want)
			}
		}
		if !strings.Contains(s.text, test.summary) {
			t.Errorf("%s: the summary lacks %q:\n%s", test.args[0], test.summary, s.text)
		}
		if _, err := s.scrape(); err == nil {
			t.Errorf("%s: metrics are served after the run", test.args[0])
		}
	}
}

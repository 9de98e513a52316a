package recording

import (
	"encoding/xml"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestScreen(t *testing.T) {
	tests := []struct {
		what, text string
		want       []string
	}{
		{"lines", "a\r\nb\n", []string{"a", "b", ""}},
		{"a bar", "\r10 %\r20 %\x1b[0K\r30\x1b[0K", []string{"30"}},
		{"an erased line", "bar\r\x1b[2K\rend\n", []string{"end", ""}},
		{"more than fits", strings.Repeat("x\n", 20), append(slices.Repeat([]string{"x"}, rows-1), "")},
	}
	for _, test := range tests {
		var s screen
		s.write(test.text)
		if got := s.visible(); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.what, got, test.want)
		}
	}
}

func TestRecordedCommandsAreShown(t *testing.T) {
	if _, err := exec.LookPath("script"); err != nil {
		t.Skip("script(1) is not installed")
	}
	if exec.Command("script", "-qefc", "true", "/dev/null").Run() != nil {
		t.Skip("script(1) is not that of util-linux")
	}
	frames, err := Record(t.Context(), []string{"echo one; test -t 1 && echo terminal", "echo two"})
	if err != nil {
		t.Fatal(err)
	}
	last := frames[len(frames)-1]
	want := []string{"$ echo one; test -t 1 && echo terminal", "one", "terminal", "$ echo two", "two", "$"}
	if !slices.Equal(last.Lines, want) {
		t.Errorf("got %q, want %q", last.Lines, want)
	}
	if !slices.IsSortedFunc(frames, func(a, b Frame) int { return int(a.At - b.At) }) || last.At < 2*typing {
		t.Errorf("times %v", frames)
	}
	if _, err := Record(t.Context(), []string{"exit 3"}); err == nil {
		t.Error("a command that failed was recorded")
	}
}

func TestImageIsWellFormed(t *testing.T) {
	image := SVG([]Frame{{0, []string{"$ a <b> & c"}}, {time.Second, []string{"", "end"}}}, "a & b")
	d := xml.NewDecoder(strings.NewReader(string(image)))
	var texts []string
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := token.(xml.CharData); ok {
			texts = append(texts, string(text))
		}
	}
	for _, want := range []string{"a & b", "$ a <b> & c", "end"} {
		if !slices.Contains(texts, want) {
			t.Errorf("the image lacks %q", want)
		}
	}
}

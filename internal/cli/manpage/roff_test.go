package manpage

import (
	"os/exec"
	"strings"
	"testing"
)

func TestProse(t *testing.T) {
	tests := []struct{ what, text, want string }{
		{"one line", "text", "text\n"},
		{"a paragraph", "one\ntwo", "one\ntwo\n"},
		{"two paragraphs", "one\n\ntwo", "one\n.PP\ntwo\n"},
		{"indented", "  one\n\ttwo", ".EX\n  one\n\ttwo\n.EE\n"},
		{"indented below a line", "one:\n  two\nthree", "one:\n.EX\n  two\n.EE\nthree\n"},
		{"indented paragraph", "one\n\n  two\n\nthree", "one\n.PP\n.EX\n  two\n.EE\n.PP\nthree\n"},
		{"a heading of Markdown", "#### Linux:\n\n\tone", "Linux:\n.PP\n.EX\n\tone\n.EE\n"},
		{"a comment of a shell", "  true # one", ".EX\n  true # one\n.EE\n"},
		{"a dot at the start", ".TH\nis one, .SH too", "\\&.TH\nis one, .SH too\n"},
		{"a quote at the start", "'br\n-'x'", "\\(aqbr\n\\-\\(aqx\\(aq\n"},
		{"a backslash", `\fB \\ \n`, `\efB \e\e \en` + "\n"},
		{"letters beyond ASCII", "é…", `\[u00E9]\[u2026]` + "\n"},
		{"other signs", "`a` ^b ~/c", `\(gaa\(ga \(hab \(ti/c` + "\n"},
	}
	for _, test := range tests {
		r := new(roff)
		r.prose(test.text)
		if got := r.String(); got != test.want {
			t.Errorf("%s: got %q, want %q", test.what, got, test.want)
		}
	}
}

func TestMacro(t *testing.T) {
	r := new(roff)
	r.macro("PP")
	r.macro("TH", "A-B", "1", "", `a "word" of \ two`)
	const want = ".PP\n" + `.TH "A\-B" "1" "" "a \(dqword\(dq of \e two"` + "\n"
	if got := r.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestItem(t *testing.T) {
	r := new(roff)
	r.item(bold("-n")+" "+italic("N"), ".5 -n")
	const want = ".TP\n\\fB\\-n\\fR \\fIN\\fR\n\\&.5 \\-n\n"
	if got := r.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestPagesShowWhatWasTyped checks with the formatters of this machine what a reader sees.
func TestPagesShowWhatWasTyped(t *testing.T) {
	lines := []string{
		"!\"#$%&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~", ".SH x", "'br", `\fBx\fR \n(.x \*x`, "--exclude='*.o' ~/a", `"`,
	}
	for _, tool := range []string{"groff -man -ww -Tutf8 -P-cbou", "groff -man -ww -Tascii -P-cbou", "mandoc -T utf8", "mandoc -T ascii"} {
		t.Run(tool, func(t *testing.T) {
			args := strings.Fields(tool)
			if _, err := exec.LookPath(args[0]); err != nil {
				t.Skip(err)
			}
			r := new(roff)
			r.macro("TH", "X", "1", "", "", "")
			r.macro("SH", "NAME")
			r.prose("x - y")
			for _, line := range lines {
				r.macro("PP")
				r.prose(line)
				r.prose("  " + line)
			}
			format := exec.Command(args[0], args[1:]...)
			format.Stdin = strings.NewReader(r.String())
			out, err := format.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			seen := make(map[string]int)
			for line := range strings.Lines(string(out)) {
				seen[strings.TrimSpace(line)]++
			}
			for _, line := range lines {
				if seen[line] != 2 { // once filled and once unfilled
					t.Errorf("%q is shown %d times, want 2, in\n%s", line, seen[line], out)
				}
			}
			if strings.Contains(string(out), "warning") {
				t.Errorf("%s", out)
			}
		})
	}
}

package manpage

import (
	"strings"
	"testing"
)

func TestMarkdown(t *testing.T) {
	tests := []struct{ what, text, want string }{
		{"headings", "## Safety of mirrors\n### Small", ".SH \"SAFETY OF MIRRORS\"\n.SS \"Small\"\n"},
		{"words", "see `-a` and **all** of `**`", "see \\fB\\-a\\fR and \\fBall\\fR of \\fB**\\fR\n"},
		{"code in bold words", "**After `kill -9`** all", "\\fBAfter kill \\-9\\fR all\n"},
		{"a line that looks like a macro", ".hidden", "\\&.hidden\n"},
		{"bullets", "* one\n  more\n* two", ".IP \\(bu 2\none\nmore\n.IP \\(bu 2\ntwo\n"},
		{"paragraphs", "## A\n\none\nmore\n\ntwo\n", ".SH \"A\"\none\nmore\n.PP\ntwo\n"},
		{"code after text", "text:\n\n```\na\n```", "text:\n.PP\n.EX\n    a\n.EE\n"},
		{"code", "```sh\npsync a\n```", ".EX\n    psync a\n.EE\n"},
		{
			"tables", "| flag | meaning |\n|:--|:--|\n| `-a` | all |\n| `b\\|c` | x | y |\n\nend",
			".TP\n\\fB\\-a\\fR\nall\n.TP\n\\fBb\\e|c\\fR\nx. y\n.PP\nend\n",
		},
	}
	for _, test := range tests {
		r := new(roff)
		r.markdown(test.text)
		if got := r.String(); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.what, got, test.want)
		}
	}
}

func TestSplitText(t *testing.T) {
	const text = "## Verbs\nmany\n\n## Options\n\n| flag | more |\n|:--|:--|\n| `--a` | b \\| c. |\n\n## Files\nnone"
	before, details, after := splitText(text)
	if before != "## Verbs\nmany\n\n" || details["--a"] != `b \| c.` || after != "## Files\nnone" {
		t.Errorf("got %q, %q, %q", before, details, after)
	}
	if before, _, after := splitText("## Files\nnone"); before != "" || after != "## Files\nnone" {
		t.Errorf("without options: got %q, %q", before, after)
	}
}

func TestTopic(t *testing.T) {
	page := topic("# psync-rules - what takes part\n\n## Rules\n\nText")
	for _, want := range []string{`.TH "PSYNC\-RULES" "7"`, "psync\\-rules \\- what takes part\n", ".SH \"RULES\"\nText\n"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
}

package manpage

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/spf13/cobra"
)

func TestHiddenFlagsAreNotInManPages(t *testing.T) {
	c := &cobra.Command{Use: "verb", Short: "Do it", Run: func(*cobra.Command, []string) {}}
	c.Flags().Bool("secret", false, "")
	c.Flags().Lookup("secret").Hidden = true
	if page := (Manual{FS: fstest.MapFS{}}).Page(c); strings.Contains(page, "secret") {
		t.Error(page)
	}
}

func TestExitStatus(t *testing.T) {
	c := &cobra.Command{Use: "verb", Long: "Do it.\n\nExit status:\n   0  all is done\n  11  some of it\n      is not", Run: func(*cobra.Command, []string) {}}
	const want = ".TP\n\\fB0\\fR\nall is done\n.TP\n\\fB11\\fR\nsome of it\nis not\n.SH"
	if page := (Manual{FS: fstest.MapFS{}}).Page(c); !strings.Contains(page, want) {
		t.Errorf("the page lacks %q:\n%s", want, page)
	}
}

func TestCommonOptionsAreListedByName(t *testing.T) {
	root, verb := &cobra.Command{Use: "psync", Long: "What is common.\n\nWhat is not."}, &cobra.Command{Use: "verb", Long: "Its own.\n\nWhat is common."}
	root.AddCommand(verb)
	for _, name := range []string{"first", "second", "third"} {
		root.Flags().Bool(name, false, "say "+name)
		verb.Flags().Bool(name, false, "say "+name)
	}
	root.Flags().BoolP("fourth", "f", false, "say fourth")
	verb.Flags().BoolP("fourth", "f", false, "say another thing")
	page := (Manual{FS: fstest.MapFS{}}).Page(verb)
	for _, want := range []string{"\nIts own.\n", "\nsay another thing\n", "\\fB\\-\\-first\\fR, \\fB\\-\\-second\\fR, \\fB\\-\\-third\\fR"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	for _, common := range []string{"What is common", "say first"} {
		if strings.Contains(page, common) {
			t.Errorf("the page repeats %q:\n%s", common, page)
		}
	}
}

func TestSynopsis(t *testing.T) {
	run := func(*cobra.Command, []string) {}
	sub := func() *cobra.Command { return &cobra.Command{Use: "sub", Run: run} }
	tests := []struct {
		what string
		c    *cobra.Command
		subs []*cobra.Command
		want string
	}{
		{"a verb", &cobra.Command{Use: "verb [flags] A-B", Run: run}, nil, "\\fBverb\\fR [flags] A\\-B\n"},
		{"verbs", &cobra.Command{Use: "verb"}, []*cobra.Command{sub()}, "\\fBverb\\fR [command]\n"},
		{
			"both", &cobra.Command{Use: "verb A", Run: run},
			[]*cobra.Command{sub()},
			"\\fBverb\\fR A\n.br\n\\fBverb\\fR [command]\n",
		},
	}
	for _, test := range tests {
		test.c.AddCommand(test.subs...)
		if got := synopsis(test.c); got != test.want {
			t.Errorf("%s: got %q, want %q", test.what, got, test.want)
		}
	}
}

func TestFlagTag(t *testing.T) {
	tests := []struct{ flag, want string }{
		{"--delete", `\fB\-\-delete\fR`},
		{"-n, --dry-run", `\fB\-n\fR, \fB\-\-dry\-run\fR`},
		{"-j, --threads N", `\fB\-j\fR, \fB\-\-threads\fR \fIN\fR`},
	}
	for _, test := range tests {
		if got := flagTag(test.flag); got != test.want {
			t.Errorf("%s: got %q, want %q", test.flag, got, test.want)
		}
	}
}

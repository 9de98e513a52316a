package bench

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"psync/internal/bench/tree"
)

func TestParseOptions(t *testing.T) {
	for _, tt := range []struct {
		args    string
		shapes  string // names
		refusal string
	}{
		{args: "", shapes: "small,flat"},
		{args: "-latency 1ms", shapes: "far"},
		{args: "-latency 1ms -workloads flat,many", shapes: "flat,many"},
		{args: "-workloads=", shapes: ""},
		{args: "-psync p -threads 1,16,1 -far dst -latency 1ms", shapes: "far"},
		{args: "-update f -mark m", shapes: "small,flat"},
		{args: "-workloads huge", refusal: `no workload "huge"`},
		{args: "-rounds 0", refusal: "must be positive"},
		{args: "-threads 4", refusal: "needs -psync"},
		{args: "-threads 0", refusal: "not a number of workers"},
		{args: "-threads 4,", refusal: "not a number of workers"},
		{args: "-far src", refusal: "needs -latency"},
		{args: "-far left", refusal: "want src or dst"},
		{args: "-latency 1ms -far src -do delete", refusal: "means nothing to delete"},
		{args: "-image fat", refusal: `no image of "fat"`},
		{args: "-update f", refusal: "need each other"},
		{args: "-mark m", refusal: "need each other"},
		{args: "-peer a@delete={src}", refusal: "needs {dst}"},
		{args: "operand", refusal: "unexpected argument"},
	} {
		var stderr bytes.Buffer
		opt, err := parseOptions(strings.Fields(tt.args), &stderr)
		if (err == nil) != (tt.refusal == "") || !strings.Contains(stderr.String(), tt.refusal) {
			t.Errorf("%q: got %v, %q; want %q", tt.args, err, &stderr, tt.refusal)
			continue
		}
		var names []string
		for _, s := range opt.shapes {
			names = append(names, s.Name)
		}
		if strings.Join(names, ",") != tt.shapes {
			t.Errorf("%q: got workloads %v, want %s", tt.args, names, tt.shapes)
		}
	}
}

func TestParseThreads(t *testing.T) {
	if got, err := parseThreads("8,1,8,128"); err != nil || !slices.Equal(got, []int{8, 1, 128}) {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestUsageNamesEveryWorkloadAndKind(t *testing.T) {
	text := introduction()
	var names []string
	for _, s := range tree.Shapes() {
		names = append(names, s.Name)
	}
	for _, want := range append(names, "8 files of 200 MB to 800 MB", "600 files of 1 KiB to 64 KiB in 30 directories",
		"100000 files of 0 B to 1 KiB in a directory", "1 file of 64 MiB", "4 files of 1 GiB", "noop", "changed", "rm -rf", limitName) {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

func TestShellLine(t *testing.T) {
	for _, tt := range []struct {
		words []string
		want  string
	}{
		{[]string{"psync", "-j", "4", "/a/b.c"}, "psync -j 4 /a/b.c"},
		{[]string{"-peer", "x=x {src} {dst}", ""}, "-peer 'x=x {src} {dst}' ''"},
		{[]string{"it's"}, `'it'\''s'`},
		{[]string{"a b"}, "'a b'"},
		{[]string{"a$b"}, "'a$b'"},
	} {
		if got := shellLine(tt.words); got != tt.want {
			t.Errorf("shellLine(%q) = %s, want %s", tt.words, got, tt.want)
		}
	}
}

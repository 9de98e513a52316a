package quote

import (
	"bytes"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// pieces are what names in the tests below are made of: all bytes but NUL and the slash, and
// characters that have long been in, or out of, Unicode.
func pieces() []string {
	list := []string{
		"é", "‘", "’", "\u00a0", "\u00ad", "\u0378", "\u200b", "\u2028", "\u3000", "日",
		"\ue000", "\ufeff", "\ufffd", "\uffff", "😀", "\U000e0001", "\U0010fffd",
		"\xe2\x80", "\xed\xa0\x80", "\xf0\x9f\x98", "\xf4\x90\x80\x80", "\xc0\x80", "a/b",
	}
	for c := 1; c < 256; c++ {
		if c != '/' {
			list = append(list, string([]byte{byte(c)}))
		}
	}
	return list
}

// names returns names that no directory has: every piece alone, and many mixtures.
func names() []string {
	list := pieces()
	random := rand.New(rand.NewPCG(1, 2))
	// Mixtures of fewer pieces meet more of the rules that look at a whole name.
	for _, from := range [][]string{list, strings.Split("a,é,',#,~,{,},\n,\xff, ,-", ",")} {
		for range 4000 {
			var name strings.Builder
			for range random.IntN(6) {
				name.WriteString(from[random.IntN(len(from))])
			}
			list = append(list, name.String())
		}
	}
	return slices.DeleteFunc(list, func(name string) bool {
		return name == "-" || name == "." || name == ".." // which exist
	})
}

// A tool is the start of a command that complains of each of its operands, on a line each.
type tool struct {
	command       []string
	before, after string
}

// quoted returns how the tool shows each of names in its complaints.
func (g tool) quoted(t *testing.T, locale string, names ...string) []string {
	t.Helper()
	program := g.command[0]
	version, err := exec.Command(program, "--version").Output()
	if err != nil || !bytes.Contains(version, []byte("GNU coreutils")) {
		t.Skipf("no GNU %s here", program)
	}
	cmd := exec.Command(program, append(g.command[1:len(g.command):len(g.command)], names...)...)
	cmd.Env = []string{"LC_ALL=" + locale}
	cmd.Dir = t.TempDir()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	var list []string
	for line := range strings.Lines(stderr.String()) {
		line, complains := strings.CutPrefix(line, g.before)
		line, whole := strings.CutSuffix(line, g.after+"\n")
		if complains && whole {
			list = append(list, line)
		}
	}
	if len(list) != len(names) {
		t.Fatalf("%s complains of %d names, not %d", program, len(list), len(names))
	}
	return list
}

// TestGNU compares every style with a tool that shows its operands in it.
func TestGNU(t *testing.T) {
	for _, style := range []struct {
		name  string
		quote func(string, bool) string
		tool  tool
	}{
		{"Name", Name, tool{[]string{"cp", "-t", ".", "--"}, "cp: cannot stat ", ": No such file or directory"}},
		{"Maybe", Maybe, tool{[]string{"cat", "--"}, "cat: ", ": No such file or directory"}},
		{"Word", Word, tool{[]string{"sleep", "--"}, "sleep: invalid time interval ", ""}},
	} {
		for _, locale := range []string{"C", "C.UTF-8"} {
			t.Run(style.name+"/"+locale, func(t *testing.T) {
				inUTF8 := locale != "C"
				if inUTF8 && !strings.Contains(style.tool.quoted(t, locale, "é")[0], "é") {
					t.Skip("the locale C.UTF-8 is not installed here")
				}
				in := names()
				if style.name == "Word" {
					for i := range in {
						in[i] = "x" + in[i] // no number, or sleep would sleep
					}
				}
				misquotes := style.tool.quoted(t, locale, "x'\n")[0] == `'''x'\'''$'\n'`
				for i, want := range style.tool.quoted(t, locale, in...) {
					if misquotes && strings.Contains(in[i], "'") && endsInEscape(in[i], inUTF8) {
						continue // coreutils before 9.6
					}
					if got := style.quote(in[i], inUTF8); got != want {
						t.Errorf("%q: got %s, want %s", in[i], got, want)
					}
				}
			})
		}
	}
}

func endsInEscape(name string, inUTF8 bool) bool {
	ends := false
	for _, printable := range chars(name, inUTF8) {
		ends = !printable
	}
	return ends
}

// TestShell lets a shell read back what Name wrote.
func TestShell(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	for _, inUTF8 := range []bool{false, true} {
		var script, want strings.Builder
		for _, name := range names() {
			script.WriteString("printf '%s\\0' " + Name(name, inUTF8) + "\n")
			want.WriteString(name + "\x00")
		}
		cmd := exec.Command(bash, "-s")
		cmd.Stdin = strings.NewReader(script.String())
		got, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want.String() {
			t.Errorf("in UTF-8 %t: bash reads other names", inUTF8)
		}
	}
}

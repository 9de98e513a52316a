package getopt

import (
	"bytes"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
)

// TestGetopt compares Parse with getopt(1) of util-linux, which lets the C library parse its
// arguments and prints what came of it.
func TestGetopt(t *testing.T) {
	if version, err := exec.Command("getopt", "--version").Output(); err != nil || !bytes.Contains(version, []byte("util-linux")) {
		t.Skip("no getopt of util-linux here")
	}
	options := []Option{
		{ID: 1, Short: 'a'},
		{ID: 2, Short: 'b', Arg: RequiredArgument},
		{ID: 3, Short: 'c', Arg: OptionalArgument},
		{ID: 4, Long: "alpha"},
		{ID: 5, Long: "beta", Arg: RequiredArgument},
		{ID: 6, Long: "gamma", Arg: OptionalArgument},
		{ID: 7, Long: "alphabet"},
		{ID: 8, Long: "album"},
	}
	pieces := strings.Fields("-a -b -c -ab -abx -cx -ac -ax --alpha --alphab --al --al=x --alpha=x " +
		"--beta --b --beta=x --bet= --gamma --g=x --bogus --=x -- - x y")
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		posixly := random.IntN(3) == 0
		var args []string
		for range 1 + random.IntN(5) {
			args = append(args, pieces[random.IntN(len(pieces))])
		}
		want := getopt(t, args, posixly)
		settings, operands, err := Parse(args, options, posixly)
		got := "getopt: " + message(t, err)
		if err == nil {
			got = show(settings, operands, options)
		}
		if got != want {
			t.Errorf("%q, posixly %t: got %s, want %s", args, posixly, got, want)
		}
	}
}

// getopt returns what getopt(1) prints, or its first error.
func getopt(t *testing.T, args []string, posixly bool) string {
	t.Helper()
	cmd := exec.Command("getopt", append([]string{
		"--options", "ab:c::", "--longoptions", "alpha,beta:,gamma::,alphabet,album", "--",
	}, args...)...)
	cmd.Env = []string{"LC_ALL=C"}
	if posixly {
		cmd.Env = append(cmd.Env, "POSIXLY_CORRECT=1")
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	text := stdout.String()
	if stderr.Len() > 0 {
		text = stderr.String()
	}
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// show prints what Parse returned as getopt(1) does.
func show(settings []Setting, operands []string, options []Option) string {
	var b strings.Builder
	for _, s := range settings {
		o := options[s.ID-1]
		if o.Short != 0 {
			b.WriteString(" -" + string(rune(o.Short)))
		} else {
			b.WriteString(" --" + o.Long)
		}
		if o.Arg != NoArgument {
			b.WriteString(" '" + s.Value + "'")
		}
	}
	b.WriteString(" --")
	for _, operand := range operands {
		b.WriteString(" '" + operand + "'")
	}
	return b.String()
}

// TestGNU compares the errors with those of cp.
func TestGNU(t *testing.T) {
	if version, err := exec.Command("cp", "--version").Output(); err != nil || !bytes.Contains(version, []byte("GNU coreutils")) {
		t.Skip("no GNU cp here")
	}
	// A part of the options of cp, with all that the arguments below could mean.
	options := []Option{
		{ID: 1, Long: "no-clobber"},
		{ID: 2, Long: "no-dereference"},
		{ID: 3, Long: "no-preserve", Arg: RequiredArgument},
		{ID: 4, Long: "no-target-directory"},
		{ID: 5, Long: "recursive", Short: 'R'},
		{ID: 5, Short: 'r'},
		{ID: 6, Long: "sparse", Arg: RequiredArgument},
		{ID: 7, Long: "target-directory", Short: 't', Arg: RequiredArgument},
	}
	parse := func(args ...string) error {
		_, _, err := Parse(args, options, false)
		return err
	}
	backup := func(args ...string) error {
		_, err := Match(strings.TrimPrefix(args[0], "--backup="), "backup type", []Word[int]{
			{"none", 0},
			{"off", 0},
			{"simple", 1},
			{"never", 1},
			{"existing", 2},
			{"nil", 2},
			{"numbered", 3},
			{"t", 3},
		}, apostrophes)
		return err
	}
	sparse := func(args ...string) error {
		_, err := Match(strings.TrimPrefix(args[0], "--sparse="), "--sparse",
			[]Word[int]{{"never", 0}, {"auto", 1}, {"always", 2}}, apostrophes)
		return err
	}
	for _, tt := range []struct {
		err   func(args ...string) error
		lines []string
	}{
		{parse, []string{
			"--no", "--no=x", "--bogus", "--bogus=x", "--recursive=x", "--recu=x", "--spar", "--target-directory",
			"a -y b", "-é", "-rt", "-R-",
		}},
		{backup, []string{"--backup=x a b", "--backup=n a b", "--backup=nonesuch a b", "--backup=None a b"}},
		{sparse, []string{"--sparse=", "--sparse=a", "--sparse=x"}},
	} {
		for _, line := range tt.lines {
			args := strings.Fields(line)
			cmd := exec.Command("cp", args...)
			cmd.Env = []string{"LC_ALL=C"}
			cmd.Dir = t.TempDir()
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			if err := cmd.Run(); cmd.ProcessState == nil {
				t.Fatal(err)
			}
			got := "cp: " + message(t, tt.err(args...)) + "\nTry 'cp --help' for more information.\n"
			if want := stderr.String(); got != want {
				t.Errorf("%s: got %s, want %s", line, got, want)
			}
		}
	}
}

func apostrophes(s string) string { return "'" + s + "'" }

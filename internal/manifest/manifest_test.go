package manifest_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"psync/internal/manifest"
)

var names = []string{"f", "d/ f ", "*f", "a\nb", `a\b`, "a\\\nb\\n", "ü", "#f", "d/\xff", "tab\t"}

// TestLinesAreThoseOfSha256sum has sha256sum check a list of odd names, and reads the list that it makes.
func TestLinesAreThoseOfSha256sum(t *testing.T) {
	tool, err := exec.LookPath("sha256sum")
	if err != nil {
		t.Skip("no sha256sum here")
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "d"), 0o755); err != nil {
		t.Fatal(err)
	}
	var list strings.Builder
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o644); err != nil {
			t.Skipf("this file system cannot name a file %q: %v", name, err)
		}
		list.WriteString(manifest.Line(sha256.Sum256([]byte(name)), name))
	}
	check := exec.Command(tool, "-c", "--strict", "-")
	check.Dir, check.Stdin = dir, strings.NewReader(list.String())
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("sha256sum: %v\n%s", err, out)
	}
	for _, mode := range []string{"-t", "-b"} {
		make := exec.Command(tool, append([]string{mode, "--"}, names...)...)
		make.Dir = dir
		out, err := make.Output()
		if err != nil {
			t.Fatal(err)
		}
		wantNames(t, string(out))
	}
}

func wantNames(t *testing.T, list string) {
	t.Helper()
	got, err := manifest.Read(strings.NewReader(list))
	if err != nil || len(got) != len(names) {
		t.Fatalf("read %d lines, want %d; %v", len(got), len(names), err)
	}
	for _, name := range names {
		if got[name] != sha256.Sum256([]byte(name)) {
			t.Errorf("%q has the sum %x", name, got[name])
		}
	}
}

type closer struct {
	bytes.Buffer
	err error
}

func (c *closer) Close() error { return c.err }

func TestWhatIsWrittenIsRead(t *testing.T) {
	c := new(closer)
	w := manifest.NewWriter(c)
	for _, name := range names {
		w.Add(sha256.Sum256([]byte(name)), name)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	wantNames(t, "# a comment\n\n"+c.String())
	full := errors.New("full")
	if err := manifest.NewWriter(&closer{err: full}).Close(); err != full {
		t.Errorf("Close = %v, want %v", err, full)
	}
}

func TestWhatIsNoListIsRefused(t *testing.T) {
	sum := strings.Repeat("0f", 32)
	for _, list := range []string{
		"x", sum, sum + " ", sum + "  ", sum + " f", sum[1:] + "  f", "x" + sum[1:] + "  f", `\` + sum + `  a\b`,
		`\` + sum + `  a\`, sum + "  f\n" + strings.Repeat("00", 32) + "  ./f", "MD5 (f) = 00",
	} {
		if got, err := manifest.Read(strings.NewReader(list)); err == nil {
			t.Errorf("%q was read as %v", list, got)
		}
	}
	got, err := manifest.Read(strings.NewReader(sum + "  ././/f\n" + sum + " *f"))
	if _, ok := got["f"]; !ok || len(got) != 1 || err != nil {
		t.Errorf("./ was read as %v; %v", got, err)
	}
}

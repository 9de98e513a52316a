package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestUpdateReplacesTheMarkedPart(t *testing.T) {
	const before = "head\n<!-- bench a -->\nold\n<!-- /bench -->\nmiddle\n<!-- bench b -->\n<!-- /bench -->\nend\n"
	for _, tt := range []struct {
		name, text string
		want       string // an error if empty
	}{
		{"a", before, "head\n<!-- bench a -->\nnew\n<!-- /bench -->\nmiddle\n<!-- bench b -->\n<!-- /bench -->\nend\n"},
		{"b", before, "head\n<!-- bench a -->\nold\n<!-- /bench -->\nmiddle\n<!-- bench b -->\nnew\n<!-- /bench -->\nend\n"},
		{"c", before, ""},
		{"a", before + before, ""},
		{"a", "<!-- bench a -->\nold\n", ""},
		{"a", "<!-- bench a -->\n<!-- bench b -->\n<!-- /bench -->\n", ""},
		{"a", "<!-- /bench -->\n<!-- bench a -->\n", ""},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "file.md")
		if err := os.WriteFile(file, []byte(tt.text), 0o640); err != nil {
			t.Fatal(err)
		}
		m := marked{file, tt.name}
		checked, err := m.check(), m.replace([]byte("new\n"))
		got, readErr := os.ReadFile(file)
		info, statErr := os.Stat(file)
		if readErr != nil || statErr != nil {
			t.Fatal(readErr, statErr)
		}
		if (checked == nil) != (err == nil) {
			t.Errorf("%s in %q: checked %v, then %v", tt.name, tt.text, checked, err)
		}
		want := tt.want
		if want == "" {
			want = tt.text
		}
		if (err == nil) != (tt.want != "") || string(got) != want || info.Mode() != 0o640 {
			t.Errorf("%s in %q: got %q %v, %v; want %q", tt.name, tt.text, got, info.Mode(), err, want)
		}
		if left, err := filepath.Glob(filepath.Join(dir, ".*")); err != nil || len(left) > 0 {
			t.Errorf("left: %v, %v", left, err)
		}
	}
}

func TestUpdateFollowsALink(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file.md"), filepath.Join(dir, "link.md")
	if err := os.WriteFile(file, []byte("<!-- bench a -->\n<!-- /bench -->\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("file.md", link); err != nil {
		t.Skip(err)
	}
	err := marked{link, "a"}.replace([]byte("new\n"))
	if got, readErr := os.ReadFile(file); err != nil || readErr != nil || !strings.Contains(string(got), "new") {
		t.Errorf("got %q, %v, %v", got, err, readErr)
	}
	if _, err := os.Readlink(link); err != nil {
		t.Error(err)
	}
}

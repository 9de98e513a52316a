package filter_test

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
	"testing"

	"psync/internal/filter"
)

// inForce returns the rules of options in force in a directory, where texts are the files, by their paths.
func inForce(t *testing.T, options, dir string, texts map[string]string) (*filter.Rules, error) {
	t.Helper()
	open := files(texts)
	b := filter.Builder{Open: open, Getenv: func(string) string { return "c" }}
	if err := parse(&b, options); err != nil {
		t.Fatal(err)
	}
	r, err := b.Rules(false).At("/up/root", true, open)
	at := ""
	for name := range strings.SplitSeq("/"+dir, "/") {
		if err != nil {
			return nil, err
		}
		at = path.Join(at, name)
		r, err = r.In(at, func(name string) (io.ReadCloser, error) { return open(path.Join(at, name)) })
	}
	return r, err
}

// TestFilesInDirectories checks which of the entries a, b, c and d/ of the directory x/y are hidden.
func TestFilesInDirectories(t *testing.T) {
	const entries = "x/y/a x/y/b x/y/c x/y/d/"
	for _, c := range []struct {
		options, hidden string
		texts           map[string]string
	}{
		{"filter : .r", "x/y/a", map[string]string{".r": "- a"}},
		{"filter : .r", "x/y/b", map[string]string{"x/y/.r": "- b"}},
		{"filter : .r", "", map[string]string{"x/z/.r": "- b", "x/y/d/.r": "- a"}},
		{"filter dir-merge,n .r", "x/y/b", map[string]string{".r": "- a", "x/y/.r": "- b"}},
		{"filter : .r", "x/y/b", map[string]string{".r": "- a", "x/y/.r": "!\n- b"}},
		{"filter : .r; exclude a", "x/y/a", map[string]string{"x/y/.r": "- b\n!"}},
		{"exclude a; filter : .r; exclude b", "x/y/a", map[string]string{"x/y/.r": "+ a\n+ b"}},
		{"filter : .r", "x/y/a", map[string]string{"x/y/.r": "- /a\n- /x/y/b"}},
		{"filter : .r", "x/y/b", map[string]string{"x/.r": "- /a\n- /y/b"}},
		{"filter : .r", "x/y/c", map[string]string{"x/y/.r": "- y/c"}},
		{"filter :- .r", "x/y/a x/y/d/", map[string]string{".r": "a\n#b\nd/"}},
		{"filter :-w .r", "x/y/a x/y/b", map[string]string{".r": "a b"}},
		{"filter :+ .r; exclude *", "x/y/b x/y/c x/y/d/", map[string]string{".r": "a"}},
		{"filter :e a", "x/y/a", nil},
		{"filter :r .r", "", map[string]string{".r": "- a"}},
		{"filter :C", "x/y/a x/y/b", map[string]string{".cvsignore": "c", "x/y/.cvsignore": "a b"}},
		{"filter : .r", "x/y/c", map[string]string{"x/.r": "-C"}},
		{"filter : .r", "x/y/b", map[string]string{".r": ": .s", "x/y/.s": "- b"}},
		{"filter : .r; filter :- .r", "x/y/b", map[string]string{".r": "- b"}},
		{"filter : .r", "x/y/b", map[string]string{"x/y/.r": ". s", "x/y/s": "- b"}},
		{"filter : /.r", "x/y/a x/y/b", map[string]string{"/.r": "- a", "/up/.r": "- /root/x/y/b\n- /x/y/c"}},
		{"filter : /up/.r", "x/y/b", map[string]string{"/.r": "- a", "/up/.r": "- b"}},
		{"filter : ../.r", "x/y/b", map[string]string{"/.r": "- a", "/up/.r": "- b"}},
		{"filter : .r", "", map[string]string{"/up/.r": "- b"}},
		{"filter -/ /up/root/x/y/a; filter -/ /x/y/b; filter -/ root/x/y/c", "x/y/a x/y/c", nil},
		{"filter ./ list", "x/y/a", map[string]string{"list": "- /up/root/x/y/a"}},
	} {
		r, err := inForce(t, c.options, "x/y", c.texts)
		if err != nil {
			t.Errorf("%s with %v: %v", c.options, c.texts, err)
			continue
		}
		if got := which(r.Hidden, entries); got != c.hidden {
			t.Errorf("%s with %v: hides %q, want %q", c.options, c.texts, got, c.hidden)
		}
	}
}

// TestWrongFilesInDirectories expects an error that says where the mistake is.
func TestWrongFilesInDirectories(t *testing.T) {
	for text, want := range map[string]string{
		"- a\nx":        "rules of x: .r: entry 2: ",
		". missing":     "missing",
		". ../r":        "only merge others there",
		". /etc/passwd": "only merge others there",
		". .r":          "rules of x: .r: merge-file include depth",
		"H":             "no pattern",
		": /.s":         "without the path",
	} {
		_, err := inForce(t, "filter : .r", "x", map[string]string{"x/.r": text})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v, want %q", text, err, want)
		}
	}
}

func TestFilesThatCannotBeOpened(t *testing.T) {
	b := new(filter.Builder)
	if err := b.Filter(": .r"); err != nil {
		t.Fatal(err)
	}
	_, err := b.Rules(false).In("", func(string) (io.ReadCloser, error) { return nil, fs.ErrPermission })
	if !errors.Is(err, fs.ErrPermission) {
		t.Errorf("got error %v", err)
	}
}

func TestPerishableRulesKeepNothingInWhatIsRemoved(t *testing.T) {
	var b filter.Builder
	if err := parse(&b, "filter -p a; filter - b"); err != nil {
		t.Fatal(err)
	}
	r := b.Rules(false)
	if got := which(r.Protected, "a b c"); got != "a b" {
		t.Errorf("protects %q", got)
	}
	if got := which(r.InRemoved().Protected, "a b c"); got != "b" {
		t.Errorf("protects %q in what is removed", got)
	}
}

func TestRulesStayTheSameWhereNoFileAddsAny(t *testing.T) {
	r, err := inForce(t, "filter : .r; exclude a", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	below, err := r.In("x", files(nil))
	if err != nil || below != r {
		t.Errorf("got %p, %v, want %p", below, err, r)
	}
}

func TestReadsAbove(t *testing.T) {
	for rule, want := range map[string]bool{": .rules": false, ": /.rules": true, ": a/.rules": true, "- *.o": false, ". /rules": false} {
		b := filter.Builder{Open: files(map[string]string{"/rules": "- a\n"})}
		if err := b.Filter(rule); err != nil {
			t.Fatal(err)
		}
		if got := b.Rules(false).ReadsAbove(); got != want {
			t.Errorf("%q: %v", rule, got)
		}
	}
}

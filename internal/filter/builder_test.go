package filter_test

import (
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"

	"psync/internal/filter"
)

// parse gives a Builder a command line such as "include a.o; exclude *.o".
func parse(b *filter.Builder, options string) error {
	add := map[string]func(string) error{
		"exclude": b.Exclude, "include": b.Include, "filter": b.Filter,
		"exclude-from": b.ExcludeFrom, "include-from": b.IncludeFrom,
		"exclude-regex": b.ExcludeRegexp, "include-regex": b.IncludeRegexp,
	}
	for option := range strings.SplitSeq(options, "; ") {
		name, value, _ := strings.Cut(option, " ")
		b.Option = name
		if err := add[name](value); err != nil {
			return err
		}
	}
	return nil
}

// files opens the files of a test.
func files(texts map[string]string) func(string) (io.ReadCloser, error) {
	return func(name string) (io.ReadCloser, error) {
		text, ok := texts[name]
		if !ok {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
		return io.NopCloser(strings.NewReader(text)), nil
	}
}

// TestRules checks which of the entries a, b, c and d/ are hidden and which are protected.
func TestRules(t *testing.T) {
	const entries = "a b c d/"
	for _, c := range []struct {
		options           string
		hidden, protected string
	}{
		// The first match decides.
		{"exclude a", "a", "a"},
		{"exclude a; exclude b", "a b", "a b"},
		{"include a; exclude *", "b c d/", "b c d/"},
		{"exclude *; include a", "a b c d/", "a b c d/"},
		{"include */; exclude *", "a b c", "a b c"},

		// Prefixes of old.
		{"exclude + a; exclude *", "b c d/", "b c d/"},
		{"include - a", "a", "a"},
		{"exclude a; exclude !; exclude b", "b", "b"},
		{"exclude a; include !", "", ""},
		{"exclude a; exclude !b", "a", "a"},
		{"exclude a; exclude ", "a", "a"},
		{"exclude -a", "", ""},

		// Sides.
		{"filter - a", "a", "a"},
		{"filter H a", "a", ""},
		{"filter P a", "", "a"},
		{"filter -s a", "a", ""},
		{"filter -r a", "", "a"},
		{"filter -sr a", "a", "a"},
		{"filter S a; filter - *", "b c d/", "a b c d/"},
		{"filter R a; filter - *", "a b c d/", "b c d/"},
		{"filter +s a; filter +r b; filter -_*", "b c d/", "a c d/"},

		// Spellings.
		{"filter exclude a; filter include b; filter hide,! *", "a", "a"},
		{"filter hide a; filter protect b", "a", "b"},
		{"filter show a; filter risk b; filter -_*", "b c d/", "a c d/"},
		{"filter -,s a", "a", ""},
		{"filter exclude,s_a", "a", ""},
		{"filter -_a", "a", "a"},
		{"filter -  a", "", ""}, // the pattern begins with a space
		{"filter - a; filter !; filter - b", "b", "b"},
		{"filter - a; filter clear; filter - b", "b", "b"},
		{"filter ", "", ""},

		// Negation.
		{"filter -! a", "b c d/", "b c d/"},
		{"filter -! */", "a b c", "a b c"},
		{"filter -! d/", "a b c", "a b c"},
		{"filter H! [ab]", "c d/", ""},

		// What CVS ignores.
		{"filter -C", "", ""},
		{"filter -C; filter - a", "a", "a"},
		{"filter .C words", "a b", "a b"},
		{"filter -p a", "a", "a"},

		// Regular expressions.
		{"exclude-regex ^[ab]$", "a b", "a b"},
		{"include-regex a; exclude-regex .", "b c d/", "b c d/"},
		{"exclude-regex ^/|/$", "", ""},

		// Files.
		{"exclude-from list", "a b", "a b"},
		{"include-from list; exclude *", "c d/", "c d/"},
		{"exclude c; exclude-from cleared", "b", "b"},
		{"exclude-from crlf", "a b", "a b"},
		{"filter . rules", "a", "b"},
		{"filter merge rules", "a", "b"},
		{"filter ._outer", "a c", "b c"},
		{"filter .s plain", "a", ""},
		{"filter .- list", "a b", "a b"},
		{"filter .+ list; exclude *", "c d/", "c d/"},
		{"filter .w- words", "a b", "a b"},
		{"filter .w prefixed", "a", "b"},
		{"filter .e b", "b", "b"},
		{"filter .n plain", "a", "a"},
		{"exclude-from empty", "", ""},
	} {
		b := filter.Builder{Open: files(map[string]string{
			"list":     "# comment\n;comment\n\na\nb",
			"cleared":  "!\nb\n",
			"crlf":     "a\r\nb\r\n",
			"rules":    "H a\n#\nP b\n",
			"outer":    "- c\n. rules\n",
			"plain":    "- a\n",
			"words":    "a #x\n b\t",
			"prefixed": "H_a P_b",
			"b":        "+ b\n",
			"empty":    "",
		})}
		if err := parse(&b, c.options); err != nil {
			t.Errorf("%s: %v", c.options, err)
			continue
		}
		r := b.Rules(false)
		if got := which(r.Hidden, entries); got != c.hidden {
			t.Errorf("%s: hides %q, want %q", c.options, got, c.hidden)
		}
		if got := which(r.Protected, entries); got != c.protected {
			t.Errorf("%s: protects %q, want %q", c.options, got, c.protected)
		}
	}
}

func which(question func(string, bool) bool, entries string) string {
	var list []string
	for path := range strings.FieldsSeq(entries) {
		if ask(question, path) {
			list = append(list, path)
		}
	}
	return strings.Join(list, " ")
}

func TestDeleteExcludedLeavesUnqualifiedRulesToTheSender(t *testing.T) {
	var b filter.Builder
	if err := parse(&b, "exclude a; filter P b; filter -sr c; exclude-regex d"); err != nil {
		t.Fatal(err)
	}
	r := b.Rules(true)
	if got := which(r.Hidden, "a b c d/"); got != "a c d/" {
		t.Errorf("hides %q", got)
	}
	if got := which(r.Protected, "a b c d/"); got != "b c" {
		t.Errorf("protects %q", got)
	}
}

func TestFrom0ReadsLinesAsOneEntry(t *testing.T) {
	b := filter.Builder{From0: true, Open: files(map[string]string{"list": "a\nb\x00#c\x00d\x00"})}
	if err := b.ExcludeFrom("list"); err != nil {
		t.Fatal(err)
	}
	r := b.Rules(false)
	for name, want := range map[string]bool{"a\nb": true, "a": false, "b": false, "#c": false, "d": true} {
		if got := r.Hidden(name, false); got != want {
			t.Errorf("%q: got %t, want %t", name, got, want)
		}
	}
}

func TestNoRulesHideNothing(t *testing.T) {
	var b filter.Builder
	r := b.Rules(false)
	if r != nil || r.Hidden("a", false) || r.Protected("a", true) {
		t.Errorf("got %v", r)
	}
}

func TestTheRootIsNeverFiltered(t *testing.T) {
	var b filter.Builder
	if err := parse(&b, "exclude **; exclude-regex ^"); err != nil {
		t.Fatal(err)
	}
	if r := b.Rules(false); r.Hidden("", true) || r.Protected("", true) {
		t.Error("the root is filtered")
	}
}

// TestWrongRules expects an error that describes the mistake.
func TestWrongRules(t *testing.T) {
	for _, c := range []struct{ options, want string }{
		{"filter a", "unknown rule"},
		{"filter  - a", "unknown rule"},
		{"filter excludes a", "unknown rule"},
		{"filter excludea", "unknown rule"},
		{"filter \xff a", "unknown rule"},
		{"filter -", "no pattern"},
		{"filter - ", "no pattern"},
		{"exclude - ", "no pattern"},
		{"filter hide", "no pattern"},
		{"filter ! a", "clear"},
		{"filter !_", "clear"},
		{"filter clear ", "clear"},
		{"filter -q a", "modifier 'q'"},
		{"filter -,, a", "modifier ','"},
		{"filter -e a", "modifier 'e'"},
		{"filter -foo", "modifier 'f'"},
		{"filter Hs a", "names its side"},
		{"filter protect,r a", "names its side"},
		{"filter HC", "names its side"},
		{"filter .-C list", "modifier 'C'"},
		{"filter : a/..", "needs a name"},
		{"filter :", "no file name"},
		{"filter .", "no file name"},
		{"filter .! list", "modifier '!'"},
		{"filter .+- list", "modifier '-'"},
		{"filter . none", "none"},
		{"exclude-from none", "none"},
		{"filter . bad", "bad: entry 3: "},
		{"filter .r hide", "names a side"},
		{"filter .r nested", "names a side"},
		{"filter . itself", "itself: merge-file include depth limit of 32 exceeded; does a file merge itself?"},
		{"exclude-regex (", "missing closing )"},
		{"exclude-regex ", "empty"},
	} {
		b := filter.Builder{Open: files(map[string]string{
			"list":   "a",
			"bad":    "- a\r\n\r\nx\r\n",
			"hide":   "H a",
			"nested": ".s list",
			"itself": ". itself",
		})}
		if err := parse(&b, c.options); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.options, err, c.want)
		}
	}
}

func TestFilesThatFail(t *testing.T) {
	var b filter.Builder
	if err := b.ExcludeFrom("x"); err == nil {
		t.Error("no error without Open")
	}
	broken := errors.New("broken")
	for name, f := range map[string]io.ReadCloser{"read": failing{read: broken}, "close": failing{read: io.EOF, close: broken}} {
		b.Open = func(string) (io.ReadCloser, error) { return f, nil }
		if err := b.ExcludeFrom("x"); !errors.Is(err, broken) {
			t.Errorf("%s: got error %v", name, err)
		}
	}
	b.Open = files(nil)
	if err := b.Filter(". x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got error %v", err)
	}
}

type failing struct{ read, close error }

func (f failing) Read([]byte) (int, error) { return 0, f.read }
func (f failing) Close() error             { return f.close }

func TestWhatCVSIgnores(t *testing.T) {
	env := map[string]string{"HOME": "/home", "CVSIGNORE": "c ! d"}
	b := filter.Builder{Open: files(map[string]string{"/home/.cvsignore": "! b"}), Getenv: func(name string) string { return env[name] }}
	if err := b.Filter("-C"); err != nil {
		t.Fatal(err)
	}
	if got := which(b.Rules(false).Hidden, "x.o b c d"); got != "d" {
		t.Errorf("hides %q", got)
	}
	b = filter.Builder{Open: files(nil), Getenv: func(name string) string { return map[string]string{"HOME": "/home"}[name] }}
	if err := b.Filter("-C"); err != nil {
		t.Fatal(err)
	}
	if got := which(b.Rules(false).Hidden, "x.o a~ .git/ .git core cores .svn/"); got != "x.o a~ .git/ core .svn/" {
		t.Errorf("hides %q", got)
	}
}

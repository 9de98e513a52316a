package glob_test

import (
	"slices"
	"strings"
	"testing"

	"psync/internal/operand/glob"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

func TestExpand(t *testing.T) {
	m := memfs.New()
	root := m.Root()
	t.Cleanup(func() { root.Close() })
	fstest.Fill(t, root, `a1.txt 644
a2.txt 644
a[1].txt 644
.hidden 644
b\c 644
lost -> nowhere
d1/f 644
d2/f 644
d2/g 644
`)
	h := memfs.NewHost(1, m)
	tests := []struct{ path, want string }{
		{"/a1.txt", "/a1.txt"},
		{"/missing", "/missing"},
		{"/a*.txt", "/a1.txt /a2.txt /a[1].txt"},
		{"/a?.txt", "/a1.txt /a2.txt"},
		{"/a[2-9].txt", "/a2.txt"},
		{"/a[!2].txt", "/a1.txt"},
		{`/a\[1\].txt`, "/a[1].txt"},
		{`/a\[*`, "/a[1].txt"},
		{`/b\c`, `/b\c`},
		{`/b\*`, "/b*"},
		{`/b\?*`, "/b?*"},
		{"/*d*n", "/*d*n"},
		{"/.h*", "/.hidden"},
		{"/l*", "/lost"},
		{"/l*/", "/l*/"},
		{"/d*", "/d1 /d2"},
		{"/d*/", "/d1/ /d2/"},
		{"/d*/f", "/d1/f /d2/f"},
		{"/d*/g", "/d2/g"},
		{"/d*//?", "/d1//f /d2//f /d2//g"},
		{"/*/f", "/d1/f /d2/f"},
		{"/d?/./[g]", "/d2/./g"},
		{"/a*/f", "/a*/f"},
		{"/nowhere/*", "/nowhere/*"},
		{"/d1/../a1*", "/d1/../a1.txt"},
	}
	for _, tt := range tests {
		got, err := glob.Expand(h, tt.path, func(vfs.Questions) {})
		if want := strings.Fields(tt.want); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %q, %v, want %q", tt.path, got, err, want)
		}
	}
}

func TestWords(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"", nil},
		{" \t", nil},
		{"one two", []string{"one", "two"}},
		{" one  two ", []string{"one", "two"}},
		{`one\ two`, []string{"one two"}},
		{`'one two'/x "th ree"`, []string{"one two/x", "th ree"}},
		{`a* 'b*' c\?`, []string{"a*", `b\*`, `c\?`}},
		{`"a\"b" "c\d" '\'`, []string{`a"b`, `c\d`, `\`}},
		{`'' x`, []string{"", "x"}},
		{`'open end`, []string{"open end"}},
		{`x\`, []string{`x\`}},
	}
	for _, tt := range tests {
		if got := glob.Words(tt.text); !slices.Equal(got, tt.want) {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
	}
}

// An asking host fails the test if it is asked about a path that was not announced.
type asking struct {
	vfs.Host
	t         *testing.T
	announced map[string]bool
}

func (h asking) Stat(path string, how vfs.Resolve) (vfs.Attr, error) {
	if !h.announced[path] {
		h.t.Errorf("the host is asked about %s", path)
	}
	return h.Host.Stat(path, how)
}

// TestHostsAreAskedAtOnce expands patterns on a host far away, where each question that was not announced takes a round trip.
func TestHostsAreAskedAtOnce(t *testing.T) {
	m := memfs.New()
	root := m.Root()
	t.Cleanup(func() { root.Close() })
	fstest.Fill(t, root, "d1/f 644\nd2/f 644\nd3/g 644\nl -> d1\n")
	for path, want := range map[string]string{"/d*": "/d1 /d2 /d3", "/d?/": "/d1/ /d2/ /d3/", "/*/f": "/d1/f /d2/f /l/f"} {
		h := asking{memfs.NewHost(1, m), t, make(map[string]bool)}
		got, err := glob.Expand(h, path, func(q vfs.Questions) {
			for _, path := range slices.Concat(q.Stat, q.Lstat) {
				h.announced[path] = true
			}
		})
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: got %q, %v, want %s", path, got, err, want)
		}
	}
}

package fstest_test

import (
	"strings"
	"testing"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

const filled = `
./ 700 @2001-02-03T04:05:06Z
"a b"/ 1777 @1969-12-31T23:59:59.5Z
"a b/\xff\n" 644 @2100-01-01T00:00:00Z "two\nlines\n"
closed/ 000 @2001-02-03T04:05:06.000000007Z
dir/ 755 @2001-02-03T04:05:06Z
dir/empty 644 @2001-02-03T04:05:06Z
dir/file 4755 @2001-02-03T04:05:06Z some words
dir/link @2001-02-03T04:05:06Z -> ../a target
dir/sub/ 755 @2001-02-03T04:05:06Z
dir/sub/arrow 644 @2001-02-03T04:05:06Z "-> x"
dir/sub/at 644 @2001-02-03T04:05:06Z "@x"
dir/sub/note 644 @2001-02-03T04:05:06Z "(x)"
dir/sub/space 644 @2001-02-03T04:05:06Z " "
`

func TestFillAndTreeAgree(t *testing.T) {
	d := memfs.New().TestRoot(t)
	fstest.Fill(t, d, filled)
	got := fstest.Tree(t, d, fstest.WithRoot, fstest.WithMtimes)
	if want := strings.TrimPrefix(filled, "\n"); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

func TestFillTakesWhatTreeShortens(t *testing.T) {
	d := memfs.New().TestRoot(t)
	fstest.Fill(t, d, `
		a/b/f   600   hello
		a/b/big 600   "0123456789"*100
		a/link ->     a/b
		a/z/

		plain
	`)
	const want = `a/ 755
a/b/ 755
a/b/big 600 (1000 bytes, sha256 ab6c5f3237f5)
a/b/f 600 hello
a/link -> a/b
a/z/ 755
plain 644
`
	if got := fstest.Tree(t, d); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

func TestFillReplaces(t *testing.T) {
	d := memfs.New().TestRoot(t)
	fstest.Fill(t, d, "dir/file 644 old\nlink -> old\nkept 644 kept")
	fstest.Fill(t, d, "dir/ 700\ndir/file 600 new\nlink 644 a file")
	const want = "dir/ 700\ndir/file 600 new\nkept 644 kept\nlink 644 a file\n"
	if got := fstest.Tree(t, d); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

func TestFillSetsOnlyModificationTimes(t *testing.T) {
	m := memfs.New()
	d := m.TestRoot(t)
	start := m.Now()
	fstest.Fill(t, d, "f 644 @2001-02-03T04:05:06Z x")
	a, err := vfs.Lstat(d, "f")
	must(t, err)
	if want := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC); !a.Mtime.Equal(want) || a.Atime.Before(start) {
		t.Errorf("times %v and %v, want a recent one and %v", a.Atime, a.Mtime, want)
	}
}

// stopped is a TB that records whether a test was ended.
type stopped struct {
	testing.TB
	fatal bool
}

func (s *stopped) Helper()               {}
func (s *stopped) Fatalf(string, ...any) { s.fatal = true }

func TestFillRefusesMalformedLines(t *testing.T) {
	for _, line := range []string{
		"f hello",
		"f 99",
		"f 644 (a note)",
		`f 644 "open`,
		`f 644 "x"y`,
		`f 644 "x"*-1`,
		`"f 644`,
		"f @yesterday",
		"d/ 755 contents",
		"d/ -> target",
		"l 777 -> target",
		"l ->",
		"/",
		"../f 644 x",
	} {
		d := memfs.New().TestRoot(t)
		tb := stopped{TB: t}
		fstest.Fill(&tb, d, line)
		if !tb.fatal {
			t.Errorf("%q was taken", line)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

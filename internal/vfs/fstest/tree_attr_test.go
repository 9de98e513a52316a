package fstest_test

import (
	"strings"
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

const richlyFilled = `
./ 700 @2001-02-03T04:05:06Z @btime=2000-01-01T00:00:00Z @owner=0:0 @user.root=x
a 644 @2001-02-03T04:05:06Z @btime=2000-01-01T00:00:00.5Z @owner=501:20 @flags=0x8002 @acl=everyone:0x2:0x10,everyone:0x1:0x100 @empty="" @user.tag=red @user.two="two words" text
b (= a)
block 600 @2001-02-03T04:05:06Z @btime=2000-01-01T00:00:00Z @owner=0:0 (block 0x801)
char 600 @2001-02-03T04:05:06Z @btime=2000-01-01T00:00:00Z @owner=0:0 (char 0x103)
d/ 755 @2001-02-03T04:05:06Z @btime=2000-01-01T00:00:00Z @owner=0:0 @flags=0x2
"d/a b" (= a)
d/fifo 600 @2001-02-03T04:05:06Z @btime=2000-01-01T00:00:00Z @owner=0:0 (fifo)
link @2001-02-03T04:05:06Z @btime=2000-01-01T00:00:00Z @owner=0:0 @user.link=x -> a
odd 644 @2001-02-03T04:05:06Z @btime=2000-01-01T00:00:00Z @owner=0:0 @" "="(x)" @"="="\x00" "@x=y"
`

func TestFillAndTreeAgreeOnMetadata(t *testing.T) {
	d := memfs.NewMac(memfs.Mac{}).Plant()
	defer d.Close()
	fstest.Fill(t, d, richlyFilled)
	got := fstest.Tree(t, d, everything...)
	if want := strings.TrimPrefix(richlyFilled, "\n"); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

func TestTreeDescribesNoMoreThanAsked(t *testing.T) {
	d := memfs.New().TestRoot(t)
	fstest.Fill(t, d, "a 644 @user.x=y @flags=0x40 text\nb (= a)\nc 600 (socket)")
	for _, tt := range []struct {
		opt  fstest.TreeOption
		want string
	}{
		{-1, "a 644 text\nb 644 text\nc 600 (socket)\n"},
		{fstest.WithXattrs, "a 644 @user.x=y text\nb 644 @user.x=y text\nc 600 (socket)\n"},
		{fstest.WithFlags, "a 644 @flags=0x40 text\nb 644 @flags=0x40 text\nc 600 (socket)\n"},
		{fstest.WithOwners, "a 644 @owner=0:0 text\nb 644 @owner=0:0 text\nc 600 @owner=0:0 (socket)\n"},
		{fstest.WithLinks, "a 644 text\nb (= a)\nc 600 (socket)\n"},
	} {
		if got := fstest.Tree(t, d, tt.opt); got != tt.want {
			t.Errorf("option %d: got:\n%swant:\n%s", tt.opt, got, tt.want)
		}
	}
}

func TestTreeOfADirWithoutNodes(t *testing.T) {
	d := memfs.New().TestRoot(t)
	fstest.Fill(t, d, "a 644 @user.x=y text")
	if got, want := fstest.Tree(t, faultfs.Without(d, vfs.CanNode), fstest.WithXattrs), "a 644 text\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTreeShortensLongAttributes(t *testing.T) {
	d := memfs.New().TestRoot(t)
	fstest.Fill(t, d, `f 644 @user.long="0123456789"*100`)
	const want = "f 644 @user.long=(1000 bytes, sha256 ab6c5f3237f5)\n"
	if got := fstest.Tree(t, d, fstest.WithXattrs); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFillRefusesMalformedAttributes(t *testing.T) {
	for _, line := range []string{
		"f 644 @=x",
		`f 644 @"a"`,
		`f 644 @a="x`,
		`f 644 @a="x"y`,
		"f 644 @a=(4096 bytes, sha256 8543b7c1c25e)",
		"f 644 @btime=yesterday",
		"f 644 @owner=me",
		"f 644 @flags=locked",
		"f 644 @acl=me:0x1:0x1",
		"f 644 @acl=everyone:0x1",
		"f 644 (fifo",
		"f 644 (char)",
		"f 644 (fifo 1)",
		"f 644 (= )",
		"f (= g h)",
		"d/ 755 (fifo)",
	} {
		d := memfs.New().TestRoot(t)
		tb := stopped{TB: t}
		fstest.Fill(&tb, d, line)
		if !tb.fatal {
			t.Errorf("%q was taken", line)
		}
	}
}

// everything are the options that make Tree describe all it can.
var everything = []fstest.TreeOption{
	fstest.WithRoot, fstest.WithMtimes, fstest.WithBtimes, fstest.WithOwners,
	fstest.WithFlags, fstest.WithXattrs, fstest.WithLinks,
}

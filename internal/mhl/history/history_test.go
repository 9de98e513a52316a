package history_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"psync/internal/content"
	"psync/internal/mhl"
	"psync/internal/mhl/history"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

var created = time.Date(2020, 1, 16, 9, 15, 0, 0, time.UTC)

// newCard returns a directory with a tree.
func newCard(t *testing.T, tree string) vfs.Dir {
	t.Helper()
	root := memfs.New().Root()
	t.Cleanup(func() { root.Close() })
	fstest.Fill(t, root, tree)
	return root
}

// write adds a generation of the directory, after some of its files were recorded.
func write(t *testing.T, dir vfs.Dir, recorded ...string) (failed []string, err error) {
	t.Helper()
	r := history.NewRecorder()
	for _, path := range recorded {
		at, name := "", path
		if i := strings.LastIndexByte(path, '/'); i >= 0 {
			at, name = path[:i], path[i+1:]
		}
		in, err := vfs.Descend(dir, at, vfs.NoFollow.OpenDir)
		if err != nil {
			t.Fatal(err)
		}
		if in != dir {
			defer in.Close()
		}
		f, err := in.OpenFile(name, vfs.ReadOnly, 0)
		if err != nil {
			t.Fatal(err)
		}
		h := r.NewFileHash()
		attr, err := vfs.Stat(f)
		if err == nil {
			err = content.Digest(t.Context(), h, f)
		}
		if err = errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
		h.Record(path, attr)
	}
	return r.Write(t.Context(), dir, "card", mhl.Creator{Host: "h", Tool: "psync", Version: "1", Created: created})
}

func mustWrite(t *testing.T, dir vfs.Dir, recorded ...string) {
	t.Helper()
	if failed, err := write(t, dir, recorded...); err != nil || failed != nil {
		t.Fatalf("failed %q; %v", failed, err)
	}
}

// generation returns the contents of a file of the history.
func generation(t *testing.T, dir vfs.Dir, name string) string {
	t.Helper()
	in, err := dir.OpenDir(mhl.Dir, vfs.NoFollow)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	f, err := in.OpenFile(name, vfs.ReadOnly, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer vfs.CloseUnwritten(f)
	var b strings.Builder
	if err := content.Digest(t.Context(), &b, f); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const (
	first  = "0001_card_2020-01-16_091500Z.mhl"
	second = "0002_card_2020-01-16_091500Z.mhl"
	card   = "./ 755 @2001-01-01T00:00:00Z\nA/1.mov 644 \"one\\n\"\nA/B/2.mov 644 \"two\\n\"\nempty/\nzero 644\nlnk -> zero\ndangling -> nowhere\n.DS_Store 644 x\n"
)

// TestFirstGeneration has the hashes that the reference implementation makes of the same tree.
func TestFirstGeneration(t *testing.T) {
	dir := newCard(t, card)
	mustWrite(t, dir, "A/1.mov")
	got := generation(t, dir, first)
	for _, want := range []string{
		">fb1e6fa5ced524e4<", ">b66f02fb47ed852f<", ">93d5c9cfeb50d7e8<", ">9564ef42cb46d01f<",
		">A/1.mov<", "action=\"original\"", ">22c8b2fe096816df<", ">lnk<", ">empty<", "size=\"4\"",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the list lacks %s", want)
		}
	}
	for _, bad := range []string{">.DS_Store</path", "dangling", "verified"} {
		if strings.Contains(got, bad) {
			t.Errorf("the list has %s", bad)
		}
	}
	if chain := generation(t, dir, mhl.ChainFile); !strings.Contains(chain, mhl.C4Of([]byte(got))) || !strings.Contains(chain, first) {
		t.Errorf("the chain is\n%s", chain)
	}
	if attr, err := vfs.Lstat(dir, "."); err != nil || attr.Mtime.Year() != 2001 {
		t.Errorf("the directory is of %v; %v", attr.Mtime, err)
	}
}

func TestHistoryGoesOn(t *testing.T) {
	dir := newCard(t, card)
	mustWrite(t, dir)
	fstest.Fill(t, dir, "new 644 x")
	mustWrite(t, dir, "A/1.mov", "new")
	got := generation(t, dir, second)
	if n, o := strings.Count(got, "action=\"verified\""), strings.Count(got, "action=\"original\""); n != 4 || o != 1 {
		t.Errorf("%d files are verified and %d new, want 4 and 1", n, o)
	}
	if chain := generation(t, dir, mhl.ChainFile); !strings.Contains(chain, first) || !strings.Contains(chain, "sequencenr=\"2\"") {
		t.Errorf("the chain is\n%s", chain)
	}
	fstest.Fill(t, dir, "A/1.mov 644 \"onE\\n\"")
	failed, err := write(t, dir, "A/1.mov")
	if err != nil || !slices.Equal(failed, []string{"A/1.mov"}) {
		t.Errorf("failed %q; %v", failed, err)
	}
	if err := history.Check(dir); err != nil {
		t.Error(err)
	}
}

// TestNested has what the reference implementation makes of the same tree: a directory with a history of its own stands in
// the one above it with its hashes, and with a reference to its new generation, and what is in it only in its own.
func TestNested(t *testing.T) {
	dir := newCard(t, "A/1.mov 644 \"one\\n\"\nA/B/2.mov 644 \"two\\n\"\nz 644 \"z\\n\"\n")
	a, err := dir.OpenDir("A", vfs.NoFollow)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	mustWrite(t, a)
	mustWrite(t, dir, "A/1.mov")
	const below = "0002_A_2020-01-16_091500Z.mhl"
	own, above := generation(t, a, below), generation(t, dir, first)
	for _, want := range []string{">1.mov<", ">B/2.mov<", ">B<", "action=\"verified\"", ">93d5c9cfeb50d7e8<", ">9564ef42cb46d01f<"} {
		if !strings.Contains(own, want) {
			t.Errorf("the list of A lacks %s:\n%s", want, own)
		}
	}
	for _, want := range []string{
		">A<", ">93d5c9cfeb50d7e8<", ">9564ef42cb46d01f<", ">e3ae300d7b4c9ff7<", ">e1b6fd0cb736ea9e<", ">z<",
		"<references>\n    <hashlistreference>\n      <path>A/ascmhl/" + below + "</path>\n      <c4>" + mhl.C4Of([]byte(own)) + "</c4>\n",
	} {
		if !strings.Contains(above, want) {
			t.Errorf("the list lacks %s:\n%s", want, above)
		}
	}
	if strings.Contains(above, ".mov") || strings.Contains(own, "A/") {
		t.Errorf("files of A are in\n%s\nor as above A in\n%s", above, own)
	}
	fstest.Fill(t, dir, "A/1.mov 644 \"onE\\n\"")
	if failed, err := write(t, dir, "A/1.mov"); err != nil || !slices.Equal(failed, []string{"A/1.mov"}) {
		t.Errorf("failed %q; %v", failed, err)
	}
}

// plant replaces the history by one of a single generation, whose list has these elements for zero.
func plant(t *testing.T, dir vfs.Dir, hashes, patterns string) {
	t.Helper()
	list := `<hashlist version="2.0" xmlns="urn:ASC:MHL:v2.0"><processinfo><ignore>` + patterns + `</ignore></processinfo>` +
		`<hashes><hash><path>zero</path>` + hashes + `</hash></hashes></hashlist>`
	chain, err := mhl.Chain([]mhl.Link{{Number: 1, Name: "0001_x.mhl", C4: mhl.C4Of([]byte(list))}})
	if err != nil {
		t.Fatal(err)
	}
	if err := vfs.Mkdir(dir, mhl.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	in, err := dir.OpenDir(mhl.Dir, vfs.NoFollow)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	for name, contents := range map[string]string{"0001_x.mhl": list, mhl.ChainFile: string(chain)} {
		f, err := in.OpenFile(name, vfs.Create, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteAt([]byte(contents), 0); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOtherFormats continues histories with hashes that are not ours.
func TestOtherFormats(t *testing.T) {
	for _, tt := range []struct{ hashes, want, err string }{
		{"<md5>d41d8cd98f00b204e9800998ecf8427e</md5>", "<md5 action=\"verified\"", ""},
		{"<c4>" + mhl.C4Of(nil) + "</c4>", "<xxh64 action=\"verified\"", ""},
		{"<md5>00</md5>", "<xxh64 action=\"failed\"", ""},
		{"<xxh128>00</xxh128>", "", "only its xxh128"},
	} {
		dir := newCard(t, card)
		plant(t, dir, tt.hashes, "")
		failed, err := write(t, dir, "zero")
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s: %v", tt.hashes, err)
			}
			continue
		}
		if err != nil || (failed != nil) != strings.Contains(tt.want, "failed") {
			t.Errorf("%s: failed %q; %v", tt.hashes, failed, err)
		}
		if got := generation(t, dir, second); !strings.Contains(got, tt.want) {
			t.Errorf("%s: got\n%s", tt.hashes, got)
		}
	}
}

// TestWhatCannotBeContinued has histories and trees that are refused, and stay as they are.
func TestWhatCannotBeContinued(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		early      bool // before anything is copied
		spoil      func(t *testing.T, dir vfs.Dir)
	}{
		{"changed list", "is not what the chain file says", true, func(t *testing.T, dir vfs.Dir) {
			plant(t, dir, "", "")
			fstest.Fill(t, dir, "ascmhl/0001_x.mhl 644 other")
		}},
		{"no list", "0001_x.mhl", true, func(t *testing.T, dir vfs.Dir) {
			plant(t, dir, "", "")
			in, err := dir.OpenDir(mhl.Dir, vfs.NoFollow)
			if err == nil {
				err = in.Remove("0001_x.mhl", nil)
				in.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
		}},
		{"no chain", "without a chain file", true, func(t *testing.T, dir vfs.Dir) { fstest.Fill(t, dir, "ascmhl/") }},
		{"no XML", "ascmhl_chain.xml", true, func(t *testing.T, dir vfs.Dir) { fstest.Fill(t, dir, "ascmhl/ascmhl_chain.xml 644 x") }},
		{"patterns", "*.tmp", true, func(t *testing.T, dir vfs.Dir) { plant(t, dir, "", "<pattern>*.tmp</pattern>") }},
		{"a history below", "A: ascmhl: a history without a chain file", false, func(t *testing.T, dir vfs.Dir) { fstest.Fill(t, dir, "A/ascmhl/") }},
		{"a name", "XML has no words", false, func(t *testing.T, dir vfs.Dir) { fstest.Fill(t, dir, `"a\x01" 644 x`) }},
	} {
		dir := newCard(t, card)
		tt.spoil(t, dir)
		before := fstest.Tree(t, dir)
		if err := history.Check(dir); (err != nil) != tt.early {
			t.Errorf("%s: Check = %v", tt.name, err)
		}
		if _, err := write(t, dir); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if after := fstest.Tree(t, dir); after != before {
			t.Errorf("%s: before\n%s\nafter\n%s", tt.name, before, after)
		}
	}
}

func TestInterrupt(t *testing.T) {
	why := errors.New("interrupted")
	ctx, stop := context.WithCancelCause(t.Context())
	stop(why)
	if _, err := history.NewRecorder().Write(ctx, newCard(t, card), "card", mhl.Creator{}); err != why {
		t.Errorf("Write = %v, want %v", err, why)
	}
}

package agent

import (
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/vfs"
	"psync/internal/wire"
	"psync/internal/wire/link"
)

// listAll returns the listings that answer List, in their order, as lines "path: names".
func listAll(t *testing.T, c *client, l *wire.List) (lines []string, parts []*wire.Listing) {
	t.Helper()
	answers := c.send(l)
	for {
		p := mustBe[wire.Listing](c, <-answers)
		if int(p.Seq) != len(parts) {
			t.Errorf("part %d has number %d", len(parts), p.Seq)
		}
		parts = append(parts, p)
		var names []string
		for _, e := range p.Entries {
			names = append(names, e.Name)
		}
		slices.Sort(names)
		line := p.Path + ": " + strings.Join(names, " ")
		if p.Failure != nil {
			line += " failed"
		}
		if p.First {
			lines = append(lines, line)
		}
		if p.End {
			if !p.Last {
				t.Error("the end is not that of a directory")
			}
			return lines, parts
		}
	}
}

// TestListingsAheadTakeNoMoreThanAskedFor has empty directories, whose listings take little each.
func TestListingsAheadTakeNoMoreThanAskedFor(t *testing.T) {
	dir := t.TempDir()
	for _, sub := range []string{"mimetypes", "emotes", "status", "apps"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	c := connect(t, Options{})
	c.open(1, dir)
	for ahead := range 4 * (wire.MinListing + len("mimetypes")) {
		_, parts := listAll(t, c, &wire.List{Dir: 1, Ahead: uint32(ahead)})
		took := 0
		for _, p := range parts[1:] {
			took += wire.MinListing + len(p.Path)
		}
		if took > ahead {
			t.Errorf("%d listings took %d bytes of %d", len(parts)-1, took, ahead)
		}
	}
}

func TestListGoesAhead(t *testing.T) {
	dir := fixture(t)
	for _, sub := range []string{"d/e/g", "d/h", "b"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	c := connect(t, Options{})
	c.open(1, dir)
	lines, parts := listAll(t, c, &wire.List{Dir: 1, Ahead: 1 << 20})
	if !slices.Equal(sorted(lines[1:]), []string{"b: ", "d/e/g: ", "d/e: g", "d/h: ", "d: e f h"}) || lines[0] != ": b d file in out" {
		t.Errorf("listings are %q", lines)
	}
	at := func(path string) int {
		return slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, path+":") })
	}
	if at("d/e") < at("b") || at("d/e") < at("d") || at("d/e/g") < at("d/h") {
		t.Errorf("listings are %q, want them breadth first", lines)
	}
	for _, p := range parts {
		if (p.Info == nil) != (p.Path == "") || p.Info != nil && (!p.Info.Attr.Mode.IsDir() || p.Info.Caps == 0) {
			t.Errorf("%s has %+v", p.Path, p.Info)
		}
		for _, e := range p.Entries {
			if e.Name == "out" && e.Target != "../secret" || e.Attr.Ino == 0 || e.Gone || e.Extra != nil {
				t.Errorf("%s/%s is %+v", p.Path, e.Name, e)
			}
		}
	}
	if lines, _ := listAll(t, c, &wire.List{Dir: 1}); len(lines) != 1 {
		t.Errorf("without Ahead, listings are %q", lines)
	}
	if lines, _ := listAll(t, c, &wire.List{Dir: 1, Ahead: 100}); len(lines) > 2 {
		t.Errorf("with little Ahead, listings are %q", lines)
	}
	must[wire.Done](c, &wire.Prepare{Preparation: vfs.Preparation{Xattrs: true, Flags: true}})
	_, parts = listAll(t, c, &wire.List{Dir: 1})
	for _, e := range parts[0].Entries {
		if e.Extra == nil {
			t.Errorf("%s comes without the metadata that was asked for", e.Name)
		}
	}
}

// TestListBelow lists some directories of one.
func TestListBelow(t *testing.T) {
	dir := fixture(t)
	for _, sub := range []string{"d/e/g", "b"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	c := connect(t, Options{})
	c.open(1, dir)
	parts, answers := map[string]int{}, c.send(&wire.List{Dir: 1, Ahead: 1 << 20, Below: []string{"d", "none"}})
	for end := false; !end; {
		p := mustBe[wire.Listing](c, <-answers)
		if end = p.End; p.First {
			parts[p.Path] = len(p.Entries)
		}
		if (p.Failure != nil) != (p.Path == "none") {
			t.Errorf("%q: %v", p.Path, p.Failure)
		}
	}
	if want := map[string]int{"d": 2, "d/e": 1, "d/e/g": 0, "none": 0}; !maps.Equal(parts, want) {
		t.Errorf("listed %v, want %v", parts, want)
	}
}

func sorted(s []string) []string {
	s = slices.Clone(s)
	slices.Sort(s)
	return s
}

// TestLongListings has a directory arrive in parts. Unasked, it is only said to be too long.
func TestLongListings(t *testing.T) {
	dir := t.TempDir()
	long := filepath.Join(dir, "long")
	if err := os.MkdirAll(filepath.Join(long, "below"), 0o777); err != nil {
		t.Fatal(err)
	}
	const n = 4000
	for i := range n {
		writeFile(t, "", long, fmt.Sprint("name", i))
	}
	c := connect(t, Options{})
	c.open(1, dir)
	c.open(2, long)
	for _, below := range [][]string{nil, {"long"}} {
		_, parts := listAll(t, c, &wire.List{Dir: 1, Ahead: 1 << 20, Below: below})
		for _, p := range parts {
			if long := p.Path == "long"; long != p.More || long && len(p.Entries) > 0 {
				t.Errorf("%q has %d entries, and more: %v", p.Path, len(p.Entries), p.More)
			}
		}
		if !slices.ContainsFunc(parts, func(p *wire.Listing) bool { return p.Path == "long" }) {
			t.Error("nothing is said about the long one")
		}
	}
	lines, parts := listAll(t, c, &wire.List{Dir: 2, Ahead: 1 << 20})
	seen := make(map[string]bool)
	for i, p := range parts[:len(parts)-1] {
		if p.First != (i == 0) || p.Last != (i == len(parts)-2) || p.Path != "" {
			t.Errorf("part %d is of %q, first %v, last %v", i, p.Path, p.First, p.Last)
		}
		for _, e := range p.Entries {
			seen[e.Name] = true
		}
	}
	if len(parts) < 4 || len(lines) != 2 || len(seen) != n+1 {
		t.Errorf("%d parts have %d names of %d directories", len(parts), len(seen), len(lines))
	}
}

func TestListReportsFailures(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may list everything")
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "d"), 0o300); err != nil {
		t.Fatal(err)
	}
	c := connect(t, Options{})
	c.open(1, dir)
	if lines, _ := listAll(t, c, &wire.List{Dir: 1, Ahead: 1000}); !slices.Equal(lines, []string{": d", "d:  failed"}) {
		t.Errorf("listings are %q", lines)
	}
}

// TestListInPages lists a directory by several requests, of which some go on with others' listings or with none.
func TestListInPages(t *testing.T) {
	dir := t.TempDir()
	const files = 2000
	for i := range files {
		writeFile(t, "", dir, fmt.Sprintf("%0100d", i))
	}
	var s *server
	c := connect(t, Options{}, func(made *server) { s = made })
	c.open(1, dir)
	page := func(number uint64, goOn bool) (names int, more bool) {
		t.Helper()
		answers := c.send(&wire.List{Dir: 1, Ahead: 1 << 20, Most: 50_000, Cursor: number, Continue: goOn})
		for {
			p := mustBe[wire.Listing](c, <-answers)
			names += len(p.Entries)
			if p.End {
				return names, p.More
			}
		}
	}
	got := [3]int{}
	for i := range got {
		got[i], _ = page(uint64(i+1), false)
	}
	for more := true; more; {
		for i := range got {
			var n int
			n, more = page(uint64(i+1), true)
			got[i] += n
		}
	}
	if got != [3]int{files, files, files} {
		t.Errorf("listed %d entries, want %d each", got, files)
	}
	c.wantError("a listing that has ended", c.ask(&wire.List{Dir: 1, Cursor: 1, Continue: true}), syscall.ESTALE)
	for i := range 2 * maxDirCursors {
		page(uint64(10+i), false)
	}
	c.wantError("a listing that is forgotten", c.ask(&wire.List{Dir: 1, Cursor: 10, Continue: true}), syscall.ESTALE)
	if n := s.cursors.Load(); n != maxDirCursors {
		t.Errorf("%d listings are kept, want %d", n, maxDirCursors)
	}
	c.send(&wire.Close{Handle: 1})
}

// TestListingsDoNotWaitForSlowOnes sends listings as of directories that are listed at once, and then none.
func TestListingsDoNotWaitForSlowOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(Options{})
		got := make(chan wire.Frame, 3)
		client := link.New(link.Options{Receive: func(f wire.Frame) error { got <- f; return nil }})
		x, y := net.Pipe()
		s.link.Add(x)
		client.Add(y)
		start := time.Now()
		l := lists{s: s, id: 1}
		for range cap(got) {
			if err := l.send(); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		if len(got) != 1 {
			t.Errorf("%d listings were sent at once, want 1", len(got))
		}
		for range cap(got) {
			<-got
		}
		if waited := time.Since(start); waited != 20*time.Millisecond {
			t.Errorf("the last listing waited for %v, want 20ms", waited)
		}
		_, _ = s.link.Close(), client.Close()
	})
}

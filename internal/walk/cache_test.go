package walk

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// A testDir is a directory that logs when it is opened and closed. Its value is its path.
type testDir struct {
	Node[string]
	log   *[]string
	name  string
	fails error
	above bool // the directory can be opened from one of its subdirectories
}

func (d *testDir) Open(in string) (string, error) {
	path := in + "/" + d.name
	*d.log = append(*d.log, "open "+path)
	return path, d.fails
}

func (d *testDir) OpenFrom(child string) (string, bool) {
	if !d.above {
		return "", false
	}
	path := child[:strings.LastIndexByte(child, '/')]
	*d.log = append(*d.log, "from "+child)
	return path, true
}

func (d *testDir) Close(path string) { *d.log = append(*d.log, "close "+path) }

// chain returns nodes for a path. The first node is a root that stays open as "root". Each node is retained.
func chain(c *Cache[string], log *[]string, names ...string) []*testDir {
	root := &testDir{log: log}
	root.Node = NewRoot("root")
	all := []*testDir{root}
	for i, name := range names {
		d := &testDir{log: log, name: name}
		d.Node = NewNode[string](&all[i].Node, d)
		c.Retain(&d.Node, 1)
		all = append(all, d)
	}
	return all
}

func use(t *testing.T, c *Cache[string], d *testDir, want string) {
	t.Helper()
	if got, err := c.Use(&d.Node); got != want || err != nil {
		t.Errorf("Use = %q, %v, want %q", got, err, want)
	}
}

func TestCacheClosesWhatWasNotUsedForLongest(t *testing.T) {
	var log []string
	c := &Cache[string]{Limit: 2}
	dirs := chain(c, &log, "a", "b", "c")
	use(t, c, dirs[3], "root/a/b/c")
	c.Done(&dirs[3].Node)
	want := []string{"open root/a", "open root/a/b", "open root/a/b/c", "close root/a"}
	if !slices.Equal(log, want) {
		t.Errorf("log = %q, want %q", log, want)
	}
	log = nil
	use(t, c, dirs[1], "root/a")
	c.Done(&dirs[1].Node)
	use(t, c, dirs[3], "root/a/b/c")
	c.Done(&dirs[3].Node)
	c.CloseAll()
	want = []string{"open root/a", "close root/a/b", "close root/a", "close root/a/b/c"}
	if !slices.Equal(log, want) {
		t.Errorf("log = %q, want %q", log, want)
	}
}

func TestCacheClosesWhatNoTaskNeeds(t *testing.T) {
	var log []string
	c := &Cache[string]{Limit: 9}
	dirs := chain(c, &log, "a")
	use(t, c, dirs[1], "root/a")
	c.Release(&dirs[1].Node)
	if want := []string{"open root/a"}; !slices.Equal(log, want) {
		t.Errorf("log = %q while it is in use, want %q", log, want)
	}
	c.Done(&dirs[1].Node)
	if want := []string{"open root/a", "close root/a"}; !slices.Equal(log, want) {
		t.Errorf("log = %q, want %q", log, want)
	}
	c.Retain(&dirs[1].Node, 1)
	use(t, c, dirs[1], "root/a")
	c.Done(&dirs[1].Node)
	c.Release(&dirs[1].Node)
	if want := []string{"open root/a", "close root/a", "open root/a", "close root/a"}; !slices.Equal(log, want) {
		t.Errorf("log = %q, want %q", log, want)
	}
}

func TestCacheKeepsNothingOpenAfterAFailure(t *testing.T) {
	var log []string
	c := &Cache[string]{Limit: 9}
	dirs := chain(c, &log, "a", "b", "c")
	why := errors.New("by the test")
	dirs[2].fails = why
	if _, err := c.Use(&dirs[3].Node); !errors.Is(err, why) {
		t.Errorf("Use = %v, want %v", err, why)
	}
	c.CloseAll()
	if want := []string{"open root/a", "open root/a/b", "close root/a"}; !slices.Equal(log, want) {
		t.Errorf("log = %q, want %q", log, want)
	}
}

// TestCacheGoesUpByOneStep uses closed parents that can, or cannot, be opened from below.
func TestCacheGoesUpByOneStep(t *testing.T) {
	for _, above := range []bool{false, true} {
		var log []string
		c := new(Cache[string]) // keeps nothing open
		dirs := chain(c, &log, "a", "b", "c")
		dirs[2].above = above
		use(t, c, dirs[3], "root/a/b/c")
		log = nil
		if got, err := c.UseParent(&dirs[3].Node); got != "root/a/b" || err != nil {
			t.Errorf("UseParent = %q, %v, want root/a/b", got, err)
		}
		want := []string{"open root/a", "open root/a/b", "close root/a"}
		if above {
			want = []string{"from root/a/b/c"}
		}
		if !slices.Equal(log, want) {
			t.Errorf("log = %q, want %q", log, want)
		}
	}
}

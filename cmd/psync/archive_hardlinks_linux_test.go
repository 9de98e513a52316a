package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"psync/internal/campaign"
)

// A linkFixture is a tree of files with many hard links each, in all directories.
type linkFixture struct {
	*testing.T
	r           *rand.Rand
	src, dst    string
	groups      [][]string // names below src
	bytes       int
	args, trash []string
}

// TestManyHardLinks copies files with several names with many workers, and again after names of the copy have
// moved to other files, or by turns with one worker unless tests are thorough. HARDLINKS in the environment is the number
// of files.
func TestManyHardLinks(t *testing.T) {
	n := campaign.Size("HARDLINKS", 40, 400)
	for i, c := range []struct {
		name string
		args string
	}{
		{"plain", "-aH"},
		{"delete", "-aH --delete"},
		{"all", "-aHAXS --delete"},
		{"backup", "-aH --delete -b"},
		{"backup-dir", "-aH --delete --backup-dir=../backup"},
		{"link-dest", "-aH --delete --link-dest=../spare"},
		{"copy-dest", "-aH --delete --copy-dest=../spare"},
		{"remove-source", "-aH --remove-source-files"},
		{"checksum", "-aHc --delete"},
		{"ignore-times", "-aHI --delete"},
		{"temp", "-aH --delete -T ../temp"},
	} {
		for turn, threads := range []string{"-j1", "-j64"} {
			if i%2 != turn && !campaign.Thorough() {
				continue
			}
			t.Run(c.name+threads, func(t *testing.T) {
				t.Parallel()
				c := newLinkFixture(t, n, append(strings.Fields(c.args), threads))
				c.copyAll()
				c.scramble()
				c.syncAgain()
			})
		}
	}
}

func newLinkFixture(t *testing.T, n int, args []string) *linkFixture {
	t.Helper()
	dir := t.TempDir()
	c := &linkFixture{T: t, r: rand.New(rand.NewPCG(uint64(n), uint64(len(args)))), src: dir + "/src", dst: dir + "/dst", args: args}
	for _, name := range []string{"src", "temp", "backup"} {
		c.must(os.Mkdir(filepath.Join(dir, name), 0o755))
	}
	for i := range n/16 + 1 {
		c.must(os.MkdirAll(c.path(c.src, i), 0o755))
	}
	for i := range n {
		first := filepath.Join(c.path(c.src, c.r.IntN(n/16+1)), fmt.Sprintf("f%d", i))
		c.must(c.make(first, i))
		group := []string{first}
		for j := range 1 + c.r.IntN(5) {
			next := filepath.Join(c.path(c.src, c.r.IntN(n/16+1)), fmt.Sprintf("l%d.%d", i, j))
			c.must(os.Link(first, next))
			group = append(group, next)
		}
		c.groups = append(c.groups, group)
	}
	return c
}

// path is that of a directory in a tree.
func (c *linkFixture) path(root string, i int) string {
	return filepath.Join(root, fmt.Sprintf("%d/%d", i%8, i/8))
}

// make makes an entry. Nine of ten are files.
func (c *linkFixture) make(path string, i int) error {
	switch i % 20 {
	case 7:
		return os.Symlink(fmt.Sprint(i), path)
	case 13:
		return unix.Mkfifo(path, 0o644)
	}
	data := fmt.Appendf(nil, "%d", i)
	c.bytes += len(data)
	return errors.Join(os.WriteFile(path, data, 0o644), os.Chtimes(path, someday, someday.Add(time.Duration(i)*time.Second)))
}

func (c *linkFixture) must(err error) {
	if err != nil {
		c.Helper()
		c.Fatal(err)
	}
}

func (c *linkFixture) files() int {
	return len(c.groups) - (len(c.groups)+12)/20 - (len(c.groups)+6)/20
}

// copyAll makes the copy, in which everything must be transferred exactly once.
func (c *linkFixture) copyAll() {
	c.Helper()
	out := c.psync([]string{"sync", "-aH", "-j64", "--stats"}, c.dst)
	for what, want := range map[string]int{"regular files transferred": c.files(), "Total transferred file size": c.bytes} {
		m := regexp.MustCompile(what + `: ([\d,]+)`).FindStringSubmatch(out)
		if m == nil || strings.ReplaceAll(m[1], ",", "") != strconv.Itoa(want) {
			c.Errorf("%s: %q, want %d:\n%s", what, m, want, out)
		}
	}
	c.compare("copied", c.take(c.src), c.dst, (*item).line)
	c.psync([]string{"sync", "-aH", "-j64"}, filepath.Join(filepath.Dir(c.dst), "spare"))
}

// scramble changes names of the copy at random: some names become separate files, names of other files, or
// other entries.
func (c *linkFixture) scramble() {
	for i, group := range c.groups {
		name := choose(c.r, group...)
		at := c.dst + strings.TrimPrefix(name, c.src)
		other := c.dst + strings.TrimPrefix(choose(c.r, choose(c.r, c.groups...)...), c.src)
		var err error
		switch c.r.IntN(12) {
		case 0, 1: // a copy of its own, that looks the same
			c.must(os.Remove(at))
			err = c.make(at, i)
		case 2, 3: // another file
			if _, missing := os.Lstat(other); missing == nil && other != at {
				c.must(os.Remove(at))
				err = os.Link(other, at)
			}
		case 4:
			err = os.Remove(at)
		case 5: // something else
			err = errors.Join(os.Remove(at), os.Symlink("elsewhere", at))
		case 6: // a name that the source lacks
			err = os.Link(at, at+".extra")
			c.trash = append(c.trash, at+".extra")
		case 7: // something else in all of them
			if info, missing := os.Lstat(at); missing == nil && info.Mode().IsRegular() {
				err = os.Truncate(at, 1000)
			}
		case 8:
			if info, missing := os.Lstat(at); missing == nil && info.Mode()&os.ModeSymlink == 0 {
				err = os.Chmod(at, 0o600)
			}
		case 9: // another name in the source
			next := name + ".new"
			if err = os.Link(name, next); err == nil {
				c.groups[i] = append(c.groups[i], next)
			}
		}
		c.must(err)
	}
	c.must(os.RemoveAll(filepath.Join(c.dst, "3/3")))
}

// syncAgain repairs the copy, and then checks that another sync does nothing.
func (c *linkFixture) syncAgain() {
	c.Helper()
	if c.has("--remove-source-files") || !c.has("--delete") {
		for _, name := range c.trash {
			c.must(errors.Join(os.RemoveAll(name)))
		}
	}
	want := c.take(c.src)
	say := (*item).line
	if c.has("--link-dest=../spare") || c.has("-b") || c.has("--backup-dir=../backup") { // which are further names of files
		say = func(i *item) string { return regexp.MustCompile(` names \d+`).ReplaceAllString(i.line(), "") }
	}
	args := append([]string{"sync", "-i"}, c.args...)
	dry := c.psync(append(args, "-n"), c.dst)
	wet := c.psync(args, c.dst)
	if dry, wet := briefly(dry), briefly(wet); c.has("-j1") && !c.has("--remove-source-files") && dry != wet {
		c.Errorf("a dry run lists something else:\n%s", unified(dry, wet))
	}
	if c.has("--remove-source-files") {
		for at, i := range c.take(c.src) {
			if i.st.Mode&unix.S_IFMT != unix.S_IFDIR {
				c.Errorf("%q is still in the source", at)
			}
		}
		c.compare("synced", want, c.dst, untimely(say))
		return
	}
	got := c.compare("synced", want, c.dst, say)
	if c.has("-aHI") { // which copies everything again
		return
	}
	if again := c.psync(args, c.dst); again != "" {
		c.Errorf("a second run lists\n%s", again)
	}
	if diff := got.differs(c.take(c.dst), touched); diff != nil {
		c.Errorf("a second run did something:\n%s", strings.Join(diff[:min(len(diff), 8)], "\n"))
	}
	if c.has("--link-dest=../spare") {
		c.checkShared(got)
	}
}

// briefly removes the differences of entries from a list, because they depend on which name of a file comes
// first.
func briefly(list string) string {
	return sortLines(regexp.MustCompile(`(?m)^(..).{9}`).ReplaceAllString(list, "$1"))
}

// untimely removes directories from a list, because their times change when files are removed from them.
func untimely(say func(*item) string) func(*item) string {
	return func(i *item) string {
		if i.st.Mode&unix.S_IFMT == unix.S_IFDIR {
			return ""
		}
		return say(i)
	}
}

// checkShared checks that new names in the copy are names of files in the other tree.
func (c *linkFixture) checkShared(got inventory) {
	spare := c.take(filepath.Join(filepath.Dir(c.dst), "spare"))
	shared := 0
	for at, i := range got {
		if from := spare[at]; from != nil && from.st.Ino == i.st.Ino && i.st.Mode&unix.S_IFMT == unix.S_IFREG {
			shared++
		}
	}
	if shared < 5 {
		c.Errorf("%d names are those of the other tree", shared)
	}
}

func (c *linkFixture) has(arg string) bool {
	for _, a := range c.args {
		if a == arg {
			return true
		}
	}
	return false
}

func (c *linkFixture) take(root string) inventory {
	inv, err := takeInventory(root, false)
	c.must(err)
	return inv
}

func (c *linkFixture) compare(when string, want inventory, root string, say func(*item) string) inventory {
	c.Helper()
	got := c.take(root)
	live := maps.Clone(got)
	maps.DeleteFunc(live, func(at string, _ *item) bool { return strings.HasSuffix(at, "~") })
	live.group()
	if diff := want.differs(live, say); diff != nil {
		c.Errorf("%s, %d differ:\n%s", when, len(diff), strings.Join(diff[:min(len(diff), 8)], "\n"))
	}
	return got
}

func (c *linkFixture) psync(args []string, dst string) string {
	c.Helper()
	cmd := exec.Command("psync", append(args, c.src+"/", dst)...)
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil || stderr.Len() > 0 {
		c.Errorf("%q: %v\n%s", cmd.Args, err, stderr.String())
	}
	return stdout.String()
}

package main

import (
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"psync/internal/campaign"
	"psync/internal/localfs"
	"psync/internal/vfs/fstest"
)

// A cpGroup is a group of command lines for cp that are tried on a tree.
type cpGroup struct {
	name  string
	needs string                 // a condition of scripts, or GNU cp of at least this version
	tree  string                 // as fstest.Fill reads it
	more  func(dir string) error // what it cannot make; may be nil

	lines []string   // as parseCpRun reads them; words are quoted as in Go if need be
	each  [][]string // more lines: one word, or several, of each list
}

// A cpDifference explains why some command lines intentionally have another outcome.
type cpDifference struct {
	tests string // a regular expression for their names, without that of TestCpOptions
	until string // the first version of GNU cp that does as psync does; or empty
	why   string
}

var cpDifferences = []cpDifference{
	{`bad_usage/--(d|de)_f_g`, "9.2", "GNU cp had no --debug"},
	{`bad_usage/--update=x=y_f_g`, "9.3", "GNU cp had no --update=WHICH"},
	{`backups/.*--backup=(never|simple)_(-r_d_e|f_e|h_f_f_g_e)`, "9.2", "GNU cp put simple backups into another directory"},
	{`closed_to_users/user_-b_f_noread`, "9.2", "GNU cp put simple backups into another directory"},
	{`update/.*|hard_links/-rlu_.*|backups/-bu_.*`, "", "-u makes no hard links of newer files"},
	{`names/.*(it's|-rv_\._d|two.nlines).*`, "9.6", "GNU cp quoted names wrongly that have both apostrophes and escapes"},
	{`names/LC_ALL=nowhere.*`, "", "whether a locale is installed is not looked at"},
	{`(holes|devices|bad_usage)/.*--reflink(=always)?_.*`, "9.2", "GNU cp left an empty file behind where there are no clones"},
}

// isOnPurpose returns why a test may have another outcome with this version of GNU cp.
func isOnPurpose(name string) string {
	_, name, _ = strings.Cut(name, "/")
	for _, d := range cpDifferences {
		if regexp.MustCompile("^(?:"+d.tests+")$").MatchString(name) && (d.until == "" || gnuCpVersion() < versionNumber(d.until)) {
			return d.why
		}
	}
	return ""
}

// TestCpOptions runs command lines with psync cp and GNU cp, and fails unless exit status, output and trees
// are the same. It takes a sample of the lines that are products of lists, and all if CPLINES in the
// environment is "all", or -run names a group.
func TestCpOptions(t *testing.T) {
	if !hasGNUCp() {
		t.Skip("cp is not GNU cp")
	}
	letUserIn(t)
	groups := slices.Concat(cpOperands, cpSameFiles, cpModes, cpLinks, cpParents, cpBackups, cpOverwriting, cpSpecials, cpUsage)
	for _, g := range groups {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			g.check(t)
		})
	}
}

func (g cpGroup) check(t *testing.T) {
	t.Helper()
	if why := g.lacks(); why != "" {
		t.Skip(why)
	}
	for _, line := range slices.Concat(g.lines, g.sample(product(g.each))) {
		t.Run(testName(line), func(t *testing.T) {
			t.Parallel()
			g.checkLine(t, line)
		})
	}
}

// sample returns some of the lines, always the same, because there are many thousands.
func (g cpGroup) sample(lines []string) []string {
	n := uint32(160)
	switch {
	case os.Getenv("CPLINES") == "all", strings.Contains(flag.Lookup("test.run").Value.String(), "TestCpOptions/"):
		return lines
	case campaign.Thorough():
		n = 16
	}
	return slices.DeleteFunc(lines, func(line string) bool { return crc32.ChecksumIEEE([]byte(g.name+line))%n != 0 })
}

// testName returns a line without slashes, which separate the names of subtests.
func testName(line string) string {
	name := strings.ReplaceAll(line, "/", "|")
	if len(name) > 100 {
		name = fmt.Sprintf("%.80s... %08x", name, crc32.ChecksumIEEE([]byte(line)))
	}
	return name
}

func (g cpGroup) checkLine(t *testing.T, line string) {
	t.Helper()
	words, err := splitWords(line)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	c := parseCpRun(words)
	if c.user && !conditions["asuser"]() {
		t.Skip("cannot become an ordinary user")
	}
	dir := placeForCp(t)
	plant := func() error { return g.plant(t, dir) }
	theirs, ours, err := c.both(dir, plant)
	if errors.Is(err, errInodeOrder) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if differs := c.report(dir, plant, theirs, ours); differs != "" && isOnPurpose(t.Name()) == "" {
		t.Error(differs)
	}
}

// lacks returns why the command lines cannot be tried here.
func (g cpGroup) lacks() string {
	holds, ok := conditions[g.needs]
	switch {
	case ok && !holds():
		return "no " + g.needs + " here"
	case !ok && g.needs != "" && gnuCpVersion() < versionNumber(g.needs):
		return "cp is older than " + g.needs
	case (ok || g.needs == "") && os.Getenv("CPLINES") == "" && !hasModelCp():
		return "cp is not that of GNU coreutils " + modelOfCp
	}
	return ""
}

func (g cpGroup) plant(t *testing.T, path string) error {
	if err := os.Mkdir(path, 0o755); err != nil {
		return err
	}
	dir, err := localfs.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	fstest.Fill(t, dir, g.tree)
	if g.more != nil {
		return g.more(path)
	}
	return nil
}

// product joins each element of the first list with each of the second, and so on.
func product(lists [][]string) []string {
	if len(lists) == 0 {
		return nil
	}
	all := []string{""}
	for _, list := range lists {
		var longer []string
		for _, begin := range all {
			for _, end := range list {
				longer = append(longer, strings.TrimSpace(begin+" "+end))
			}
		}
		all = longer
	}
	return all
}

// splitWords splits a line at spaces. Quoted parts are Go strings, also at the end of a word: --suffix="a b".
func splitWords(line string) (words []string, err error) {
	for line = strings.TrimLeft(line, " "); line != ""; line = strings.TrimLeft(line, " ") {
		var word strings.Builder
		for line != "" && line[0] != ' ' {
			if line[0] != '"' {
				word.WriteByte(line[0])
				line = line[1:]
				continue
			}
			quoted, err := strconv.QuotedPrefix(line)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", line, err)
			}
			text, _ := strconv.Unquote(quoted)
			word.WriteString(text)
			line = line[len(quoted):]
		}
		words = append(words, word.String())
	}
	return words, nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A cpRun is a command line for cp with its environment.
type cpRun struct {
	args  []string // @ at the beginning of one stands for the directory that cp is run in
	env   []string // in addition to PATH, and to LC_ALL=C unless env has that
	stdin string
	umask string // octal, 022 if empty
	user  bool   // an ordinary user runs it, who owns all that root would
}

// parseCpRun parses a command line. The arguments of cp may be preceded by
//
//	NAME=VALUE   for the environment; with a name in capitals
//	umask=OCTAL
//	user         to run it as an ordinary user
//
// and anywhere
//
//	<TEXT        standard input, the lines of it with commas between them; without the
//	             last newline if it ends in \c
func parseCpRun(words []string) (c cpRun) {
	for _, word := range words {
		name, value, assigns := strings.Cut(word, "=")
		text, input := strings.CutPrefix(word, "<")
		switch {
		case input:
			c.stdin = lines(text)
		case c.args == nil && word == "user":
			c.user = true
		case c.args == nil && assigns && name == "umask":
			c.umask = value
		case c.args == nil && assigns && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "":
			c.env = append(c.env, word)
		default:
			c.args = append(c.args, word)
		}
	}
	return c
}

func lines(text string) string {
	text, open := strings.CutSuffix(text, `\c`)
	if text != "" && !open {
		text += ","
	}
	return strings.ReplaceAll(text, ",", "\n")
}

// An outcome is everything observable about a run.
type outcome struct {
	exit           int
	stdout, stderr string
	entries        map[string]described // by their paths
	updates        bool                 // ours replaces files instead of writing into them
}

// errInodeOrder is the error if two trees with the same inode order could not be made, which happens while
// many trees are made and removed concurrently.
var errInodeOrder = errors.New("the inodes of a tree never come in the same order here")

// A contender is one of the two programs that are compared.
type contender struct {
	name string
	argv []string
	env  []string
}

var contenders = []contender{
	{"theirs", []string{"cp"}, nil},
	{"ours", []string{"psync", "cp"}, []string{"PSYNC_ARGV0=cp", "GORACE=atexit_sleep_ms=0", "SHARE=" + os.Getenv("SHARE")}},
}

// both runs theirs and ours, one after the other, each in a directory that plant makes in the same way. A
// copy into itself ends when cp finds an entry again, and which entries come before that depends on the
// numbers of new inodes; see onOneProcessor.
func (c cpRun) both(dir string, plant func() error) (theirs, ours outcome, err error) {
	theirs, ours, err = c.bothAnyhow(dir, plant)
	if err == nil && meetsItself.MatchString(theirs.stderr) {
		err = onOneProcessor(func() error {
			theirs, ours, err = c.bothAnyhow(dir, plant)
			return err
		})
	}
	return theirs, ours, err
}

var meetsItself = regexp.MustCompile("into itself|cyclic|to directory")

func (c cpRun) bothAnyhow(dir string, plant func() error) (theirs, ours outcome, err error) {
	theirs, order, err := c.try(dir, plant, contenders[0], "")
	for tries := 0; err == nil; tries++ {
		var now string
		if ours, now, err = c.try(dir, plant, contenders[1], order); now == order {
			break
		}
		if tries > 20 {
			err = errInodeOrder
		}
	}
	return theirs, ours, err
}

// try runs one of them, if the inodes have the wanted order. GNU cp processes a directory in that order, so
// only trees with the same order can be compared. Nearly all trees have it, because they are made in the same
// way.
func (c cpRun) try(dir string, plant func() error, p contender, want string) (o outcome, order string, err error) {
	s, err := c.plant(dir, plant)
	defer s.close()
	if order = s.order(); err != nil || want != "" && want != order {
		return o, order, err
	}
	since := now()
	if o, err = c.run(dir, p); err == nil {
		o.updates = c.updates()
		o.entries, err = s.describe(dir, since)
	}
	return o, order, err
}

// plant makes the tree.
func (c cpRun) plant(dir string, plant func() error) (*survey, error) {
	above := filepath.Dir(dir) // where links may lead to
	err := errors.Join(removeAll(above), os.Mkdir(above, 0o755))
	if err == nil {
		err = plant()
	}
	if err == nil && c.user {
		err = giveAway(dir)
	}
	if err != nil {
		return new(survey), err
	}
	return newSurvey(dir, began)
}

// began is when the tests began. No entry of a tree to copy is older unless its time was set.
var began = now()

// patienceWithCp is how long a run may take. It must not matter.
const patienceWithCp = 30 * time.Second

// run runs a program with the command line in dir.
func (c cpRun) run(dir string, p contender) (o outcome, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patienceWithCp)
	defer cancel()
	argv := p.argv
	for _, arg := range c.args {
		if rest, ok := strings.CutPrefix(arg, "@"); ok {
			arg = dir + rest
		}
		argv = append(slices.Clip(argv), arg)
	}
	if c.umask != "" {
		argv = append([]string{"sh", "-c", `umask "$0" && exec "$@"`, c.umask}, argv...)
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = dir
	cmd.Env = slices.Concat([]string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}, p.env, c.env)
	cmd.Stdin = strings.NewReader(c.stdin)
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if c.user && os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobodyUID, Gid: nobodyUID}}
	}
	if err := cmd.Run(); cmd.ProcessState == nil {
		return o, err
	}
	if ctx.Err() != nil {
		return o, fmt.Errorf("%s do not end: %s", p.name, c)
	}
	o.exit, o.stdout, o.stderr = cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
	return o, nil
}

// now returns a slightly earlier time, because the clocks of file systems are coarse.
func now() unix.Timespec { return unix.NsecToTimespec(time.Now().Add(-time.Second).UnixNano()) }

// differs lists the differences of two outcomes.
func (o outcome) differs(ours outcome) (diff []string) {
	if !sameExit(o, ours) {
		diff = append(diff, fmt.Sprintf("exit status: theirs %d, ours %d", o.exit, ours.exit))
	}
	diff = append(diff, differentText("standard output", o.stdout, ours.stdout)...)
	diff = append(diff, differentText("standard error", o.stderr, ours.stderr)...)
	for _, at := range union(o.entries, ours.entries) {
		a, b := o.entries[at], ours.entries[at]
		if o.updates {
			a, b = a.replaced(b)
		}
		if !a.sameAs(b, o.entries, ours.entries) {
			diff = append(diff, fmt.Sprintf("%q:\n  theirs %s\n  ours   %s", at, a, b))
		}
	}
	return diff
}

// updates reports whether --update is among the options.
func (c cpRun) updates() bool {
	return slices.ContainsFunc(c.args, func(arg string) bool {
		long := strings.HasPrefix(arg, "--")
		return long && strings.HasPrefix(arg, "--u") || !long && strings.HasPrefix(arg, "-") && strings.Contains(arg, "u")
	})
}

// differentText describes the differences of two texts. It reports lines in another order separately.
func differentText(what, theirs, ours string) []string {
	if theirs == ours {
		return nil
	}
	if sortLines(theirs) == sortLines(ours) {
		what = "order of " + what
	}
	return []string{fmt.Sprintf("%s:\n  theirs %s\n  ours   %s", what, indent(theirs), indent(ours))}
}

func indent(text string) string {
	if text == "" {
		return "nothing"
	}
	return strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n         ")
}

func union[V any](a, b map[string]V) []string {
	var list []string
	for _, m := range []map[string]V{a, b} {
		for at := range m {
			list = append(list, at)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// report describes how two outcomes differ, and how to reproduce that in a shell. It returns "" if they are
// equal.
func (c cpRun) report(dir string, plant func() error, theirs, ours outcome) string {
	diff := theirs.differs(ours)
	if diff == nil {
		return ""
	}
	s, err := c.plant(dir, plant)
	s.close()
	script, err2 := shellScript(dir)
	if err = errors.Join(err, err2); err != nil {
		script = fmt.Sprintf("# %v\n", err)
	}
	if more := len(diff) - 12; more > 0 {
		diff = append(diff[:12], fmt.Sprintf("and %d more", more))
	}
	for i, d := range diff {
		diff[i] = fmt.Sprintf("%.2000s", d)
	}
	return fmt.Sprintf("%s\n%s\n%s%[1]s\n", c, strings.Join(diff, "\n"), script)
}

// String returns the command line quoted for a shell.
func (c cpRun) String() string {
	var words []string
	if c.umask != "" {
		words = append(words, "umask "+c.umask+";")
	}
	if c.stdin != "" {
		words = append(words, "printf", quoteForShell(c.stdin), "|")
	}
	if c.user {
		words = append(words, "setpriv --reuid 65534 --regid 65534 --clear-groups")
	}
	if c.env != nil {
		words = append(append(words, "env"), c.env...)
	}
	words = append(words, "cp")
	for _, arg := range c.args {
		words = append(words, quoteForShell(arg))
	}
	return strings.Join(words, " ")
}

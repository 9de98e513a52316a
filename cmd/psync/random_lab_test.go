package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// A lab has the trees of a scenario twice, and gives them to both programs.
type lab struct {
	s            scenario
	psync, rsync string // directories with the trees
	since        unix.Timespec
	said         strings.Builder // command lines, and what came of them
	err          error           // of the test itself
}

// A failure is what was wrong in a run of a scenario.
type failure struct {
	what string // in general
	text string
}

// A result is what a program had to say.
type result struct {
	exit int
	out  string // lines in some order that is always the same
}

// someday is when what does not matter was changed.
var someday = time.Date(2020, 2, 20, 20, 20, 20, 0, time.UTC)

// outside is a tree that links may lead to.
var outside = tree{
	"f":        {kind: 'f', mode: 0o644, time: someday, size: 100, fill: 'x'},
	"sub":      {kind: 'd', mode: 0o755, time: someday},
	"sub/f":    {kind: 'f', mode: 0o644, time: someday, size: 7, fill: 'y'},
	"sub/deep": {kind: 'd', mode: 0o755, time: someday},
}

// run gives a scenario to both programs, in a directory that it makes.
func (s scenario) run(dir string) (*failure, error) {
	l := &lab{s: s, psync: filepath.Join(dir, "psync"), rsync: filepath.Join(dir, "rsync")}
	l.since = unix.NsecToTimespec(time.Now().UnixNano())
	err := errors.Join(os.Mkdir(dir, 0o755), outside.plant(filepath.Join(dir, "shared"), dir),
		s.plantFor(l.psync, dir), s.plantFor(l.rsync, dir))
	if err != nil {
		return nil, err
	}
	f := l.experiment()
	return f, l.err
}

// plantFor makes the trees of a scenario in the directory side, which must not exist. Links that
// lead to shared trees lead below base.
func (s scenario) plantFor(side, base string) error {
	return errors.Join(os.Mkdir(side, 0o755), os.Mkdir(side+"/backup", 0o755),
		os.WriteFile(side+"/list", []byte(strings.Join(s.list, "\x00")), 0o644),
		s.source.plant(side+"/source", base), s.dest.plant(side+"/dest", base),
		s.spare.plant(side+"/spare", base), outside.plant(side+"/outside", base))
}

// experiment runs psync three times, dry, in earnest and once more, and rsync for
// comparison.
func (l *lab) experiment() *failure {
	args := append([]string{"sync", "-i"}, l.s.psync...)
	if l.s.keep != nil {
		args = append(args, "-p") // as rsync below
	}
	if l.s.deletes() {
		args = append(args, "--delete", "--force-empty-source")
	}
	before := l.look(l.psync, "dest")
	source := l.look(l.psync, "source")
	dry := l.run("psync", l.psync, slices.Concat(args, []string{"-n"})...)
	diff := before.changed(l.look(l.psync, "dest"), false)
	if diff = append(diff, source.changed(l.look(l.psync, "source"), false)...); diff != nil {
		return l.failure("a dry run changes something", diff...)
	}
	wet := l.run("psync", l.psync, args...)
	switch {
	case wet.exit != 0 && wet.exit != 23:
		return l.failure("exit code of psync")
	case dry.exit != wet.exit && !l.s.has("--remove-source-files"): // it may be impossible to remove them
		return l.failure("exit code of the dry run")
	case dry.out != wet.out && !l.s.probes() && !l.s.dest.hasNames() && !(l.s.has("-H") && l.s.source.hasNames()): // which of several names comes first is chance
		return l.failure("a dry run lists something else", dry.out, wet.out)
	}
	after := l.look(l.psync, "dest")
	if f := l.compare(before, after, wet); f != nil {
		return f
	}
	if l.s.has("--remove-source-files") || wet.exit != 0 && l.s.has("-I") {
		return nil // a second run would set other times, or do what could not be done
	}
	return l.again(args, after)
}

// probes reports whether a run makes an entry in the destination for a moment, and changes its time by that: a dry run
// does not find out so whether it is the source, on another host.
func (s *scenario) probes() bool { return s.far != "" && s.has("--remove-source-files") }

// compare runs rsync, and compares what it has made with what psync has.
func (l *lab) compare(before, after snapshot, psync result) *failure {
	args := []string{"-rltp", "--modify-window=-1"}
	if l.s.deletes() {
		args = append(args, "--delete", "--ignore-errors")
	}
	rsync := l.run("rsync", l.rsync, args...)
	want, got := l.look(l.rsync, "dest"), maps.Clone(after)
	if l.s.has("--files-from") {
		want["."] = after["."] // rsync leaves the time of the root alone
	}
	want.spare(l.s.closed, before, after)
	if l.s.has("-K") {
		want.forgetDirlinks()
		got.forgetDirlinks()
	}
	// rsync does not keep the times of directories that it makes backups in, and psync no times of
	// directories in which something failed, unless an option asks for times.
	if diff := want.differs(got, l.s.backupsBeside() || psync.exit != 0 && l.s.has("-O")); diff != nil {
		return l.failure("the trees differ", diff...)
	}
	for _, other := range []string{"source", "spare", "outside", "backup"} {
		want, got := l.look(l.rsync, other), l.look(l.psync, other)
		if other == "backup" {
			// psync does not give others access to directories with backups.
			want.dropDirs()
			got.dropDirs()
		}
		if diff := want.differs(got, false); diff != nil {
			return l.failure("the trees differ: "+other, diff...)
		}
	}
	if l.s.has("--link-dest") {
		want, got := l.linked(l.rsync, want), l.linked(l.psync, after)
		if !slices.Equal(want, got) {
			return l.failure("links to files of the other tree", fmt.Sprintf("rsync has %q, psync has %q", want, got))
		}
	}
	// Where psync makes nothing new it does not look whether it could be read.
	if (psync.exit == 0) != (rsync.exit == 0) && (l.s.closed == nil || !l.s.has("--existing")) {
		return l.failure("exit codes differ")
	}
	return nil
}

// again runs psync once more, and wants it to do nothing.
func (l *lab) again(args []string, after snapshot) *failure {
	l.s.args = slices.Clone(l.s.args)
	l.s.drop("-I")
	if again := l.run("psync", l.psync, args...); again.out != "" {
		return l.failure("a second run says something")
	}
	// Where backups pile up, where a link leads to, and where something protected keeps a
	// directory from going, another attempt may touch the directory that it is in.
	touched := l.s.has("-b", "--backup", "-K", "--exclude", "--filter")
	// On another host, a file that turns out to be left out, for its size or because another tree has it, or not to be
	// readable, has a temporary for a moment.
	touched = touched || l.s.far == "dest" && (l.s.has("--max-size", "--min-size", "--compare-dest") || os.Geteuid() != 0)
	if diff := after.changed(l.look(l.psync, "dest"), touched); diff != nil {
		return l.failure("a second run changes something", diff...)
	}
	return nil
}

// linked returns the files of the destination that are those of the other tree.
func (l *lab) linked(side string, dest snapshot) (paths []string) {
	spare := l.look(side, "spare")
	for at, e := range dest {
		if e.isFile && e.ino == spare[at].ino {
			paths = append(paths, at)
		}
	}
	slices.Sort(paths)
	return paths
}

func (l *lab) look(side, name string) snapshot {
	var more func(string, unix.Stat_t) (string, error)
	if l.s.keep != nil {
		more = func(path string, st unix.Stat_t) (string, error) { return extras(path, st, l.s.has("-U")) }
	}
	s, err := look(filepath.Join(side, name), l.since, more)
	l.err = errors.Join(l.err, err)
	return s
}

// thisHostAsBox is a command in place of ssh that runs commands here.
const thisHostAsBox = `sh -c 'shift; exec "$@"' sh`

// run runs a program on the trees of one side.
func (l *lab) run(program, side string, args ...string) result {
	args = slices.Clone(args)
	if l.s.has("--files-from") {
		args = append(args, "-0r")
	}
	if l.s.has("-K") {
		args = append(args, "--filter=P /"+protected)
	}
	args = append(args, l.s.keep...)
	for _, arg := range l.s.args {
		args = append(args, strings.Replace(arg, "@/", side+"/", 1))
	}
	source, dest := side+"/source/", side+"/dest"
	if program != "rsync" && l.s.far != "" {
		args = append(args, "-e", thisHostAsBox)
		switch l.s.far {
		case "source":
			source = "box:" + source
		case "dest":
			dest = "box:" + dest
		}
	}
	args = append(args, source, dest)
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "GORACE=atexit_sleep_ms=0")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		l.err = errors.Join(l.err, err)
		return result{}
	}
	exit := cmd.ProcessState.ExitCode()
	fmt.Fprintf(&l.said, "$ %s %q\n%s%s# exit code %d\n", program, args, stdout.String(), stderr.String(), exit)
	lines := strings.SplitAfter(stdout.String(), "\n")
	slices.Sort(lines)
	return result{exit, strings.Join(lines, "")}
}

func (l *lab) failure(what string, details ...string) *failure {
	return &failure{what, strings.Join(append(details, l.said.String()), "\n")}
}

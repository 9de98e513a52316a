package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"psync/internal/campaign"
)

// TestRandomRsync gives random command lines, and trees for them, to rsync and to psync rsync. Both must make the same
// of the trees, list the same in the same order, and end with the same status. RSYNC in the environment is the number of command
// lines, and RSYNC_SEED the seed of the first, or "random".
func TestRandomRsync(t *testing.T) {
	needRsync(t)
	for _, seed := range campaign.Seeds("RSYNC", 20, 200) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			r := rsyncRun{Rand: rand.New(rand.NewPCG(seed, 0)), dir: t.TempDir()}
			if diff := r.compare(); len(diff) > 0 {
				t.Errorf("%s\n%s", strings.Join(diff, "\n"), strings.Join(r.said, "\n"))
			}
		})
	}
}

// An rsyncRun makes up one command line.
type rsyncRun struct {
	*rand.Rand
	dir  string
	said []string
}

func (r *rsyncRun) chance(percent int) bool { return r.IntN(100) < percent }

func (r *rsyncRun) one(of ...string) string { return of[r.IntN(len(of))] }

// tree returns a tree of few names.
func (r *rsyncRun) tree(t tree, dir string, depth int) {
	for _, name := range []string{"a", "b", "c", "d"} {
		at := path.Join(dir, name)
		e := entry{kind: 'f', mode: []uint32{0o644, 0o600, 0o755}[r.IntN(3)], time: time.Unix(1e9+r.Int64N(3), 0)}
		switch n := r.IntN(12); {
		case n < 3:
			continue
		case n < 6 && depth < 3:
			e.kind, e.mode = 'd', []uint32{0o755, 0o700}[r.IntN(2)]
			r.tree(t, at, depth+1)
		case n == 6:
			e.kind, e.target = 'l', map[bool]string{true: "b", false: "a"}[name == "a" || r.chance(30) && name != "b"]
		case n == 7:
			e.kind, e.mode = 'p', 0o644
		default:
			e.size, e.fill = r.IntN(4)*10, "xy"[r.IntN(2)]
		}
		t[at] = e
	}
}

// changed returns a tree that has much of another one, below a directory.
func (r *rsyncRun) changed(from tree, below string, to tree) {
	other := make(tree)
	r.tree(other, "", 0)
	for _, at := range from.paths() {
		if r.chance(60) {
			other[at] = from[at]
		}
	}
	for at, e := range other {
		to[path.Join(below, at)] = e
	}
}

// operands returns the sources of a command line.
func (r *rsyncRun) operands(src tree) (operands []string) {
	names := []string{"a", "b", "c", "d"}
	for _, name := range names[:1+r.IntN(3)] {
		operand := "src/" + name
		if _, ok := src[name]; !ok && r.chance(90) {
			continue
		}
		if src[name].kind == 'd' && r.chance(15) && operands == nil {
			return []string{operand + r.one("/", "/.")}
		}
		operands = append(operands, operand)
	}
	exists := func(operand string) bool { return src[path.Base(operand)].kind != 0 }
	if r.chance(60) || !slices.ContainsFunc(operands, exists) {
		return []string{r.one("src", "src/", "src/", "./src/", "src/.")}
	}
	return operands
}

// flags returns flags of a command line.
func (r *rsyncRun) flags() []string {
	flags := []string{r.one("-a", "-a", "-a", "-r", "-rt", "-rlt", "-rlptD", "-rp", "-d", "-dlt", "-t", "-lt")}
	recurses := strings.ContainsAny(flags[0], "ard")
	for _, flag := range []string{
		"-u", "-c", "-I", "--size-only", "--existing", "--ignore-existing", "-b", "--backup-dir=../bak", "-L", "-k", "-O", "-J",
		"-m", "-n", "--exclude=a", "--exclude=b/", "--include=c", "-x", "-S", "-W", "--no-p", "--no-t", "--no-l", "--no-D", "-E",
		"--chmod=go-rwx", "--inplace", "--max-size=15", "--min-size=5", "--delay-updates", "--force", "--modify-window=1", "-H",
		"--omit-dir-times", "-z", "-h", "--safe-links", "--remove-source-files",
	} {
		if r.chance(6) {
			flags = append(flags, flag)
		}
	}
	if recurses && r.chance(30) {
		flags = append(flags, r.one("--delete", "--del", "--delete-after", "--delete-excluded"))
	}
	switch n := r.IntN(16); {
	case n < 6:
		flags = append(flags, "-i")
	case n == 6:
		flags = append(flags, "-v")
	case n == 7:
		flags = append(flags, "--out-format=%i|%n|%L|%l|%M")
	case n == 8:
		flags = append(flags, "--list-only")
	case n == 9:
		flags = append(flags, "-vvi")
	case n == 10:
		flags = append(flags, "-ii")
	case n < 14:
		flags = append(flags, "-vv")
	case n == 14:
		flags = append(flags, r.one("-vv", "-v", "-i", "-q"), "--info="+r.infos())
	}
	return fair(flags)
}

// infos returns a value of --info.
func (r *rsyncRun) infos() string {
	kinds := []string{"backup", "copy", "del", "flist", "misc", "mount", "name", "nonreg", "remove", "skip", "stats", "symsafe", "none"}
	var values []string
	for range 1 + r.IntN(3) {
		values = append(values, r.one(kinds...)+r.one("", "", "0", "1"))
	}
	return strings.Join(values, ",")
}

// fair leaves out those of flags with which psync is not like rsync, for reasons that psync-rsync(7) names.
func fair(flags []string) []string {
	has := func(names ...string) bool {
		return slices.ContainsFunc(flags, func(flag string) bool {
			return slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(flag, name) })
		})
	}
	without := func(names ...string) {
		flags = slices.DeleteFunc(flags, func(flag string) bool { return slices.Contains(names, flag) })
	}
	if has("-u", "--size-only", "-b", "--backup-dir") { // psync refuses the first ones, and keeps the modes of backups
		without("--inplace")
	}
	if !strings.ContainsAny(flags[0], "ar") { // rsync takes directories for empty that it does not list
		without("-m", "--backup-dir=../bak") // and psync does not look for the directory if nothing is copied
	}
	if has("--del", "--existing", "--exclude=b/") { // links that lead nowhere end them in different ways
		without("-L")
	}
	if has("-n") { // psync lists no backups that removals would make
		without("--backup-dir=../bak", "-b")
	}
	if has("--size-only", "--delay-updates") { // psync refuses it
		without("--remove-source-files")
	}
	if has("--out-format") { // psync shows the times of what such links lead to
		without("-k", "-h")
	}
	if has("--list-only") { // rsync lists other modes
		without("--chmod=go-rwx", "-h")
	}
	if has("-u") { // psync takes times within the window for equal there, too
		without("--modify-window=1")
	}
	if has("--no-p") { // with rsync, a fifo gets the mode of the file that it replaces
		flags = append(flags, "--no-D")
	}
	return flags
}

// compare runs both programs, and returns the differences.
func (r *rsyncRun) compare() (diff []string) {
	src, dst := make(tree), make(tree)
	r.tree(src, "", 0)
	if r.chance(80) {
		r.changed(src, "", dst)
	}
	if r.chance(50) {
		delete(dst, "src")
		r.changed(src, "src", dst)
		dst["src"] = entry{kind: 'd', mode: 0o755, time: someday}
	}
	src, dst = src.withoutOrphans(), dst.withoutOrphans()
	trees := map[string]tree{"src": src, "dst": dst}
	operands := r.operands(src)
	args := r.flags()
	if r.chance(20) {
		dst, other := make(tree), make(tree) // rsync changes what is up to date in DST if the other tree has it, too
		r.changed(src, r.one("", "src"), other)
		trees["dst"], trees["other"] = dst, other.withoutOrphans()
		args = slices.DeleteFunc(args, func(flag string) bool { // psync refuses the first, and removes from SRC what it links to the other tree; without -p, rsync takes modes from there
			return flag == "--inplace" || flag == "--remove-source-files" || flag == "--no-p"
		})
		args = append(args, "-p", r.one("--link-dest", "--copy-dest")+"=../other")
	}
	args = append(args, operands...)
	missing := func(arg string) bool {
		return len(arg) == len("src/a") && src[strings.TrimPrefix(arg, "src/")].kind == 0
	}
	recurses := strings.ContainsAny(args[0], "ar")
	if !recurses || slices.Contains(args, "--exclude=a") || slices.ContainsFunc(operands, missing) {
		args = append(args, "dst") // rsync makes what ends in a slash even if there is nothing to copy, and may rename a directory
	} else {
		args = append(args, r.one("dst", "dst", "dst/", "new/"))
	}
	return r.both(trees, args)
}

// both runs both programs with args, each beside trees of its own, and returns the differences.
func (r *rsyncRun) both(trees map[string]tree, args []string) (diff []string) {
	since := unix.NsecToTimespec(time.Now().UnixNano())
	var exits [2]int
	var lists [2][]string
	var after [2]snapshot
	for i, program := range [][]string{{"rsync"}, {"psync", "rsync"}} {
		side := filepath.Join(r.dir, program[0])
		err := os.Mkdir(side, 0o755)
		for name, t := range trees {
			err = errors.Join(err, t.plant(filepath.Join(side, name), r.dir))
		}
		if err != nil {
			return []string{err.Error()}
		}
		exits[i], lists[i] = r.run(side, append(program, args...))
		if after[i], err = look(side, since, nil); err != nil {
			return []string{err.Error()}
		}
		for at, e := range after[i] {
			if at == "." || e.isDir && (at == "bak" || strings.HasPrefix(at, "bak/")) { // others have no access to backups of psync
				delete(after[i], at)
			} else if at == "dst" { // its time is kept only with contents of directories
				e.line = withoutTime(e.line)
				after[i][at] = e
			}
		}
	}
	if exits[1] == 23 && slices.Contains(args, "--ignore-existing") {
		return nil // psync takes it for a failure if what is to be left alone is no directory, but should be one
	}
	if exits[0] != exits[1] {
		diff = append(diff, fmt.Sprintf("exit status %d, want %d", exits[1], exits[0]))
	}
	for i := range lists {
		lists[i] = byOrigin(lists[i], args)
	}
	if !slices.Equal(lists[0], lists[1]) {
		diff = append(diff, fmt.Sprintf("lists\n%s\nwant\n%s", strings.Join(lists[1], "\n"), strings.Join(lists[0], "\n")))
	}
	return append(diff, after[0].differs(after[1], exits[0] != 0 || slices.ContainsFunc(args, leavesDirTimes))...)
}

// leavesDirTimes reports whether rsync does not keep the times of some directories if a flag is given: those that it makes
// backups in; or psync, which makes a file for a moment to find out how precise times are.
func leavesDirTimes(arg string) bool {
	return arg == "-b" || strings.HasPrefix(arg, "--backup") || arg == "-O" || arg == "--omit-dir-times"
}

// byOrigin returns lines by the process of rsync that they come from, since how the processes are ahead of each other is a matter
// of time. The sender lists directories as they are read, and the receiver says what backups it has made when it has made them,
// so their lines are sorted, as are those of the beginning. With -vv alone, so are all names, since those that the generator says
// because attributes change look like those that the sender says because contents do.
func byOrigin(lines, args []string) []string {
	var begin, sender, generator, receiver, items []string
	deleted := make(map[string]bool)
	for _, line := range lines {
		if name, ok := strings.CutPrefix(line, "deleting "); ok {
			deleted[name] = true
		}
	}
	for _, line := range lines {
		has := func(ends ...string) bool {
			return slices.ContainsFunc(ends, func(end string) bool { return strings.HasPrefix(line, end) || strings.HasSuffix(line, end) })
		}
		to := &items
		switch {
		case has("[sender] ", "sender removed "):
			to = &sender
		case has("backed up "):
			to = &receiver
			if name, _, _ := strings.Cut(strings.TrimPrefix(line, "backed up "), " to "); deleted[name] {
				to = &generator
			}
		case has("delta-transmission ", "backup_dir is ", "(new) backup_dir is "):
			to = &begin
		case has("deleting ", "*deleting ", "skipping ", "ignoring ", "not creating ", " is uptodate", " exists", " is newer", " is over max-size", " is under min-size"):
			to = &generator
		}
		*to = append(*to, line)
	}
	slices.Sort(begin)
	slices.Sort(sender)
	slices.Sort(receiver)
	if slices.Contains(args, "-vv") {
		slices.Sort(items)
	}
	return slices.Concat(begin, sender, generator, receiver, items)
}

// run runs a command line in a directory. It returns its exit status and its lines.
func (r *rsyncRun) run(dir string, line []string) (exit int, lines []string) {
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C", "GORACE=atexit_sleep_ms=0")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if cmd.ProcessState == nil {
		return -1, []string{err.Error()}
	}
	exit = cmd.ProcessState.ExitCode()
	r.said = append(r.said, fmt.Sprintf("$ %q\n%s%s# exit status %d", line, out, stderr.String(), exit))
	touched := slices.ContainsFunc(line, leavesDirTimes)
	dry := slices.Contains(line, "-n") && (slices.Contains(line, "--exclude=a") || slices.Contains(line, "--exclude=b/"))
	unmade := slices.Contains(line, "--existing")
	silent := slices.Contains(line, "--ignore-existing") || unmade
	return exit, slices.DeleteFunc(strings.Split(string(out), "\n"), func(line string) bool {
		begins := func(with string) bool { return strings.HasPrefix(line, with) }
		return begins("sent ") || begins("total size is ") || begins("cannot delete non-empty directory: ") ||
			begins("[generator] ") || begins("deleting in ") || // psync has only some of the first, and none of the others
			begins("total: ") || // of which psync counts what it copies from other trees, too
			begins("building file list ") || line == "done" || // rsync may end that with what it says meanwhile
			touched && (begins(".d") || strings.HasSuffix(line, "/")) ||
			dry && begins("*deleting ") || // rsync lists directories that would not be empty
			unmade && begins("[sender] ") || // rsync lists directories below which psync has nothing to do
			silent && (begins("skipping non-regular ") || begins("not creating new file ") || strings.HasSuffix(line, " exists")) // where rsync does not look what it is
	})
}

package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"psync/internal/campaign"
)

// TestRandomKills kills syncs of random pairs of trees at random system calls. One more run must produce the same
// destination as a run that was not killed, and leave nothing behind. Half of the runs have a journal and resume it.
// KILLS in the environment is the number of pairs, and KILLS_SEED the seed of the first, or "random".
func TestRandomKills(t *testing.T) {
	if !conditions["strace"]() {
		t.Skip("strace cannot trace processes here")
	}
	letUserIn(t)
	for _, seed := range campaign.Seeds("KILLS", 8, 40) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			checkKilled(t, generate(seed))
		})
	}
}

// changing are the system calls by which a sync changes a destination, or is about to.
const changing = "openat,openat2,write,pwrite64,copy_file_range,ftruncate,fallocate,mkdirat,unlinkat,renameat,renameat2," +
	"linkat,symlinkat,mknodat,fchmod,fchmodat,fchown,fchownat,utimensat,fsetxattr,close"

// checkKilled gives a scenario to psync twice: once some runs are killed before one ends, once
// none is.
func checkKilled(t *testing.T, s scenario) {
	t.Helper()
	s.far = "" // a psync on another host waits a minute for a client that was killed to come back
	unfair := []string{
		"-U",                   // reading a link changes its access time
		"--no-perms", "--no-p", // the mode of a directory that had to be opened for its owner is lost
	}
	s.keep = slices.DeleteFunc(slices.Clone(s.keep), func(arg string) bool { return slices.Contains(unfair, arg) })
	if s.has("-b", "--backup") {
		s.drop("-I") // each run makes backups of all that there is
	}
	r := rand.New(rand.NewPCG(s.seed, 1))
	l := &lab{s: s, since: unix.NsecToTimespec(time.Now().Add(-time.Second).UnixNano())} // the file system's clock may be behind
	dir := t.TempDir()
	t.Cleanup(func() {
		if err := removeAll(dir); err != nil {
			t.Error(err)
		}
	})
	killed, whole := filepath.Join(dir, "killed"), filepath.Join(dir, "whole")
	if err := errors.Join(s.plantFor(killed, dir), s.plantFor(whole, dir), outside.plant(filepath.Join(dir, "shared"), dir)); err != nil {
		t.Fatal(err)
	}
	args := slices.Concat([]string{"sync"}, s.psync)
	if s.deletes() {
		args = append(args, "--delete", "--force-empty-source")
	}
	journaled, journal := s.seed%2 == 0, filepath.Join(dir, "journal")
	if journaled {
		args = append(args, "--journal="+journal, "--resume")
	}
	for range 1 + r.IntN(3) {
		under := []string{
			"-f", "-qq", "-o", "/dev/null", "-e", "trace=" + changing,
			"-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", changing, 1+r.IntN(1<<(1+r.IntN(8)))),
		}
		if l.run("strace", killed, slices.Concat(under, []string{"psync"}, args)...).exit >= 0 {
			break
		}
	}
	got := l.run("psync", killed, args...)
	if journaled {
		status := exec.Command("psync", "status", journal)
		out, _ := status.CombinedOutput()
		if done := got.exit == 0 || got.exit == 24; done != (status.ProcessState.ExitCode() == 0) {
			t.Errorf("exit code %d, but psync status %s says: %s", got.exit, journal, out)
		}
		if err := os.Remove(journal); err != nil {
			t.Fatal(err)
		}
	}
	want := l.run("psync", whole, args...)
	moves := s.has("--remove-source-files") // what is moved is not there for the last run, and its directory has changed
	if got.exit != want.exit && !moves {
		t.Errorf("exit code %d, and %d of the run that was not killed", got.exit, want.exit)
	}
	for _, tree := range []string{"dest", "source", "spare", "outside", "backup"} {
		want, got := l.look(whole, tree), l.look(killed, tree)
		// A directory of backups gets its time when its backups are made, and the next run does not know of it.
		for _, diff := range want.differs(got, moves || tree == "backup") {
			t.Errorf("%s: %s", tree, diff)
		}
	}
	if l.err != nil {
		t.Fatal(l.err)
	}
	if t.Failed() {
		t.Logf("%s\n%s", s, l.said.String())
	}
}

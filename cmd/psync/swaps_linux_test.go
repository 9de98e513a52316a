package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"psync/internal/campaign"
)

func init() { programs["swapdirs"] = swapDirs }

// swapDirs exchanges directories and links until its input ends:
//
//	swapdirs DIR LINK...
func swapDirs() {
	pairs := os.Args[1:]
	over := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(over)
	}()
	fmt.Println("ready")
	for {
		for i := 0; i+1 < len(pairs); i += 2 {
			select {
			case <-over:
				return
			default:
			}
			// What is removed, or not made yet, cannot be exchanged.
			if unix.Renameat2(unix.AT_FDCWD, pairs[i], unix.AT_FDCWD, pairs[i+1], unix.RENAME_EXCHANGE) == nil {
				_ = unix.Renameat2(unix.AT_FDCWD, pairs[i], unix.AT_FDCWD, pairs[i+1], unix.RENAME_EXCHANGE)
			}
		}
	}
}

// A swapRace is a directory of an ordinary user, who exchanges directories in it for links to
// one that is root's, while root runs psync there.
type swapRace struct {
	top, victim, links string
	dirs               []string // that are exchanged, relative to top
}

const secret = "no one else may read this"

// newSwapRace makes the trees: victim holds what the directories that are exchanged do.
func newSwapRace(t *testing.T) *swapRace {
	t.Helper()
	base := t.TempDir()
	for dir := base; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s := &swapRace{top: filepath.Join(base, "top"), victim: filepath.Join(base, "victim"), links: filepath.Join(base, "top", "links")}
	for _, file := range []string{"f", "sub/f", "sub/deep/f", "gone/f", "gone/sub/f"} {
		s.write(t, filepath.Join(s.victim, file), secret)
	}
	for _, side := range []string{"src", "dst"} {
		for _, dir := range []string{"a", "b", "b/sub"} {
			s.dirs = append(s.dirs, side+"/"+dir)
		}
	}
	s.dirs = append(s.dirs, "dst/gone", "dst/gone/sub", "dst/a/gone", "new/a", "new/b", "bak/a", "bak/gone")
	return s
}

func (s *swapRace) write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// reset makes the trees of the ordinary user anew.
func (s *swapRace) reset(t *testing.T) (pairs []string) {
	t.Helper()
	if err := os.RemoveAll(s.top); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"a", "b"} {
		for _, file := range []string{"f", "sub/f", "sub/deep/f"} {
			s.write(t, filepath.Join(s.top, "src", dir, file), "new")
			s.write(t, filepath.Join(s.top, "dst", dir, file), "older")
		}
		s.write(t, filepath.Join(s.top, "dst", dir, "gone/f"), "old")
		s.write(t, filepath.Join(s.top, "dst/gone", dir, "f"), "old")
	}
	s.write(t, filepath.Join(s.top, "dst/gone/sub/f"), "old")
	s.write(t, filepath.Join(s.top, "bak/a/f"), "oldest")
	s.write(t, filepath.Join(s.links, "none"), "")
	for i, dir := range s.dirs {
		link := filepath.Join(s.links, strconv.Itoa(i))
		target := s.victim
		if filepath.Base(dir) == "sub" || filepath.Base(dir) == "gone" {
			target = filepath.Join(s.victim, filepath.Base(dir))
		}
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
		pairs = append(pairs, filepath.Join(s.top, dir), link)
	}
	err := filepath.WalkDir(s.top, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, nobodyUID, nobodyUID)
	})
	if err != nil {
		t.Fatal(err)
	}
	return pairs
}

// run runs psync while the ordinary user exchanges directories.
func (s *swapRace) run(t *testing.T, args []string) string {
	t.Helper()
	attacker := exec.Command("asuser", append([]string{"swapdirs"}, s.reset(t)...)...)
	in, err := attacker.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := attacker.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := attacker.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		in.Close()
		if err := attacker.Wait(); err != nil {
			t.Errorf("who exchanges directories: %v", err)
		}
	}()
	if _, err := io.ReadFull(out, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("psync", args...)
	cmd.Dir = s.top
	said, _ := cmd.CombinedOutput() // it may fail, but do no harm
	return string(said)
}

// state describes all entries of victim.
func (s *swapRace) state(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(s.victim, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		var st unix.Stat_t
		if err := unix.Lstat(path, &st); err != nil {
			return err
		}
		text := []byte(nil)
		if st.Mode&unix.S_IFMT == unix.S_IFREG {
			if text, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		fmt.Fprintf(&b, "%s %o %d:%d %d %d.%09d %q\n", path, st.Mode, st.Uid, st.Gid, st.Nlink, st.Mtim.Sec, st.Mtim.Nsec, text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// wantNoSecret looks for what victim holds in the trees of the ordinary user.
func (s *swapRace) wantNoSecret(t *testing.T, said string) {
	t.Helper()
	err := filepath.WalkDir(s.top, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), secret) {
			t.Errorf("%s holds what only root may read\n%s", path, said)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestSwapRaces runs psync as root in the trees of an ordinary user who exchanges
// directories for links all the time: what those lead to is neither changed nor read.
// SWAPS is how often each line is run.
func TestSwapRaces(t *testing.T) {
	letUserIn(t)
	if !isRoot() || !conditions["asuser"]() {
		t.Skip("needs root and an ordinary user")
	}
	rounds := campaign.Size("SWAPS", 2, 2)
	s := newSwapRace(t)
	before := s.state(t)
	lines := []string{
		"copy src new",
		"copy -a -H src new",
		"copy -a src dst",
		"sync -a src dst",
		"sync -a --inplace src dst",
		"sync -a --delete src dst",
		"sync -a --delete --max-delete=1000 src dst",
		"sync -a -K --delete src dst",
		"sync -a --delete --backup-dir=bak src dst",
		"sync -a --no-perms --no-times --remove-source-files src dst",
		"delete -f dst",
		"delete -f dst/a dst/b dst/gone",
		"cp -r src new",
		"cp -a src new",
		"cp -aT src dst",
		"cp -auT src dst",
		"cp -aT --backup=numbered src dst",
		"cp -aTl src dst",
	}
	for _, line := range lines {
		t.Run(line, func(t *testing.T) {
			for range rounds {
				said := s.run(t, strings.Fields(line))
				if after := s.state(t); after != before {
					t.Fatalf("was\n%s\nis\n%s\n%s", before, after, said)
				}
				s.wantNoSecret(t, said)
			}
		})
	}
}

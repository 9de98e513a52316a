package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"psync/internal/delayfs"
)

// newServer mounts a directory that a server keeps in its own way, and returns a source beside
// it, what the server keeps, and where that is mounted. The source has files of many modes in two
// directories.
func newServer(t *testing.T, opt delayfs.Options) (src, kept, mnt string) {
	t.Helper()
	base := t.TempDir()
	src, kept, mnt = filepath.Join(base, "src"), filepath.Join(base, "kept"), filepath.Join(base, "mnt")
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	for _, dir := range []string{src, kept, mnt, filepath.Join(src, "d")} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, mode := range modesOfFiles {
		path := filepath.Join(src, name)
		if err := errors.Join(os.WriteFile(path, []byte(name), 0o600), os.Chmod(path, mode), os.Chtimes(path, old, old)); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{filepath.Join(src, "d"), src} {
		if err := os.Chtimes(dir, old, old); err != nil {
			t.Fatal(err)
		}
	}
	f, err := delayfs.Mount(kept, mnt, opt)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Unmount(); err != nil {
			t.Error(err)
		}
	})
	return src, kept, mnt
}

var modesOfFiles = map[string]os.FileMode{
	"a": 0o644, "b": 0o664, "c": 0o666, "d/a": 0o600, "d/b": 0o775, "d/c": 0o622, "d/d": 0o444,
}

// psyncOnce runs psync, and returns its exit code and what it said.
func psyncOnce(args ...string) (exit int, stdout, stderr string) {
	cmd := exec.Command("psync", args...)
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	var out, err bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &err
	_ = cmd.Run()
	return cmd.ProcessState.ExitCode(), out.String(), err.String()
}

// TestServersThatMaskModes copies to a server with a umask of its own.
func TestServersThatMaskModes(t *testing.T) {
	for _, how := range []string{"-a", "-t"} {
		t.Run(how, func(t *testing.T) {
			src, kept, mnt := newServer(t, delayfs.Options{Umask: 0o022})
			dst := filepath.Join(mnt, "tree")
			if exit, _, said := psyncOnce("copy", how, src, dst); exit != 0 || said != "" {
				t.Errorf("exit code %d: %s", exit, said)
			}
			for name, want := range modesOfFiles {
				info, err := os.Stat(filepath.Join(kept, "tree", name))
				if err != nil {
					t.Fatal(err)
				}
				if got := info.Mode(); got != want {
					t.Errorf("%s has mode %v, want %v", name, got, want)
				}
			}
			if exit, listed, said := psyncOnce("sync", how, "-i", src, dst); exit != 0 || listed+said != "" {
				t.Errorf("the next run: exit code %d, lists %q, says %s", exit, listed, said)
			}
		})
	}
}

// TestServersThatForget copies to a server that answers that all is well, and keeps other modes.
func TestServersThatForget(t *testing.T) {
	src, _, mnt := newServer(t, delayfs.Options{Umask: 0o022, Forgets: true})
	dst := filepath.Join(mnt, "tree")
	want := regexp.MustCompile(`^psync: the mode of 4 files could not be kept: \S.* \(first: \S*/tree/\S+; --no-perms or --on-unsupported=warn accepts that\)\n$`)
	for _, verb := range []string{"copy", "sync", "sync"} {
		exit, listed, said := psyncOnce(verb, "-tp", src, dst)
		if exit != 23 || !want.MatchString(said) || listed != "" {
			t.Errorf("%s -tp: exit code %d, lists %q, says %s", verb, exit, listed, said)
		}
	}
	warned := regexp.MustCompile(`^psync: warning: the mode of 4 files could not be kept: .*\n$`)
	for _, args := range [][]string{{"-tp", "--on-unsupported=warn"}, {"-t"}} {
		exit, listed, said := psyncOnce(append(append([]string{"sync", "-i"}, args...), src, dst)...)
		if exit != 0 || !warned.MatchString(said) || listed != "" {
			t.Errorf("sync %v: exit code %d, lists %q, says %s", args, exit, listed, said)
		}
	}
	for _, args := range [][]string{{"-tp", "--on-unsupported=ignore"}, {"-t", "--no-perms"}} {
		exit, listed, said := psyncOnce(append(append([]string{"sync", "-i"}, args...), src, dst)...)
		if exit != 0 || listed+said != "" {
			t.Errorf("sync %v: exit code %d, lists %q, says %s", args, exit, listed, said)
		}
	}
}

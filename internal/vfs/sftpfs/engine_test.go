package sftpfs

import (
	"io"
	"regexp"
	"strings"
	"testing"

	"psync/internal/engine"
	"psync/internal/engine/enginetest"
	"psync/internal/localfs"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
)

// sample is a tree whose times are whole seconds, except one.
const sample = `
	a/ 755 @2002-02-03T04:05:06Z
	a/f 644 @2001-01-01T00:00:00.7Z "hello"*100000
	a/empty 600 @2050-01-01T00:00:00Z
	a/b/c/d/ 700 @2003-01-01T00:00:00Z
	a/b/c/d/f 755 @2004-01-01T00:00:00Z x
	a/link -> b/c
	read-only/ 555 @2006-01-01T00:00:00Z
	read-only/f 444 @2006-01-01T00:00:00Z y
	empty/ 711 @2008-01-01T00:00:00Z
	dangling -> /nowhere
`

// syncTrees makes one tree like another one, and returns what it has done.
func syncTrees(t *testing.T, from, to vfs.Dir, user vfs.User, threads int) []string {
	t.Helper()
	r := new(enginetest.Events)
	return enginetest.Run(t, newJob(from, to, user, r, threads), r)
}

func newJob(from, to vfs.Dir, user vfs.User, sink report.Sink, threads int) engine.Job {
	return enginetest.NewJob(from, to, engine.Options{Threads: threads, Keep: metadata.Keep{Modes: true, Mtime: true}, User: user}, sink)
}

// tree returns what a tree holds, without the times of links and the fractions of other times.
func tree(t *testing.T, d vfs.Dir) string {
	t.Helper()
	lines := strings.Split(fstest.Tree(t, d, fstest.WithMtimes), "\n")
	for i, line := range lines {
		if strings.Contains(line, "->") {
			lines[i] = regexp.MustCompile(` @\S+`).ReplaceAllString(line, "")
		}
		lines[i] = regexp.MustCompile(`(:\d\d)\.\d+Z`).ReplaceAllString(lines[i], "${1}Z")
	}
	return strings.Join(lines, "\n")
}

func open(t *testing.T, h vfs.Host, path string) vfs.Dir {
	t.Helper()
	d, err := h.Open(path, vfs.OpenOptions{})
	must(t, err)
	t.Cleanup(func() {
		_ = vfs.Chmod(vfs.In(d, "read-only"), 0o700) // of the sample, so that it can be removed
		_ = d.Close()
	})
	return d
}

func TestEngineSyncsThereAndBack(t *testing.T) {
	for _, s := range servers(t) {
		t.Run(s.name, func(t *testing.T) {
			var counted *requestCounter
			counting := s
			counting.open = func(t testing.TB) io.ReadWriteCloser { counted = newRequestCounter(s.open(t)); return counted }
			h := newHost(t, counting, Options{})
			user := h.Info().User
			if s.user != 0 {
				user = vfs.User{UID: int(s.user), GID: int(s.user)}
			}
			local, remote, back := open(t, localfs.Host{}, t.TempDir()), s.tempDir(t), open(t, localfs.Host{}, t.TempDir())
			fstest.Fill(t, local, sample)
			want := tree(t, local)
			for _, side := range []struct {
				name     string
				from, to vfs.Dir
				user     vfs.User
			}{
				{"push", local, open(t, h, remote), user},
				{"pull", open(t, h, remote), back, localfs.Host{}.Info().User},
			} {
				for i, nothing := range []bool{false, true} {
					counted.take()
					got := syncTrees(t, side.from, side.to, side.user, 4)
					requests, n := counted.take()
					if nothing && (got != nil || n > 5*6+4) {
						t.Errorf("%s again: copied %q with the requests %v", side.name, got, requests)
					}
					t.Logf("%s %d: %v", side.name, i, requests)
					if got := tree(t, side.to); got != want {
						t.Errorf("%s:\n%s\nwant:\n%s", side.name, got, want)
					}
				}
			}
			replaceThere(t, h, remote, local, user)
		})
	}
}

// replaceThere syncs changes of each kind.
func replaceThere(t *testing.T, h *Host, remote string, local vfs.Dir, user vfs.User) {
	must(t, local.Rename("a", nil, "b", nil))
	must(t, local.Remove("dangling", nil))
	fstest.Fill(t, local, "dangling/f 644 @2010-01-01T00:00:00Z dir instead of link\nempty/f 600 x\n")
	to := open(t, h, remote)
	syncTrees(t, local, to, user, 4)
	if got, want := tree(t, to), tree(t, local); got != want {
		t.Errorf("changed:\n%s\nwant:\n%s", got, want)
	}
}

// TestOneWorkerOpensOneFile counts the files that are open at the same time.
func TestOneWorkerOpensOneFile(t *testing.T) {
	var counted *requestCounter
	s := server{"", func(t testing.TB) io.ReadWriteCloser { counted = newRequestCounter(inProcess(t)); return counted }, 0}
	h := newHost(t, s, Options{})
	local := open(t, localfs.Host{}, t.TempDir())
	fstest.Fill(t, local, sample)
	syncTrees(t, local, open(t, h, t.TempDir()), h.Info().User, 1)
	files := 0
	for i, request := range counted.order {
		switch {
		case request == "open":
			files++
		case request == "close" && counted.order[i-1] != "readdir":
			files--
		}
		if files > 1 {
			t.Fatalf("%d files are open", files)
		}
	}
}

func TestChangesByOthers(t *testing.T) {
	for _, s := range servers(t) {
		if s.user != 0 {
			continue // files of this process are not the server's to change
		}
		t.Run(s.name, func(t *testing.T) {
			h := newHost(t, s, Options{})
			enginetest.TestChangesByOthers(t, func(t *testing.T, path string) vfs.Dir { return open(t, h, path) }, testing.TB.TempDir)
		})
	}
}

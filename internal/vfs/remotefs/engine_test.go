package remotefs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"psync/internal/engine"
	"psync/internal/engine/enginetest"
	"psync/internal/localfs"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
)

// syncTrees makes one tree like another one, with times, modes and owners, and returns what it has done.
func syncTrees(t *testing.T, from, to vfs.Dir, user vfs.User) []string {
	t.Helper()
	return syncInto(t, from, to, false, user)
}

// syncInto is syncTrees for a destination that may be new.
func syncInto(t *testing.T, from, to vfs.Dir, isNew bool, user vfs.User) []string {
	t.Helper()
	r := new(enginetest.Events)
	job := enginetest.NewJob(from, to, engine.Options{
		Threads: 16, User: user, Keep: metadata.Keep{Modes: true, Perms: true, Mtime: true, Owner: true, Group: true},
	}, r)
	job.DestIsNew = isNew
	return enginetest.Run(t, job, r)
}

const (
	dirs   = 20
	perDir = 30 // files in each directory
	most   = 1.1*dirs*perDir + 5*dirs + 10
)

// fill makes a tree of many small files.
func fill(t *testing.T, d vfs.Dir) {
	var b strings.Builder
	for i := range dirs {
		fmt.Fprintf(&b, "dir%d/ 750 @2002-02-03T04:05:06Z\n", i)
		for j := range perDir {
			fmt.Fprintf(&b, "dir%d/f%d 640 @2001-01-01T00:00:00.7Z contents\n", i, j)
		}
	}
	fstest.Fill(t, d, b.String())
}

// TestRequests counts the requests of copies there and back, and of syncs that find nothing to do. No time passes
// meanwhile: on a busy machine, listings would be too old to be believed.
func TestRequests(t *testing.T) { synctest.Test(t, testRequests) }

func testRequests(t *testing.T) {
	h, requests := newCountedHost(t)
	local := openDir(t, localfs.Host{}, t.TempDir())
	fill(t, local)
	want := fstest.Tree(t, local, fstest.WithMtimes)
	remote := realDir(t)
	for _, side := range []struct {
		name string
		pull bool
	}{
		{"push", false},
		{"nothing to push", false},
		{"nothing to pull", true},
	} {
		from, to := local, openDir(t, h, remote)
		if side.pull {
			from, to = to, from
		}
		before := requests()
		copied := syncTrees(t, from, to, h.Info().User)
		n := requests() - before
		most := float64(most)
		if strings.HasPrefix(side.name, "nothing") {
			most = 0.02 * dirs * perDir
			if copied != nil {
				t.Errorf("%s: %q", side.name, copied)
			}
		}
		t.Logf("%s: %d requests", side.name, n)
		if float64(n) > most {
			t.Errorf("%s: %d requests, want at most %.0f", side.name, n, most)
		}
		if got := fstest.Tree(t, to, fstest.WithMtimes); got != want {
			t.Errorf("%s:\n%s\nwant:\n%s", side.name, got, want)
		}
	}
}

// TestRequestsOfEmptyDirectories counts those of many directories that have no entries.
func TestRequestsOfEmptyDirectories(t *testing.T) { synctest.Test(t, testRequestsOfEmptyDirectories) }

func testRequestsOfEmptyDirectories(t *testing.T) {
	const parents, each = 10, 100
	var b strings.Builder
	for i := range parents {
		fmt.Fprintf(&b, "dir%d/ 750 @2002-02-03T04:05:06Z\n", i)
		for j := range each {
			fmt.Fprintf(&b, "dir%d/sub%d/ 711 @2001-01-01T00:00:00.7Z\n", i, j)
		}
	}
	h, requests := newCountedHost(t)
	local, remote := openDir(t, localfs.Host{}, t.TempDir()), openDir(t, h, realDir(t))
	fstest.Fill(t, local, b.String())
	for _, what := range []string{"push", "nothing to push", "nothing to pull"} {
		from, to := local, remote
		if what == "nothing to pull" {
			from, to = remote, local
		}
		before := requests()
		syncInto(t, from, to, what == "push", h.Info().User)
		if n := requests() - before; n > 5*parents {
			t.Errorf("%s: %d requests, want at most 5 for each of %d directories that have entries", what, n, parents)
		}
	}
	if got, want := fstest.Tree(t, remote, fstest.WithMtimes), fstest.Tree(t, local, fstest.WithMtimes); got != want {
		t.Errorf("copied\n%s\nas\n%s", want, got)
	}
}

// TestEmptyDirectoriesWithManyAttributes has more of their attributes than one request can carry.
func TestEmptyDirectoriesWithManyAttributes(t *testing.T) {
	var b strings.Builder
	for i := range 500 {
		fmt.Fprintf(&b, "dir%d/ 750 @user.a=%s\n", i, strings.Repeat("x", 3000))
	}
	h := newHost(t)
	local, remote := openDir(t, localfs.Host{}, t.TempDir()), openDir(t, h, realDir(t))
	fstest.Fill(t, local, b.String())
	r := new(enginetest.Events)
	keep := metadata.Keep{Modes: true, Perms: true, Xattrs: true, Asked: report.Xattrs}
	job := enginetest.NewJob(local, remote, engine.Options{User: h.Info().User, Keep: keep}, r)
	job.DestIsNew = true
	enginetest.Run(t, job, r)
	if got, want := fstest.Tree(t, remote, fstest.WithXattrs), fstest.Tree(t, local, fstest.WithXattrs); got != want {
		t.Errorf("copied\n%s\nas\n%s", want, got)
	}
}

// TestRequestsOfAPull counts those for files that are so old that a change would show.
func TestRequestsOfAPull(t *testing.T) {
	scripts, err := filepath.Abs("../../../testdata/script")
	must(t, err)
	h, requests := newCountedHost(t)
	from, to := openDir(t, h, scripts), openDir(t, localfs.Host{}, t.TempDir())
	before := requests()
	copied := len(syncTrees(t, from, to, h.Info().User))
	if n := requests() - before; float64(n) > 1.1*float64(copied)+5 {
		t.Errorf("%d requests for %d files", n, copied)
	}
	if got, want := fstest.Tree(t, to, fstest.WithMtimes), fstest.Tree(t, from, fstest.WithMtimes); got != want {
		t.Errorf("copied\n%s\nas\n%s", want, got)
	}
}

func openDir(t *testing.T, h vfs.Host, path string) vfs.Dir {
	t.Helper()
	d, err := h.Open(path, vfs.OpenOptions{})
	must(t, err)
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func TestChangesByOthers(t *testing.T) {
	h := newHost(t)
	enginetest.TestChangesByOthers(t, func(t *testing.T, path string) vfs.Dir { return openDir(t, h, path) }, testing.TB.TempDir)
}

// TestRequestsForMetadata counts those of syncs that compare extended attributes, ACLs and flags, and find nothing to do.
func TestRequestsForMetadata(t *testing.T) { synctest.Test(t, testRequestsForMetadata) }

func testRequestsForMetadata(t *testing.T) {
	h, requests := newCountedHost(t)
	must(t, h.Prepare(vfs.Preparation{Xattrs: true, ACLs: true, Flags: true}))
	near, far := realDir(t), realDir(t)
	local := openDir(t, localfs.Host{}, near)
	fill(t, local)
	fill(t, openDir(t, localfs.Host{}, far))
	for i := range dirs {
		for _, in := range []string{near, far} {
			must(t, os.Symlink("target", filepath.Join(in, fmt.Sprint("link", i))))
		}
	}
	for _, pull := range []bool{false, true} {
		from, to := local, openDir(t, h, far)
		if pull {
			from, to = to, from
		}
		r := new(enginetest.Events)
		before := requests()
		enginetest.Run(t, enginetest.NewJob(from, to, engine.Options{
			Threads: 16, User: h.Info().User,
			Keep:   metadata.Keep{Modes: true, Perms: true, Owner: true, Group: true, Xattrs: true, ACLs: true, Flags: true},
			Policy: plan.Policy{SizeOnly: true},
		}, r), r)
		if n := requests() - before; n > 4*dirs {
			t.Errorf("pull %v: %d requests, want at most 4 for each of %d directories", pull, n, dirs)
		}
	}
}

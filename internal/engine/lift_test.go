package engine

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"psync/internal/engine/backup"
	"psync/internal/engine/job"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// lockedTree is what a run with -a leaves of files that Finder has locked, and of folders that macOS denies everyone
// to delete. L stands for flags and ACLs, each of which denies something to the owner.
const lockedTree = `
	doc/ 755 @2011-01-01T00:00:00Z L
	doc/changes 644 @2011-01-01T00:00:00Z L text
	doc/goes 644 @2011-01-01T00:00:00Z L text
	doc/link @2011-01-01T00:00:00Z F -> old
	doc/link-goes @2011-01-01T00:00:00Z F -> old
	doc/pipe-goes 600 @2011-01-01T00:00:00Z F (fifo)
	doc/mode 644 @2011-01-01T00:00:00Z L text
	doc/read-only 444 @2011-01-01T00:00:00Z L text
	doc/stays 644 @2011-01-01T00:00:00Z L text
	doc/to-dir 644 @2011-01-01T00:00:00Z L text
	doc/to-file/ 755 @2011-01-01T00:00:00Z L
	doc/to-file/f 644 @2011-01-01T00:00:00Z L text
	doc/to-file/sub/ 555 @2011-01-01T00:00:00Z L
	doc/unlocked 644 @2011-01-01T00:00:00Z L text
	empty-to-file/ 755 @2011-01-01T00:00:00Z L
	extra/ 755 @2011-01-01T00:00:00Z L
	extra/f 644 @2011-01-01T00:00:00Z L text
	extra/sub/ 500 @2011-01-01T00:00:00Z L
	extra/sub/f 444 @2011-01-01T00:00:00Z L text
	group/ 755 @2011-01-01T00:00:00Z L
	group/a 644 @2011-01-01T00:00:00Z L text
	group/b (= group/a)
	group/apart 644 @2011-01-01T00:00:00Z L text
	quiet/ 755 @2011-01-01T00:00:00Z L
	quiet/sub/ 555 @2011-01-01T00:00:00Z L
	quiet/sub/f 644 @2011-01-01T00:00:00Z L text
`

// changedTree is the changed source of lockedTree.
const changedTree = `
	doc/ 755 @2012-01-01T00:00:00Z L
	doc/changes 644 @2012-01-01T00:00:00Z L "changed text"
	doc/link @2012-01-01T00:00:00Z F -> new
	doc/mode 640 @2011-01-01T00:00:00Z L text
	doc/new 644 @2012-01-01T00:00:00Z L text
	doc/new-dir/ 755 @2012-01-01T00:00:00Z L
	doc/new-dir/f 644 @2012-01-01T00:00:00Z L text
	doc/read-only 444 @2012-01-01T00:00:00Z L "changed text"
	doc/stays 644 @2011-01-01T00:00:00Z L text
	doc/to-dir/ 755 @2012-01-01T00:00:00Z L
	doc/to-dir/f 644 @2012-01-01T00:00:00Z L text
	doc/to-file 644 @2012-01-01T00:00:00Z L text
	doc/unlocked 644 @2011-01-01T00:00:00Z text
	empty-to-file 644 @2012-01-01T00:00:00Z L text
	group/ 755 @2012-01-01T00:00:00Z L
	group/a 644 @2011-01-01T00:00:00Z L text
	group/apart (= group/a)
	group/c (= group/a)
	quiet/ 755 @2011-01-01T00:00:00Z L
	quiet/sub/ 555 @2011-01-01T00:00:00Z L
	quiet/sub/f 644 @2012-01-01T00:00:00Z L "changed text"
`

// locked returns a tree with locks.
func locked(tree, flags, acl string) string {
	lines := strings.Split(tree, "\n")
	for i, line := range lines {
		for j, word := range strings.Fields(line) {
			switch {
			case j == 0:
			case word == "L":
				line = strings.Replace(line, " L", " "+flags+" "+acl, 1)
			case word == "F":
				line = strings.Replace(line, " F", " "+flags, 1)
			}
		}
		lines[i] = line
	}
	return strings.Join(lines, "\n")
}

// locks are the locks that the owner, or root, may lift.
var locks = []struct {
	name       string
	uid        uint32
	flags, acl string
}{
	{"Finder's lock", 501, "@flags=0x2", ""},
	{"Finder's lock, and hidden, by root", 0, "@flags=0x8002", ""},
	{"append-only", 501, "@flags=0x4", ""},
	{"locked by root", 0, "@flags=0x20000", ""},
	{"no one may delete", 501, "", "@acl=everyone:0x2:0x10"},
	{"no one may change", 501, "", "@acl=everyone:0x2:0x1554"},
	{"both", 501, "@flags=0x2", "@acl=everyone:0x2:0x50"},
	{"handed on", 501, "@flags=0x2", "@acl=everyone:0x62:0x10"},
}

// newLocked returns a sync of a changed source to an earlier copy of it.
func newLocked(t *testing.T, uid uint32, flags, acl string) (b *testbed, plant [2]vfs.Dir) {
	t.Helper()
	b, plant = newMac(t, memfs.Mac{UID: uid, GID: 20}, false)
	fstest.Fill(t, plant[0], locked(changedTree, flags, acl))
	fstest.Fill(t, plant[1], locked(lockedTree, flags, acl))
	for _, d := range plant {
		own(t, d, int(uid), 20)
	}
	b.job.DestIsNew, b.job.Policy.Sync, b.job.Delete.On = false, true, true
	b.job.Keep.Btime = false // the trees were created when they were filled
	return b, plant
}

// lockTrees returns what is known about both trees except creation times.
func lockTrees(t *testing.T, plant [2]vfs.Dir) (trees [2]string) {
	t.Helper()
	for i := range plant {
		trees[i] = fstest.Tree(t, plant[i], fstest.WithMtimes, fstest.WithOwners, fstest.WithFlags, fstest.WithXattrs, fstest.WithLinks)
	}
	return trees
}

func TestLocksAreLifted(t *testing.T) {
	for _, l := range locks {
		for mode, change := range map[string]func(b *testbed){
			"":                     func(*testbed) {},
			", in place":           func(b *testbed) { b.job.InPlace = true },
			", one at a time":      func(b *testbed) { b.job.Threads = 1 },
			", deleting after all": func(b *testbed) { b.job.Delete.Max = &plan.Limit{N: 1000} },
		} {
			t.Run(l.name+mode, func(t *testing.T) {
				b, plant := newLocked(t, l.uid, l.flags, l.acl)
				change(b)
				b.mustRun(t)
				trees := lockTrees(t, plant)
				if trees[0] != trees[1] {
					t.Errorf("source:\n%s\ndestination:\n%s", trees[0], trees[1])
				}
				b.mustRun(t)
				if len(b.record.events) > 0 {
					t.Errorf("the second run did %q", b.record.all())
				}
			})
		}
	}
}

// TestBackupsKeepLocks makes backups of locked entries that are replaced or removed and, in the second run, of
// entries that have the names of those backups.
func TestBackupsKeepLocks(t *testing.T) {
	year := func(year int, tree string) string { return strings.ReplaceAll(tree, "YEAR", fmt.Sprint(year)) }
	fill := func(m *memfs.FS, uid uint32, tree string) {
		fstest.Fill(t, m.Plant(), tree)
		own(t, m.Plant(), int(uid), 20)
	}
	const old = "./ 755 L\nreplaced 644 @YEAR-01-01T00:00:00Z L YEAR\ngoes 644 L YEAR\nlink F -> YEAR\nto-dir 644 L YEAR\n"
	const changed = "./ 755 L\nreplaced 644 @YEAR-01-01T00:00:00Z L YEAR\nlink F -> YEAR\nto-dir/ 755 L\n"
	for _, l := range locks {
		for _, suffix := range []string{"~", ""} {
			for _, inPlace := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, suffix %q, in place %v", l.name, suffix, inPlace), func(t *testing.T) {
					mac := memfs.Mac{UID: l.uid, GID: 20}
					b, plant := newMac(t, mac, false)
					fill(b.dst, l.uid, locked(year(2010, old), l.flags, l.acl))
					b.job.Backup = backup.Options{On: true, Suffix: suffix}
					where := plant[1]
					if suffix == "" {
						mem := memfs.NewMac(mac)
						b.job.Backup.Dir, where = mem.Root(), mem.Plant()
					}
					b.job.DestIsNew, b.job.Policy.Sync, b.job.Delete.On, b.job.InPlace = false, true, true, inPlace
					for run := range 2 {
						src := memfs.NewMac(mac)
						fill(src, l.uid, locked(year(2011+run, changed), l.flags, l.acl))
						b.src, b.job.Sources[0].Dir = src, src.Root()
						b.mustRun(t)
						got := fstest.Tree(t, where, fstest.WithFlags, fstest.WithXattrs)
						i := strings.Index(got, "replaced"+suffix+" 644 ")
						line, _, _ := strings.Cut(got[max(i, 0):], "\n")
						if i < 0 || !strings.HasSuffix(line, fmt.Sprint(2010+run)) {
							t.Errorf("run %d has no backup of the file:\n%s", run, got)
						}
						// On another volume, and in place, the backup is a copy, which is not locked.
						if suffix != "" && !inPlace && (!strings.Contains(line, l.flags) || !strings.Contains(line, l.acl)) {
							t.Errorf("run %d: the backup has lost its lock: %s", run, line)
						}
					}
				})
			}
		}
	}
}

// TestLocksStay has locks that the run must not lift.
func TestLocksStay(t *testing.T) {
	for _, tt := range []struct {
		name       string
		flags, acl string
		change     func(b *testbed)
	}{
		{"flags are not kept", "@flags=0x2", "", func(b *testbed) { b.job.Keep.Flags = false }},
		{"ACLs are not kept", "", "@acl=everyone:0x2:0x50", func(b *testbed) { b.job.Keep.ACLs = false }},
		{"root has locked it", "@flags=0x20000", "", func(*testbed) {}},
		{"root has locked it, too", "@flags=0x20002", "", func(*testbed) {}},
		{"a dry run", "@flags=0x2", "@acl=everyone:0x2:0x50", func(b *testbed) { b.job.DryRun = true }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, plant := newLocked(t, 501, tt.flags, tt.acl)
			tt.change(b)
			before := lockTrees(t, plant)[1]
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if after := lockTrees(t, plant)[1]; flagsOf(before) != flagsOf(after) && tt.acl == "" || b.job.DryRun && before != after {
				t.Errorf("before:\n%s\nafter:\n%s", before, after)
			}
			if fails := b.record.lines(report.Fail); (len(fails) == 0) != b.job.DryRun {
				t.Errorf("fails %q", fails)
			}
		})
	}
}

// flagsOf returns the lines of locked entries in a tree, reduced to their flags.
func flagsOf(tree string) string {
	var lines []string
	for line := range strings.Lines(tree) {
		if strings.Contains(line, "@flags=") {
			lines = append(lines, strings.Fields(line)[0])
		}
	}
	return strings.Join(lines, "\n")
}

// TestLocksComeBack fails each operation that removes a name or gives it to something else: the existing entry keeps
// its locks and ACLs.
func TestLocksComeBack(t *testing.T) {
	for _, op := range []string{"rename", "remove", "rmdir", "rewrite", "create"} {
		for _, inPlace := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, in place %v", op, inPlace), func(t *testing.T) {
				b, plant := newLocked(t, 501, "@flags=0x2", "@acl=everyone:0x2:0x50")
				b.job.InPlace = inPlace
				b.job.HardLinks = false
				b.job.Dest = faultfs.New(b.job.Dest, func(o, name string) error {
					if o == op && !strings.HasPrefix(name, tempPrefix) || o == op && op == "rename" {
						return syscall.EPERM
					}
					return nil
				})
				before := lockTrees(t, plant)[1]
				if err := b.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				after := lockTrees(t, plant)[1]
				for line := range strings.Lines(after) {
					name := strings.Fields(line)[0]
					if strings.Contains(before, "\n"+name+" ") && !strings.Contains(line, "@flags=0x2") && !strings.Contains(line, " (= ") && name != "doc/unlocked" {
						t.Errorf("lost its lock: %s", line)
					}
				}
			})
		}
	}
}

// TestLocksOfLinks has several workers add and remove names of one locked file: the other names keep the lock.
func TestLocksOfLinks(t *testing.T) {
	var src, dst strings.Builder
	for i := range 8 {
		fmt.Fprintf(&src, "%d/ 755 @2011-01-01T00:00:00Z\n%d/f 644 @2011-01-01T00:00:00Z @flags=0x2 %d\n%d/g (= %d/f)\n", i, i, i, (i+1)%8, i)
		fmt.Fprintf(&dst, "%d/ 755 @2011-01-01T00:00:00Z\n%d/f 644 @2011-01-01T00:00:00Z @flags=0x2 %d\n%d/h (= %d/f)\n%d/i (= %d/f)\n", i, i, i, (i+3)%8, i, (i+5)%8, i)
	}
	b, plant := newMac(t, memfs.Mac{UID: 501, GID: 20}, false)
	fstest.Fill(t, plant[0], src.String())
	fstest.Fill(t, plant[1], dst.String())
	for _, d := range plant {
		own(t, d, 501, 20)
	}
	b.job.Threads, b.job.DestIsNew, b.job.Policy.Sync, b.job.Delete.On = 8, false, true, true
	b.job.Keep.Btime, b.job.Keep.Mtime = false, false
	b.mustRun(t)
	opts := []fstest.TreeOption{fstest.WithFlags, fstest.WithLinks}
	if from, to := fstest.Tree(t, plant[0], opts...), fstest.Tree(t, plant[1], opts...); from != to {
		t.Errorf("source:\n%s\ndestination:\n%s", from, to)
	}
}

// TestLocksOfOneSide has a source without ACLs, which says nothing about those that are lifted in the destination:
// entries that stay get them back, whichever worker lifted them.
func TestLocksOfOneSide(t *testing.T) {
	for i := range 4 {
		inPlace, shared := i&1 != 0, i&2 != 0
		shareAll(t, shared)
		b, plant := newMac(t, memfs.Mac{UID: 501, GID: 20}, false)
		b.src = memfs.NewMac(memfs.Mac{UID: 501, NoXattrs: true})
		b.job.Sources[0].Dir, plant[0] = b.src.Root(), b.src.Plant()
		fstest.Fill(t, plant[0], "d/ 755\nd/f 644 changed\nd/new 644 text\n")
		fstest.Fill(t, plant[1], "d/ 755 @acl=everyone:0x2:0x50\nd/f 644 @acl=everyone:0x2:0x14 old\n")
		own(t, plant[1], 501, 20)
		b.job.Keep.Owner, b.job.Keep.Group, b.job.Keep.Btime, b.job.Keep.Xattrs = false, false, false, false
		b.job.DestIsNew, b.job.Policy.Sync, b.job.InPlace = false, true, inPlace
		b.mustRun(t)
		acl := ""
		if inPlace { // it is the same file
			acl = " @acl=everyone:0x2:0x14"
		}
		want := "d/ 755 @acl=everyone:0x2:0x50\nd/f 644" + acl + " changed\nd/new 644 text\n"
		if got := fstest.Tree(t, plant[1], fstest.WithXattrs); got != want {
			t.Errorf("in place %v, shared %v: got:\n%swant:\n%s", inPlace, shared, got, want)
		}
	}
}

// TestLinkDestOfLocks links to locked files of another tree, which stay locked.
func TestLinkDestOfLocks(t *testing.T) {
	for _, l := range locks {
		tree := locked("a 644 @2011-01-01T00:00:00Z L text\nb 644 @2011-01-01T00:00:00Z L text\n", l.flags, l.acl)
		b, plant := newMac(t, memfs.Mac{UID: l.uid, GID: 20}, true)
		fstest.Fill(t, plant[0], tree)
		fstest.Fill(t, plant[1], "old/ 755\nnew/b 644 text\n")
		old, err := plant[1].OpenDir("old", vfs.NoFollow)
		if err != nil {
			t.Fatal(err)
		}
		fstest.Fill(t, old, tree)
		own(t, plant[0], int(l.uid), 20)
		own(t, plant[1], int(l.uid), 20)
		b.job.Alternatives = job.Alternatives{Kind: plan.LinkDest, Dirs: []vfs.Dir{b.inside(t, "old")}}
		b.job.Dest = b.inside(t, "new")
		b.job.Keep.Btime, b.job.Policy.Sync, b.job.DestIsNew, b.job.HardLinks = false, true, false, false
		b.mustRun(t)
		b.wantEvents(t, []string{"link a", "link b"}, report.Link)
		if got, want := fstest.Tree(t, old, fstest.WithMtimes, fstest.WithFlags, fstest.WithXattrs), fstest.Tree(t, plant[0], fstest.WithMtimes, fstest.WithFlags, fstest.WithXattrs); got != want {
			t.Errorf("%s: got:\n%swant:\n%s", l.name, got, want)
		}
	}
}

// TestInterruptRestoresLocks stops a run when rights were added to a directory.
func TestInterruptRestoresLocks(t *testing.T) {
	b, plant := newLocked(t, 501, "@flags=0x2", "@acl=everyone:0x2:0x50")
	b.job.Delete.On, b.job.Threads = false, 1
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	b.job.Dest = faultfs.New(b.job.Dest, func(op, _ string) error {
		if op == "create" {
			stop()
		}
		return nil
	})
	_ = b.run(ctx)
	after := lockTrees(t, plant)[1]
	for line := range strings.Lines(after) {
		if name := strings.Fields(line)[0]; strings.HasSuffix(name, "/") && !strings.Contains(name, "new-dir") && (!strings.Contains(line, "@flags=0x2") || !strings.Contains(line, "@acl=")) {
			t.Errorf("lost its lock: %s", line)
		}
	}
}

package engine

import (
	"fmt"
	"regexp"
	"slices"
	"testing"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// newMacs returns a job between two volumes that preserves what -a does on macOS.
func newMacs(t testing.TB, from, to memfs.Mac) (b *testbed, plant [2]vfs.Dir) {
	t.Helper()
	b, plant = newMac(t, from, false)
	b.dst = memfs.NewMac(to)
	b.job.Dest, plant[1] = b.dst.Root(), b.dst.Plant()
	b.job.HardLinks = false
	b.job.Policy.Sync = true
	b.job.Keep.ImpliedACLs = true
	if from.UID == 0 {
		b.job.Keep.Archived = report.Mode | report.Owner | report.Group | report.Times | report.Devices | report.Specials
	}
	return b, plant
}

// notOnFAT matches the parts of macTree that a DOS volume cannot hold.
var notOnFAT = regexp.MustCompile(`@(btime|acl)=\S+|@flags=0x2|.*(\(fifo\)|\(= .*\)).*\n`)

// TestMacHasNothingLeftToDo copies with -a between all kinds of volumes, twice. The second run does nothing. It
// reports only what the destination cannot keep, which every run reports in one line.
func TestMacHasNothingLeftToDo(t *testing.T) {
	volumes := map[string]func(m *memfs.Mac){
		"APFS": func(m *memfs.Mac) { m.Folds = true },
		"HFS+": func(m *memfs.Mac) { m.Decomposes = true },
		"FAT":  func(m *memfs.Mac) { m.FAT, m.AppleDouble, m.Folds, m.OwnersIgnored = true, true, true, true },
		"exFAT": func(m *memfs.Mac) {
			m.FAT, m.AppleDouble, m.Folds, m.OwnersIgnored, m.Tick = true, true, true, true, 10*time.Millisecond
		},
		"SMB": func(m *memfs.Mac) { m.Share, m.Folds = true, true },
	}
	for _, tt := range []struct {
		from, to string
		lost     report.Attr // what the destination cannot keep of this tree
	}{
		{"APFS", "APFS", 0},
		{"APFS", "HFS+", 0},
		{"APFS", "FAT", report.Flags | report.ACLs | report.Btime | report.Owner | report.Group | report.Specials},
		{"APFS", "exFAT", report.Flags | report.ACLs | report.Btime | report.Owner | report.Group | report.Specials},
		{"APFS", "SMB", report.Flags | report.Owner | report.Group},
		{"HFS+", "APFS", 0},
		{"FAT", "APFS", 0},
		{"exFAT", "APFS", 0},
		{"SMB", "APFS", 0},
		{"SMB", "SMB", report.Flags | report.Owner | report.Group},
	} {
		for _, user := range []uint32{0, 501} {
			t.Run(fmt.Sprintf("%s to %s, user %d", tt.from, tt.to, user), func(t *testing.T) {
				from, to := memfs.Mac{UID: user, GID: 20}, memfs.Mac{UID: user, GID: 20}
				volumes[tt.from](&from)
				volumes[tt.to](&to)
				b, plant := newMacs(t, from, to)
				tree := macTree + "doc/odd 644 @2011-01-01T00:00:01.234567891Z text\n"
				if from.FAT {
					tree = notOnFAT.ReplaceAllString(tree, "")
				}
				fstest.Fill(t, plant[0], tree)
				own(t, plant[0], 501, 20)
				if err := b.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				b.job.DestIsNew = false
				if err := b.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				done := slices.DeleteFunc(slices.Clone(b.record.events), func(e report.Event) bool {
					return e.Kind == report.Unkept && e.Attr&^tt.lost == 0
				})
				if len(done) > 0 {
					t.Errorf("the second run reported %+v", done)
				}
				if n := b.job.Stats.Totals()[report.AttrsSet]; n > 0 {
					t.Errorf("attributes of %d entries were set", n)
				}
			})
		}
	}
}

// TestMacSourceWithoutACLsLeavesThemAlone copies from FAT, which has extended attributes but no ACLs, to
// entries that have both.
func TestMacSourceWithoutACLsLeavesThemAlone(t *testing.T) {
	const acl = "@acl=everyone:0x2:0x10"
	for _, user := range []uint32{0, 501} {
		b, plant := newMacs(t, memfs.Mac{UID: user, GID: 20, FAT: true, AppleDouble: true}, memfs.Mac{UID: user, GID: 20})
		fstest.Fill(t, plant[0], "dir/ 755\ndir/file 644 @2011-01-01T00:00:00Z @org.x=new text\n")
		fstest.Fill(t, plant[1], "dir/ 755 "+acl+"\ndir/file 644 @2011-01-01T00:00:00Z "+acl+" @org.x=old text\n")
		own(t, plant[0], 501, 20)
		own(t, plant[1], 501, 20)
		b.job.DestIsNew = false
		b.mustRun(t)
		want := "dir/ 755 " + acl + "\ndir/file 644 " + acl + " @org.x=new text\n"
		if got := fstest.Tree(t, plant[1], fstest.WithXattrs); got != want {
			t.Errorf("user %d: got:\n%swant:\n%s", user, got, want)
		}
	}
}

// TestMacLeavesACLsOfServersAlone copies to and from a share: -a alone neither replaces the permissions of the server
// nor copies them home, and reports how many ACLs it omitted.
func TestMacLeavesACLsOfServersAlone(t *testing.T) {
	const tree = "plain 644 text\nd/f 644 text\ndenied 644 @acl=everyone:0x2:0x10 text\n"
	const served = "@acl=everyone:0x11:0x103ffe"
	mine := memfs.Mac{UID: 501, GID: 20}
	share := memfs.Mac{UID: 501, GID: 20, Share: true}
	for _, tt := range []struct {
		name     string
		from, to memfs.Mac
		want     string
		dropped  int64
	}{
		{"to a share", mine, share, "d/ 755 " + served + "\nd/f 644 " + served + " text\ndenied 644 " + served + " text\nplain 644 " + served + " text\n", 1},
		{"from a share", share, mine, "d/ 755\nd/f 644 text\ndenied 644 text\nplain 644 text\n", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, plant := newMacs(t, tt.from, tt.to)
			fstest.Fill(t, plant[0], tree)
			own(t, plant[0], 501, 20)
			b.mustRun(t)
			if got := fstest.Tree(t, plant[1], fstest.WithXattrs); got != tt.want {
				t.Errorf("got:\n%swant:\n%s", got, tt.want)
			}
			if n := b.job.Stats.Totals()[report.DroppedACLs]; n != tt.dropped {
				t.Errorf("%d ACLs noted, want %d", n, tt.dropped)
			}
			b.job.DestIsNew = false
			b.mustRun(t)
			if len(b.record.events) > 0 {
				t.Errorf("the second run reported %+v", b.record.events)
			}
		})
	}
}

// TestMacShareForgetsThatAnACLIsRemoved requests ACLs by name. An ACL of a server is checked after the first removal,
// and from then on reported as one that cannot be kept.
func TestMacShareForgetsThatAnACLIsRemoved(t *testing.T) {
	b, plant := newMacs(t, memfs.Mac{UID: 501, GID: 20}, memfs.Mac{UID: 501, GID: 20, Share: true})
	b.job.Threads = 1
	b.job.Keep.ImpliedACLs, b.job.Keep.Asked = false, report.ACLs
	removals := 0
	b.job.Dest = faultfs.New(b.job.Dest, func(op, name string) error {
		if op == "removexattr" {
			removals++
		}
		return nil
	})
	fstest.Fill(t, plant[0], "a 644 text\nb 644 text\nset 644 @acl=everyone:0x2:0x10 text\nd/c 644 text\n")
	own(t, plant[0], 501, 20)
	for run := range 2 {
		removals = 0
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if removals != 1 {
			t.Errorf("run %d: %d ACLs were removed, want 1", run, removals)
		}
		kept := 0
		for _, e := range b.record.events {
			switch {
			case e.Kind == report.Unkept && e.Attr == report.ACLs && e.Err.Error() == "ignored by the volume" && e.Asked:
				kept++
			case run > 0:
				t.Errorf("the second run reported %+v", e)
			}
		}
		if want := 5; kept != want { // of all except the file with an ACL
			t.Errorf("run %d: reported %d ACLs that were not kept, want %d", run, kept, want)
		}
		b.job.DestIsNew = false
	}
}

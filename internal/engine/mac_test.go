package engine

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"psync/internal/engine/job"
	"psync/internal/engine/source"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// macTree is what a home directory on a Mac may hold.
const macTree = `
	./ 755 @2010-01-01T00:00:00Z @btime=2009-01-01T00:00:00Z
	doc/ 755 @2011-01-01T00:00:00Z @btime=2001-01-01T00:00:00Z @com.apple.metadata:_kMDItemUserTags=red
	doc/plain 644 @2011-01-01T00:00:00Z @btime=2001-01-01T00:00:00Z text
	doc/born-later 644 @2001-01-01T00:00:00Z @btime=2011-01-01T00:00:00Z text
	doc/tagged 644 @2011-01-01T00:00:00Z @com.apple.metadata:_kMDItemUserTags=blue @com.apple.quarantine=0081 text
	doc/read-only 444 @2011-01-01T00:00:00Z @user.x=1 @com.apple.TextEncoding=utf-8 text
	doc/hidden 644 @2011-01-01T00:00:00Z @flags=0x8000 text
	doc/locked 644 @2011-01-01T00:00:00Z @flags=0x2 text
	doc/link @2011-01-01T00:00:00Z @flags=0x8000 @com.apple.FinderInfo=01234567890123456789012345678901 -> plain
	doc/finder 600 @2011-01-01T00:00:00Z @com.apple.FinderInfo=01234567890123456789012345678901 text
	doc/fork 600 @2011-01-01T00:00:00Z @com.apple.ResourceFork="0123456789"*110000 text
	doc/no-delete 644 @2011-01-01T00:00:00Z @acl=everyone:0x2:0x10 text
	inherits/ 755 @2012-01-01T00:00:00Z @acl=everyone:0x61:0x2
	inherits/without 644 @2012-01-01T00:00:00Z text
	inherits/sub/ 755 @2012-01-01T00:00:00Z
	vault/ 555 @2013-01-01T00:00:00Z @flags=0x2
	vault/f 400 @2013-01-01T00:00:00Z text
	vault/sub/ 500 @2013-01-01T00:00:00Z
	pipe 600 @2013-01-01T00:00:00Z (fifo)
	again (= doc/plain)
`

// newMac returns a job between two volumes, or within one, that preserves everything.
func newMac(t testing.TB, m memfs.Mac, one bool) (b *testbed, plant [2]vfs.Dir) {
	t.Helper()
	src, dst := memfs.NewMac(m), memfs.NewMac(m)
	roots := [2]vfs.Dir{src.Plant(), dst.Plant()}
	if one {
		dst = src
		for i, name := range []string{"src", "dst"} {
			fstest.Fill(t, src.Plant(), fmt.Sprintf("%s/ 755 @owner=%d:%d", name, m.UID, m.GID))
			sub, err := src.Plant().OpenDir(name, vfs.NoFollow)
			if err != nil {
				t.Fatal(err)
			}
			roots[i] = sub
		}
	}
	b = &testbed{src: src, dst: dst}
	open := func(m *memfs.FS, name string) vfs.Dir {
		if !one {
			return m.Root()
		}
		d, err := m.Root().OpenDir(name, vfs.NoFollow)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	b.job = Job{
		Options: Options{
			Threads: 2, SourceProfile: metadata.Darwin, DestProfile: metadata.Darwin, HardLinks: true,
			User: vfs.User{UID: int(m.UID), GID: int(m.GID)},
			Keep: metadata.Keep{Perms: true, Mtime: true, Owner: true, Group: true, Xattrs: true, ACLs: true, Btime: true, Flags: true},
		},
		Sources:   []source.Tree{{Dir: open(src, "src"), Label: "SRC"}},
		Dest:      open(dst, "dst"),
		DestLabel: "DST",
		DestIsNew: true,
		Process:   thisProcess,
	}
	b.job.Policy.Devices, b.job.Policy.Specials = true, true
	return b, roots
}

// macTrees returns everything that is known about both trees.
func macTrees(t testing.TB, plant [2]vfs.Dir) (trees [2]string) {
	t.Helper()
	for i := range plant {
		trees[i] = fstest.Tree(t, plant[i], fstest.WithRoot, fstest.WithMtimes, fstest.WithBtimes, fstest.WithOwners,
			fstest.WithFlags, fstest.WithXattrs, fstest.WithLinks)
	}
	return trees
}

func TestMacKeepsEverything(t *testing.T) {
	for _, user := range []uint32{0, 501} {
		for _, one := range []bool{false, true} {
			for _, sync := range []bool{false, true} {
				t.Run(fmt.Sprintf("user %d, one volume %v, sync %v", user, one, sync), func(t *testing.T) {
					b, plant := newMac(t, memfs.Mac{UID: user, GID: 20}, one)
					b.job.Policy.Sync = sync
					fstest.Fill(t, plant[0], macTree)
					if user != 0 {
						own(t, plant[0], int(user), 20)
					}
					b.mustRun(t)
					if trees := macTrees(t, plant); trees[0] != trees[1] {
						t.Errorf("source:\n%s\ndestination:\n%s", trees[0], trees[1])
					}
					b.job.DestIsNew, b.job.Policy.Sync = false, true
					b.mustRun(t)
					if len(b.record.events) > 0 {
						t.Errorf("the second run did %q", b.record.all())
					}
				})
			}
		}
	}
}

// own changes the owner and group of everything in a directory.
func own(t testing.TB, d vfs.Dir, uid, gid int) {
	t.Helper()
	var names []vfs.Entry
	if err := d.ReadDir(func(es []vfs.Entry) error { names = append(names, slices.Clone(es)...); return nil }); err != nil {
		t.Fatal(err)
	}
	for _, e := range names {
		if err := vfs.Chown(vfs.In(d, e.Name), uid, gid); err != nil {
			t.Fatal(err)
		}
		if e.Type.IsDir() {
			sub, err := d.OpenDir(e.Name, vfs.NoFollow)
			if err != nil {
				t.Fatal(err)
			}
			own(t, sub, uid, gid)
			sub.Close()
		}
	}
	if err := vfs.Chown(vfs.In(d, "."), uid, gid); err != nil {
		t.Fatal(err)
	}
}

func TestMacLeavesWhatIsElsewhere(t *testing.T) {
	b, plant := newMac(t, memfs.Mac{}, false)
	fstest.Fill(t, plant[0], "here 644 text\ncloud 644 @flags=0x40000000 text\n")
	b.job.Policy.Sync, b.job.Delete.On, b.job.DestIsNew = true, true, false
	fstest.Fill(t, plant[1], "cloud 644 older")
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.wantEvents(t, []string{"copy here", "fail SRC/cloud"}, report.Copy, report.Fail, report.Delete, report.Replace)
}

// TestMacSaysThatDirectoriesAreElsewhere has directories that a server would have to list: nothing is removed because
// of them.
func TestMacSaysThatDirectoriesAreElsewhere(t *testing.T) {
	b, plant := newMac(t, memfs.Mac{UID: 501, GID: 20}, false)
	fstest.Fill(t, plant[0], "cloud/ 755 @flags=0x40000000\n")
	fstest.Fill(t, plant[1], "cloud/ 755\ncloud/f 644 text\n")
	for i := range plant {
		own(t, plant[i], 501, 20)
	}
	b.job.Policy.Sync, b.job.Delete.On, b.job.DestIsNew = true, true, false
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.wantEvents(t, []string{"fail SRC/cloud"}, report.Fail, report.Delete)
	for _, e := range b.record.events {
		if e.Kind == report.Fail && e.Err != job.ErrDataless {
			t.Errorf("reported %v, want %v", e.Err, job.ErrDataless)
		}
	}
}

func TestMacCollisions(t *testing.T) {
	for _, fresh := range []bool{false, true} {
		b, plant := newMac(t, memfs.Mac{}, false)
		b.dst = memfs.NewMac(memfs.Mac{Folds: true})
		b.job.Dest, plant[1] = b.dst.Root(), b.dst.Plant()
		fstest.Fill(t, plant[0], "name 644 one\nNAME 644 two\nDir/f 644 x\ndir/g 644 y\ncafe\u0301 644 z\ncaf\u00e9 644 zz\n")
		b.job.Policy.Sync, b.job.Delete.On, b.job.DestIsNew = true, !fresh, fresh
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := len(b.record.lines(report.Fail)); n != 3 {
			t.Errorf("fresh %v: %d collisions reported, want 3: %q", fresh, n, b.record.all())
		}
	}
}

func TestMacPrivateDirectoriesAreSpared(t *testing.T) {
	b, plant := newMac(t, memfs.Mac{Private: []string{"Mail"}}, false)
	fstest.Fill(t, plant[0], "Mail/inbox 644 text\nf 644 x\n")
	b.dst = memfs.NewMac(memfs.Mac{})
	b.job.Dest, plant[1] = b.dst.Root(), b.dst.Plant()
	fstest.Fill(t, plant[1], "Mail/inbox 644 text\nMail/old 644 text\ng 644 x\n")
	b.job.Policy.Sync, b.job.Delete.On, b.job.DestIsNew = true, true, false
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.wantEvents(t, []string{"delete g", "fail SRC/Mail"}, report.Fail, report.Delete)
	if n := b.job.Stats.Totals()[report.Private]; n != 1 {
		t.Errorf("%d failures may be due to privacy protection, want 1", n)
	}
}

// TestMacDistinguishesCases has a destination that may ignore case according to what it reports, but does not.
func TestMacDistinguishesCases(t *testing.T) {
	b, plant := newMac(t, memfs.Mac{}, false)
	fstest.Fill(t, plant[0], "name 644 one\nNAME 644 two\n")
	b.job.Policy.Sync, b.job.Delete.On, b.job.DestIsNew = true, true, false
	b.job.Dest = suspicious{b.job.Dest}
	b.mustRun(t)
	b.wantEvents(t, []string{"copy NAME", "copy name"}, report.Copy, report.Fail)
}

// suspicious is a directory whose volume may treat several names as one.
type suspicious struct{ vfs.Dir }

func (suspicious) Statfs() (vfs.Volume, error) { return vfs.Volume{Folds: true}, nil }

// TestAppleDoubleFilesGoWithTheirEntries removes a tree from a volume that keeps extended attributes in separate
// entries.
func TestAppleDoubleFilesGoWithTheirEntries(t *testing.T) {
	b, plant := newMac(t, memfs.Mac{AppleDouble: true}, false)
	fstest.Fill(t, plant[0], "f 644 @user.x=1 text\n")
	fstest.Fill(t, plant[1], "gone/f 644 @user.x=1 text\ngone/sub/g 644 @user.x=1 text\nf 644 @user.x=1 old\n._orphan 644 x\n")
	b.job.Policy.Sync, b.job.Delete.On, b.job.DestIsNew = true, true, false
	b.mustRun(t)
	b.wantEvents(t, []string{"delete ._orphan", "delete gone", "delete gone/f", "delete gone/sub", "delete gone/sub/g"}, report.Delete)
	if trees := macTrees(t, plant); trees[0] != trees[1] {
		t.Errorf("source:\n%s\ndestination:\n%s", trees[0], trees[1])
	}
}

// TestMacRefusalsAreNoDifference syncs attributes that the system does not let anyone set, or lets only root set.
func TestMacRefusalsAreNoDifference(t *testing.T) {
	b, plant := newMac(t, memfs.Mac{UID: 501, GID: 20, Refused: []string{"com.apple.quarantine"}}, false)
	fstest.Fill(t, plant[0], `
		f 644 @com.apple.quarantine=0081 text
		g 444 @com.apple.root.installed=1 text
		d/ 755 @com.apple.quarantine=0081
		d/l @com.apple.quarantine=0081 -> x
	`)
	own(t, plant[0], 501, 20)
	b.job.Policy.Sync = true
	b.mustRun(t)
	b.job.DestIsNew = false
	b.mustRun(t)
	if len(b.record.events) > 0 {
		t.Errorf("the second run did %q", b.record.all())
	}
}

// TestMacCountsForksThatAreNotKept copies or clones files without attributes that are an essential part of them.
func TestMacCountsForksThatAreNotKept(t *testing.T) {
	const info = "01234567890123456789012345678901"
	for _, tt := range []struct {
		name         string
		change       func(o *Options)
		forks, other int64
	}{
		{"not kept", func(o *Options) {}, 2, 3},
		{"reported by a dry run", func(o *Options) { o.DryRun = true }, 2, 3},
		{"kept", func(o *Options) { o.Keep.Xattrs = true }, 0, 0},
		{"declined", func(o *Options) { o.Keep.NoXattrs = true }, 0, 3},
	} {
		for _, clones := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, clones %v", tt.name, clones), func(t *testing.T) {
				b, plant := newMac(t, memfs.Mac{UID: 501, GID: 20}, clones)
				fstest.Fill(t, plant[0], "font 644 @com.apple.ResourceFork=glyphs\ndoc 644 @com.apple.FinderInfo="+info+
					" text\ntagged 644 @com.apple.metadata:tags=red text\nplain 644 text\n")
				own(t, plant[0], 501, 20)
				b.job.Keep = metadata.Keep{Mtime: true}
				tt.change(&b.job.Options)
				b.mustRun(t)
				totals := b.job.Stats.Totals()
				if forks, other := totals[report.DroppedForks], totals[report.DroppedXattrs]; forks != tt.forks || other != tt.other {
					t.Errorf("%d files with forks and %d with other attributes counted, want %d and %d", forks, other, tt.forks, tt.other)
				}
			})
		}
	}
}

// TestMacCountsDroppedACLs copies a file that has an ACL and an attribute and one that has neither, and lists the
// attributes of each once.
func TestMacCountsDroppedACLs(t *testing.T) {
	for _, tt := range []struct {
		name         string
		keep         metadata.Keep
		acls, xattrs int64
	}{
		{"nothing kept", metadata.Keep{Mtime: true}, 1, 1},
		{"extended attributes kept", metadata.Keep{Mtime: true, Xattrs: true}, 1, 0},
		{"ACLs kept", metadata.Keep{Mtime: true, ACLs: true}, 0, 1},
		{"both kept", metadata.Keep{Mtime: true, Xattrs: true, ACLs: true}, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, plant := newMac(t, memfs.Mac{UID: 501, GID: 20}, false)
			fstest.Fill(t, plant[0], "bare 644 text\nf 644 @acl=everyone:0x2:0x10 @org.x=value text\n")
			own(t, plant[0], 501, 20)
			b.job.Keep = tt.keep
			var lists atomic.Int64
			b.job.Sources[0].Dir = faultfs.New(b.job.Sources[0].Dir, func(op, name string) error {
				if op == "xattrs" && name != "." {
					lists.Add(1)
				}
				return nil
			})
			b.mustRun(t)
			totals := b.job.Stats.Totals()
			if acls, xattrs := totals[report.DroppedACLs], totals[report.DroppedXattrs]; acls != tt.acls || xattrs != tt.xattrs {
				t.Errorf("%d files with ACLs and %d with attributes counted, want %d and %d", acls, xattrs, tt.acls, tt.xattrs)
			}
			if n := lists.Load(); n != 2 {
				t.Errorf("the attributes of 2 files were listed %d times", n)
			}
		})
	}
}

// TestMacCountsForksOnServers also looks for forks on servers, although that takes a round trip.
func TestMacCountsForksOnServers(t *testing.T) {
	b, plant := newMac(t, memfs.Mac{}, false)
	fstest.Fill(t, plant[0], "font 644 @com.apple.ResourceFork=glyphs\n")
	b.job.Keep = metadata.Keep{}
	b.job.Sources[0].Dir = onVolume(b.job.Sources[0].Dir, vfs.Volume{Network: true})
	b.mustRun(t)
	if n := b.job.Stats.Totals()[report.DroppedForks]; n != 1 {
		t.Errorf("%d files counted, want 1", n)
	}
}

// TestMacSpecialsThatFATCannotHold copies a fifo and a device to a volume that returns EINVAL: they are counted as
// entries that it cannot hold, and are failures only if they were requested.
func TestMacSpecialsThatFATCannotHold(t *testing.T) {
	for _, asked := range []report.Attr{0, report.Specials | report.Devices} {
		b, plant := newMac(t, memfs.Mac{}, false)
		fstest.Fill(t, plant[0], "pipe 600 (fifo)\ndev 600 (char 0x103)\nf 644 text\n")
		b.dst = memfs.NewMac(memfs.Mac{FAT: true, AppleDouble: true})
		b.job.Dest, plant[1] = b.dst.Root(), b.dst.Plant()
		b.job.Keep = metadata.Keep{Mtime: true, Asked: asked}
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, e := range b.record.events {
			if e.Kind == report.Unkept && e.Asked != (asked != 0) {
				t.Errorf("asked %v: reported %+v", asked, e)
			}
		}
		b.wantEvents(t, []string{"unkept DST/dev", "unkept DST/pipe"}, report.Unkept, report.Fail)
		if failed := b.job.Stats.Totals()[report.Unkeeps] > 0; failed != (asked != 0) {
			t.Errorf("asked %v: failed %v", asked, failed)
		}
	}
}

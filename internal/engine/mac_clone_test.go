package engine

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"psync/internal/engine/job"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// TestMacClonesStayCompressed clones a file that a handle for writing would expand.
func TestMacClonesStayCompressed(t *testing.T) {
	for _, user := range []uint32{0, 501} {
		b, plant := newMac(t, memfs.Mac{UID: user, GID: 20}, true)
		fstest.Fill(t, plant[0], "f 644 @2001-01-01T00:00:00Z @flags=0x20 @user.x=1 text\n")
		own(t, plant[0], int(user), 20)
		b.mustRun(t)
		if trees := macTrees(t, plant); trees[0] != trees[1] {
			t.Errorf("user %d: source:\n%s\ndestination:\n%s", user, trees[0], trees[1])
		}
		b.job.DestIsNew, b.job.Policy.Sync = false, true
		b.mustRun(t)
		if len(b.record.events) > 0 {
			t.Errorf("user %d: the second run did %q", user, b.record.all())
		}
	}
}

// TestMacCloneOfAChangingFile gives a file other contents of the same size, and restores its modification time,
// between opening and cloning it.
func TestMacCloneOfAChangingFile(t *testing.T) {
	for _, old := range []string{"", "f 644 before"} {
		b, plant := newMac(t, memfs.Mac{UID: 501, GID: 20}, true)
		fstest.Fill(t, plant[0], unchangedFile)
		fstest.Fill(t, plant[1], old)
		own(t, plant[0], 501, 20)
		own(t, plant[1], 501, 20)
		b.job.Policy.Sync, b.job.DestIsNew = true, false
		var once sync.Once
		b.job.Dest = faultfs.New(b.job.Dest, func(op, _ string) error {
			if op == "clonefile" {
				once.Do(func() { overwrite(t, plant[0], "f", "f 644 @2001-01-01T00:00:00Z new") })
			}
			return nil
		})
		b.mustRun(t)
		if trees := macTrees(t, plant); trees[0] != trees[1] || !strings.Contains(trees[1], "new") {
			t.Errorf("before %q: source:\n%s\ndestination:\n%s", old, trees[0], trees[1])
		}
		if got := b.job.Stats.Totals()[report.BytesCopied]; got != 3 {
			t.Errorf("before %q: %d bytes are said to be copied, want 3", old, got)
		}
	}
}

// TestMacClonesByRootBelongToRoot expects a clone to have the owner and group that a copy has.
func TestMacClonesByRootBelongToRoot(t *testing.T) {
	for _, tt := range []struct {
		owner, group bool
		want         string
	}{
		{false, false, "0:20"}, {true, false, "501:20"}, {false, true, "0:12"}, {true, true, "501:12"},
	} {
		b, plant := newMac(t, memfs.Mac{UID: 0, GID: 20}, true)
		fstest.Fill(t, plant[0], "f 644 @2001-01-01T00:00:00Z @owner=501:12 text\n")
		b.job.Keep.Owner, b.job.Keep.Group = tt.owner, tt.group
		b.mustRun(t)
		if got, want := fstest.Tree(t, plant[1], fstest.WithOwners), "f 644 @owner="+tt.want+" text\n"; got != want {
			t.Errorf("owner %v, group %v: got %swant %s", tt.owner, tt.group, got, want)
		}
	}
}

// TestMacLocksOfRootAreNotCloned copies files whose clones only root could change, rename or remove.
func TestMacLocksOfRootAreNotCloned(t *testing.T) {
	for _, flags := range []uint32{0x20000, 0x40000, 0x100000} {
		for _, user := range []uint32{0, 501} {
			for _, old := range []string{"", "f 644 before"} {
				b, plant := newMac(t, memfs.Mac{UID: user, GID: 20}, true)
				fstest.Fill(t, plant[0], fmt.Sprintf("f 644 @2001-01-01T00:00:00Z @owner=%d:20 @flags=%#x text\n", user, flags))
				fstest.Fill(t, plant[1], old)
				own(t, plant[1], int(user), 20)
				b.job.Keep.Flags, b.job.Policy.Sync, b.job.DestIsNew = false, true, false
				b.mustRun(t)
				if got, want := fstest.Tree(t, plant[1], fstest.WithFlags), "f 644 text\n"; got != want {
					t.Errorf("flags %#x, user %d, before %q: got %swant %s", flags, user, old, got, want)
				}
			}
		}
	}
}

// TestMacTriesNoCloneBetweenVolumes counts the attempts to clone a file: within one volume, between two, and within
// one that does not include the other tree with the contents.
func TestMacTriesNoCloneBetweenVolumes(t *testing.T) {
	const files = 3
	for _, tt := range []struct {
		name      string
		one, near bool
		want      int
	}{
		{"one volume", true, false, files},
		{"two volumes", false, false, 0},
		{"contents from another volume", true, true, 0},
	} {
		b, plant := newMac(t, memfs.Mac{UID: 0, GID: 20}, tt.one)
		const tree = "f0 644 @2001-01-01T00:00:00Z text\nf1 644 @2001-01-01T00:00:00Z text\nf2 644 @2001-01-01T00:00:00Z text\n"
		fstest.Fill(t, plant[0], tree)
		if tt.near {
			other := memfs.NewMac(memfs.Mac{UID: 0, GID: 20})
			fstest.Fill(t, other.Plant(), tree)
			b.job.Alternatives = job.Alternatives{Kind: plan.CopyDest, Dirs: []vfs.Dir{other.Root()}}
		}
		var mu sync.Mutex
		attempts := 0
		b.job.Dest = faultfs.New(b.job.Dest, func(op, _ string) error {
			mu.Lock()
			defer mu.Unlock()
			if op == "clonefile" {
				attempts++
			}
			return nil
		})
		b.mustRun(t)
		if attempts != tt.want {
			t.Errorf("%s: %d attempts, want %d", tt.name, attempts, tt.want)
		}
		if trees := macTrees(t, plant); trees[0] != trees[1] {
			t.Errorf("%s: source:\n%s\ndestination:\n%s", tt.name, trees[0], trees[1])
		}
	}
}

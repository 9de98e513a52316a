package engine

import (
	"fmt"
	"testing"

	"psync/internal/report"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// TestMacFlagsOnFAT copies flags to and from a volume that has DOS flags. Flags that it has are kept, and a second
// run has nothing to do.
func TestMacFlagsOnFAT(t *testing.T) {
	apfs := `
		both 644 @2011-01-01T00:00:00Z @flags=0x8003 text
		dir/ 755 @2011-01-01T00:00:00Z @flags=0x8000
		hidden 644 @2011-01-01T00:00:00Z @flags=0x8000 text
		locked 644 @2011-01-01T00:00:00Z @flags=0x2 text
		nodump 644 @2011-01-01T00:00:00Z @flags=0x1 text
		vault/ 755 @2011-01-01T00:00:00Z @flags=0x2
		vault/f 644 @2011-01-01T00:00:00Z text
	`
	onFAT := "both 644 @flags=0x8002 text\ndir/ 755 @flags=0x8000\nhidden 644 @flags=0x8000 text\n" +
		"locked 644 @flags=0x2 text\nnodump 644 text\nvault/ 755\nvault/f 644 text\n"
	fat := "archived 644 @2011-01-01T00:00:00Z @flags=0x10000 text\nlocked 644 @2011-01-01T00:00:00Z @flags=0x10002 text\n"
	fromFAT := "archived 644 text\nlocked 644 @flags=0x2 text\n"
	for _, user := range []uint32{0, 501} {
		mac := memfs.Mac{UID: user, GID: 20}
		dos := memfs.Mac{UID: user, GID: 20, FAT: true, OwnersIgnored: true}
		for _, tt := range []struct {
			name       string
			src, dst   memfs.Mac
			tree, want string
			unkept     int
		}{
			{"to FAT", mac, dos, apfs, onFAT, 3},
			{"from FAT", dos, mac, fat, fromFAT, 0},
			{"from FAT to FAT", dos, dos, fat, fromFAT, 0},
		} {
			t.Run(fmt.Sprintf("%s, user %d", tt.name, user), func(t *testing.T) {
				b, plant := newMac(t, tt.src, false)
				b.dst = memfs.NewMac(tt.dst)
				b.job.Dest, plant[1] = b.dst.Root(), b.dst.Plant()
				b.job.Keep.Btime, b.job.Keep.Owner, b.job.Keep.Group = false, false, false
				b.job.Keep.Xattrs, b.job.Keep.ACLs = false, false
				fstest.Fill(t, plant[0], tt.tree)
				if user != 0 {
					own(t, plant[0], int(user), 20)
				}
				for run := range 2 {
					if err := b.run(t.Context()); err != nil || b.record.lines(report.Fail) != nil {
						t.Fatalf("%v: %q", err, b.record.all())
					}
					if got := fstest.Tree(t, plant[1], fstest.WithFlags); got != tt.want {
						t.Errorf("run %d, got:\n%swant:\n%s", run, got, tt.want)
					}
					if n := len(b.record.lines(report.Unkept)); n != tt.unkept {
						t.Errorf("run %d reports %d times that flags are not kept, want %d: %q", run, n, tt.unkept, b.record.all())
					}
					if n := len(b.record.events); run > 0 && n > tt.unkept {
						t.Errorf("the second run did %q", b.record.all())
					}
					b.job.DestIsNew, b.job.Policy.Sync = false, true
				}
			})
		}
	}
}

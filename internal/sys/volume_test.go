//go:build unix

package sys

import (
	"slices"
	"testing"
	"time"

	"psync/internal/vfs"
)

func TestVolumesByMagic(t *testing.T) {
	for _, tt := range []struct {
		name        string
		magic       uint32
		network     bool
		granularity time.Duration
		folds       bool
	}{
		{"ext4", 0xef53, false, 0, false},
		{"btrfs", 0x9123683e, false, 0, false},
		{"tmpfs", 0x01021994, false, 0, false},
		{"overlayfs", 0x794c7630, false, 0, false},
		{"some other", 0x12345678, false, 0, false},
		{"vfat", 0x4d44, false, 2 * time.Second, true},
		{"exfat", 0x2011bab0, false, 10 * time.Millisecond, true},
		{"hfsplus", 0x482b, false, time.Second, true},
		{"iso9660", 0x9660, false, time.Second, false},
		{"udf", 0x15013346, false, time.Microsecond, false},
		{"ntfs3", 0x7366746e, false, 100 * time.Nanosecond, true},
		{"cifs", 0xff534d42, true, 100 * time.Nanosecond, false},
		{"smb2", 0xfe534d42, true, 100 * time.Nanosecond, false},
		{"smbfs", 0x517b, true, 2 * time.Second, false},
		{"nfs", 0x6969, true, 0, false},
		{"fuse", 0x65735546, true, 0, false},
		{"9p", 0x01021997, true, 0, false},
		{"lustre", 0x0bd00bd0, true, 0, false},
	} {
		want := vfs.Volume{Network: tt.network, Granularity: tt.granularity, Folds: tt.folds, SlowExclusive: tt.name == "nfs"}
		want.KeepsAttrs = slices.Contains([]string{"ext4", "btrfs", "tmpfs", "overlayfs"}, tt.name)
		want.CopiesUp = tt.name == "overlayfs"
		if got := magicVolume(tt.magic); got != want {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, want)
		}
	}
}

func TestVolumesByName(t *testing.T) {
	for name, want := range map[string]vfs.Volume{
		"apfs":    {Folds: true, KeepsAttrs: true},
		"zfs":     {KeepsAttrs: true},
		"ufs":     {KeepsAttrs: true},
		"nfs":     {SlowExclusive: true},
		"fusefs":  {},
		"macfuse": {},
		"":        {},
		"msdos":   {Granularity: 2 * time.Second, Folds: true, DOSFlags: true}, // macOS
		"msdosfs": {Granularity: 2 * time.Second, Folds: true, DOSFlags: true}, // FreeBSD
		"exfat":   {Granularity: 10 * time.Millisecond, Folds: true, DOSFlags: true},
		"hfs":     {Granularity: time.Second, Folds: true, KeepsAttrs: true},
		"cd9660":  {Granularity: time.Second},
		"udf":     {Granularity: time.Microsecond},
		"smbfs":   {Granularity: 100 * time.Nanosecond, Folds: true, DOSFlags: true},
		"ntfs":    {Granularity: 100 * time.Nanosecond, Folds: true},
	} {
		if got := namedVolume(name); got != want {
			t.Errorf("%q: got %+v, want %+v", name, got, want)
		}
	}
}

func TestVolumesWithAppleDoubleFiles(t *testing.T) {
	for name, want := range map[string]bool{"msdos": true, "exfat": true, "nfs": true, "apfs": false, "hfs": false, "smbfs": false} {
		if got := lacksXattrs(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestVolumesWithACLsOfServers(t *testing.T) {
	for name, want := range map[string]bool{"smbfs": true, "afpfs": true, "nfs": true, "apfs": false, "hfs": false, "exfat": false} {
		if got := serverACLs(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestStatfsOfNoFile(t *testing.T) {
	if _, err := Statfs(-1); err == nil {
		t.Error("no error")
	}
}

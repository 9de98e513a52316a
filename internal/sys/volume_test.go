//go:build unix

package sys

import (
	"testing"
	"time"
)

func TestVolumesByMagic(t *testing.T) {
	for _, tt := range []struct {
		name        string
		magic       uint32
		network     bool
		granularity time.Duration
	}{
		{"ext4", 0xef53, false, 0},
		{"btrfs", 0x9123683e, false, 0},
		{"tmpfs", 0x01021994, false, 0},
		{"vfat", 0x4d44, false, 2 * time.Second},
		{"exfat", 0x2011bab0, false, 10 * time.Millisecond},
		{"hfsplus", 0x482b, false, time.Second},
		{"iso9660", 0x9660, false, time.Second},
		{"udf", 0x15013346, false, time.Microsecond},
		{"ntfs3", 0x7366746e, false, 100 * time.Nanosecond},
		{"cifs", 0xff534d42, true, 100 * time.Nanosecond},
		{"smb2", 0xfe534d42, true, 100 * time.Nanosecond},
		{"smbfs", 0x517b, true, 2 * time.Second},
		{"nfs", 0x6969, true, 0},
		{"fuse", 0x65735546, true, 0},
		{"9p", 0x01021997, true, 0},
		{"lustre", 0x0bd00bd0, true, 0},
	} {
		if network, granularity := magicVolume(tt.magic); network != tt.network || granularity != tt.granularity {
			t.Errorf("%s: network %v, granularity %v; want %v, %v", tt.name, network, granularity, tt.network, tt.granularity)
		}
	}
}

func TestVolumesByName(t *testing.T) {
	for name, want := range map[string]time.Duration{
		"apfs":    0,
		"zfs":     0,
		"nfs":     0,
		"fusefs":  0,
		"macfuse": 0,
		"":        0,
		"msdos":   2 * time.Second, // macOS
		"msdosfs": 2 * time.Second, // FreeBSD
		"exfat":   10 * time.Millisecond,
		"hfs":     time.Second,
		"cd9660":  time.Second,
		"udf":     time.Microsecond,
		"smbfs":   100 * time.Nanosecond,
		"ntfs":    100 * time.Nanosecond,
	} {
		if got := namedVolume(name); got != want {
			t.Errorf("%q: granularity %v, want %v", name, got, want)
		}
	}
}

func TestStatfsOfNoFile(t *testing.T) {
	if _, _, err := Statfs(-1); err == nil {
		t.Error("no error")
	}
}

package metadata

import (
	"io/fs"
	"testing"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
)

func chmodOp(mode fs.FileMode) Op { return Op{Class: Mode, Attr: report.Mode, Mode: mode} }
func chownOp(uid, gid int) Op {
	return Op{Class: Owner, Attr: report.Owner | report.Group, UID: uid, GID: gid}
}

func timesOp(sec int64) Op {
	return Op{Class: Times, Attr: report.Times, Mtime: time.Unix(sec, 0)}
}

func TestWhatWasNotSeenIsDoubted(t *testing.T) {
	const usual, before1970, after2038 = 1e9, -3e8, 1 << 31
	tests := []struct {
		name string
		seen []Op // operations whose attributes were kept
		ops  []Op
		want report.Attr
	}{
		{"nothing is known", nil, []Op{chownOp(1, 2), chmodOp(0o600), timesOp(usual)}, report.Owner | report.Group | report.Mode | report.Times},
		{"nothing was done", nil, []Op{{Class: Mode, Mode: 0o600, Never: true}}, 0},
		{"only the group", nil, []Op{chownOp(-1, 2)}, report.Group},
		{"owners are kept", []Op{chownOp(1, -1)}, []Op{chownOp(7, 8)}, report.Group},
		{"the same mode", []Op{chmodOp(0o640)}, []Op{chmodOp(0o640)}, 0},
		{"a bit more", []Op{chmodOp(0o640)}, []Op{chmodOp(0o644)}, report.Mode},
		{"a bit less", []Op{chmodOp(0o640)}, []Op{chmodOp(0o600)}, report.Mode},
		{"all bits, one way or the other", []Op{chmodOp(0o777), chmodOp(0)}, []Op{chmodOp(0o640)}, 0},
		{"a set-id bit", []Op{chmodOp(0o777), chmodOp(0)}, []Op{chmodOp(0o755 | fs.ModeSetuid)}, report.Mode},
		{"an ACL says what the mode is", nil, []Op{chmodOp(0o600), {Class: ACLs}}, 0},
		{"an ACL says nothing about times", nil, []Op{{Class: ACLs}, timesOp(usual)}, report.Times},
		{"nor does one that is taken away first", nil, []Op{{Class: Free}, chownOp(1, -1), chmodOp(0o600), timesOp(usual)}, report.Owner | report.Times},
		{"usual times", []Op{timesOp(usual)}, []Op{timesOp(usual + 1e8)}, 0},
		{"a time before 1970", []Op{timesOp(usual)}, []Op{timesOp(before1970)}, report.Times},
		{"a time after 2038", []Op{timesOp(usual)}, []Op{timesOp(after2038)}, report.Times},
		{"only the access time", nil, []Op{{Class: Times, Atime: time.Unix(usual, 0)}}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var p Fidelity
			for _, op := range tt.seen {
				ops := []Op{op}
				now := vfs.Attr{Mode: op.Mode, UID: uint32(max(op.UID, 0)), GID: uint32(max(op.GID, 0)), Mtime: op.Mtime}
				if missed := p.Verify(p.Unverified(ops), ops, now); missed != 0 {
					t.Fatalf("missed %v", missed)
				}
			}
			if got := p.Unverified(tt.ops); got != tt.want {
				t.Errorf("doubts %v, want %v", got, tt.want)
			}
		})
	}
	ops := []Op{chownOp(1, 2), chmodOp(0o4755), timesOp(1), timesOp(usual)}
	if got := FullFidelity().Unverified(ops); got != 0 {
		t.Errorf("a local file system is doubted: %v", got)
	}
	for _, sec := range []int64{-1, 1 << 31} {
		if got := FullFidelity().Unverified([]Op{timesOp(sec)}); got != report.Times {
			t.Errorf("a local file system is trusted with %d", sec)
		}
	}
}

func TestWhatAVolumeMakesOfAttributes(t *testing.T) {
	before := vfs.Attr{Mode: 0o755}
	at := func(sec int64) vfs.Attr { return vfs.Attr{Mode: 0o755, Mtime: time.Unix(sec, 0)} }
	tests := []struct {
		name            string
		op              Op
		now             vfs.Attr
		missed, ignored report.Attr
	}{
		{"kept", chownOp(1, 2), vfs.Attr{UID: 1, GID: 2}, 0, 0},
		{"owners ignored", chownOp(1, 2), vfs.Attr{}, report.Owner | report.Group, report.Owner | report.Group},
		{"owners squashed", chownOp(1, 2), vfs.Attr{UID: 65534, GID: 65534}, report.Owner | report.Group, 0},
		{"mode kept", chmodOp(0o600), vfs.Attr{Mode: 0o600}, 0, 0},
		{"mode ignored", chmodOp(0o600), before, report.Mode, report.Mode},
		{"read-only is all there is", chmodOp(0o400), vfs.Attr{Mode: 0o555}, report.Mode, 0},
		{"no set-id bits", chmodOp(0o755 | fs.ModeSetuid), before, report.Mode, 0},
		{"time kept", timesOp(1e9), at(1e9), 0, 0},
		{"time of FAT", timesOp(1e9 + 1), at(1e9), 0, 0},
		{"time of now", timesOp(1e9), at(2e9), report.Times, 0},
		{"1960 becomes 1970", timesOp(-3e8), at(0), report.Times, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var p Fidelity
			ops := []Op{tt.op}
			missed := p.Verify(p.Unverified(ops), ops, tt.now)
			if missed != tt.missed {
				t.Errorf("missed %v, want %v", missed, tt.missed)
			}
			if got := p.Ignored(missed, ops, before, tt.now); got != tt.ignored {
				t.Errorf("ignored %v, want %v", got, tt.ignored)
			}
			if doubted := p.Unverified(ops) != 0; doubted != (missed != 0) {
				t.Errorf("doubted afterwards: %v", doubted)
			}
		})
	}
}

func TestClampedTimes(t *testing.T) {
	for _, tt := range []struct {
		want, got int64
		is        bool
	}{
		{-3e8, 0, true},              // NFS 3
		{1 << 33, 1<<32 - 1, true},   // NFS 3
		{1 << 33, 1<<31 - 1, true},   // ext4 with small inodes
		{-1 << 33, -1 << 31, true},   // ext4
		{1 << 35, 15032385535, true}, // ext4
		{1 << 35, 16299260424, true}, // XFS
		{1, 315532800, true},         // FAT
		{-3e8, 1e9, false},
		{1e9, 0, false},
		{0, 0, false},
		{1e9, 1e9 + 1, false},
		{1 << 33, 1 << 32, false},
	} {
		if got := Clamped(time.Unix(tt.want, 0), time.Unix(tt.got, 0)); got != tt.is {
			t.Errorf("Clamped(%d, %d) = %v", tt.want, tt.got, got)
		}
	}
}

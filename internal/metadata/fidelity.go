package metadata

import (
	"io/fs"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
)

// A Fidelity records which attributes a volume has been seen to keep as they were set. Some servers and file
// systems report success and store another value, so attributes that have not been seen yet must be verified.
// The zero value is for a volume about which nothing is known.
type Fidelity struct {
	owner, group bool
	set, clear   fs.FileMode // mode bits seen to stay set, and to stay clear
	eras         uint16      // a bit for each era whose times are kept
}

// FullFidelity returns the Fidelity of a file system that stores every attribute as it is set or
// returns an error, except for times that may be out of its range.
func FullFidelity() Fidelity {
	f := Fidelity{owner: true, group: true, set: allBits, clear: allBits}
	for t := int64(0); t < 1<<31; t = nextEra(t) {
		f.eras |= 1 << era(time.Unix(t, 0))
	}
	return f
}

// allBits are the mode bits that chmod(2) sets.
const allBits = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// Unverified returns those of the attributes set by ops that the volume has not been seen to keep.
func (f Fidelity) Unverified(ops []Op) (attrs report.Attr) {
	modeOfACL := report.Attr(0)
	for i := range ops {
		op := &ops[i]
		if op.Never {
			continue
		}
		switch op.Class {
		case Owner:
			if op.UID >= 0 && !f.owner {
				attrs |= report.Owner
			}
			if op.GID >= 0 && !f.group {
				attrs |= report.Group
			}
		case Mode:
			if op.Mode&allBits&^f.set|allBits&^op.Mode&^f.clear != 0 {
				attrs |= report.Mode
			}
		case ACLs, Free: // these operations change the mode
			modeOfACL = report.Mode
		case Times:
			if !op.Mtime.IsZero() && f.eras&(1<<era(op.Mtime)) == 0 {
				attrs |= report.Times
			}
		}
	}
	return attrs &^ modeOfACL
}

// Verify compares the unverified attributes of an entry, now, with those that ops have set. It returns the
// attributes that differ, and records that the volume keeps the others.
func (f *Fidelity) Verify(unverified report.Attr, ops []Op, now vfs.Attr) (missed report.Attr) {
	for i := range ops {
		op := &ops[i]
		if op.Never {
			continue
		}
		switch op.Class {
		case Owner:
			if unverified&report.Owner != 0 && op.UID >= 0 {
				if f.owner = int(now.UID) == op.UID; !f.owner {
					missed |= report.Owner
				}
			}
			if unverified&report.Group != 0 && op.GID >= 0 {
				if f.group = int(now.GID) == op.GID; !f.group {
					missed |= report.Group
				}
			}
		case Mode:
			if unverified&report.Mode == 0 {
				continue
			}
			if (now.Mode^op.Mode)&allBits != 0 {
				missed |= report.Mode
				continue
			}
			f.set |= op.Mode & allBits
			f.clear |= allBits &^ op.Mode
		case Times:
			if unverified&report.Times == 0 || op.Mtime.IsZero() {
				continue
			}
			if now.Mtime.Sub(op.Mtime).Abs() >= coarsest {
				missed |= report.Times
				continue
			}
			f.eras |= 1 << era(op.Mtime)
		}
	}
	return missed
}

// Ignored returns the missed attributes that ops have not changed at all: on this volume, setting them succeeds
// without any effect. A volume that does not keep one mode may keep others.
func (f Fidelity) Ignored(missed report.Attr, ops []Op, before, now vfs.Attr) (ignored report.Attr) {
	if before.UID == now.UID {
		ignored |= missed & report.Owner
	}
	if before.GID == now.GID {
		ignored |= missed & report.Group
	}
	for i := range ops {
		if ops[i].Class == Mode && !ops[i].Never && f.set|f.clear == 0 &&
			now.Mode == before.Mode && (ops[i].Mode^now.Mode)&fs.ModePerm != 0 {
			ignored |= missed & report.Mode
		}
	}
	return ignored
}

// coarsest is the coarsest granularity of modification times, which FAT has.
const coarsest = 2 * time.Second

// timeLimits are the seconds since 1970 at which the range of a file system or protocol begins, or the first
// seconds after the end of a range. A time out of range is clamped without an error.
var timeLimits = [...]int64{
	-11644473600, // NTFS and SMB begin with 1601
	-9223372036,  // 64 bits of nanoseconds, as of APFS
	-1 << 31,     // 32 bits of seconds with a sign, as of ext4 with small inodes
	0,            // NFS 3
	315532800,    // FAT begins with 1980
	1 << 31,
	1 << 32,     // NFS 3
	4354819200,  // FAT ends with 2107
	9223372037,  // 64 bits of nanoseconds
	15032385536, // 34 bits of seconds, as of ext4
	16299260425, // XFS
}

// era returns the number of the interval between two timeLimits that contains t. A volume that keeps one time
// of an era keeps all times of the era.
func era(t time.Time) (n int) {
	for n < len(timeLimits) && t.Unix() >= timeLimits[n] {
		n++
	}
	return n
}

// nextEra returns the first second of the era after that of t.
func nextEra(t int64) int64 {
	for _, limit := range timeLimits {
		if limit > t {
			return limit
		}
	}
	return 1 << 62
}

// Clamped reports whether a volume may have stored got instead of want because want is out of its range.
func Clamped(want, got time.Time) bool {
	for _, limit := range timeLimits {
		first := time.Unix(limit, 0)
		switch apart := got.Sub(first); {
		case want.Before(first) && apart >= 0 && apart < coarsest,
			!want.Before(first) && apart < 0 && -apart <= coarsest:
			return true
		}
	}
	return false
}

package metadata

import (
	"io/fs"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
)

// A Proof is what a volume was seen to keep of the attributes that were set there. Some servers
// and file systems answer that all is well, and keep something else: so what nobody has seen
// yet has to be looked at. The zero value is a volume of which nothing is known.
type Proof struct {
	owner, group bool
	set, clear   fs.FileMode // bits of modes that were set, and taken away
	eras         uint16      // see era
}

// Trusted is the Proof of a file system that keeps what it is told to, or refuses it, but for times
// that it may have no room for.
func Trusted() Proof {
	p := Proof{owner: true, group: true, set: allBits, clear: allBits}
	for t := int64(0); t < 1<<31; t = nextEra(t) {
		p.eras |= 1 << era(time.Unix(t, 0))
	}
	return p
}

// allBits are those of a mode that chmod(2) sets.
const allBits = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// Doubts returns which of the attributes that operations have set must be looked at.
func (p Proof) Doubts(ops []Op) (doubts report.Attr) {
	modeOfACL := report.Attr(0)
	for i := range ops {
		op := &ops[i]
		if op.Never {
			continue
		}
		switch op.Class {
		case Owner:
			if op.UID >= 0 && !p.owner {
				doubts |= report.Owner
			}
			if op.GID >= 0 && !p.group {
				doubts |= report.Group
			}
		case Mode:
			if op.Mode&allBits&^p.set|allBits&^op.Mode&^p.clear != 0 {
				doubts |= report.Mode
			}
		case ACLs, Free: // which change the mode
			modeOfACL = report.Mode
		case Times:
			if !op.Mtime.IsZero() && p.eras&(1<<era(op.Mtime)) == 0 {
				doubts |= report.Times
			}
		}
	}
	return doubts &^ modeOfACL
}

// Learn adds to a Proof what an entry has got of doubtful attributes, and returns those that
// it has not got.
func (p *Proof) Learn(doubts report.Attr, ops []Op, now vfs.Attr) (missed report.Attr) {
	for i := range ops {
		op := &ops[i]
		if op.Never {
			continue
		}
		switch op.Class {
		case Owner:
			if doubts&report.Owner != 0 && op.UID >= 0 {
				if p.owner = int(now.UID) == op.UID; !p.owner {
					missed |= report.Owner
				}
			}
			if doubts&report.Group != 0 && op.GID >= 0 {
				if p.group = int(now.GID) == op.GID; !p.group {
					missed |= report.Group
				}
			}
		case Mode:
			if doubts&report.Mode == 0 {
				continue
			}
			if (now.Mode^op.Mode)&allBits != 0 {
				missed |= report.Mode
				continue
			}
			p.set |= op.Mode & allBits
			p.clear |= allBits &^ op.Mode
		case Times:
			if doubts&report.Times == 0 || op.Mtime.IsZero() {
				continue
			}
			if now.Mtime.Sub(op.Mtime).Abs() >= coarsest {
				missed |= report.Times
				continue
			}
			p.eras |= 1 << era(op.Mtime)
		}
	}
	return missed
}

// Ignores returns those of the missed attributes that the operations have not changed at all:
// the volume takes them, and forgets them. That one kind of mode is not kept says nothing about others.
func (p Proof) Ignores(missed report.Attr, ops []Op, before, now vfs.Attr) (ignored report.Attr) {
	if before.UID == now.UID {
		ignored |= missed & report.Owner
	}
	if before.GID == now.GID {
		ignored |= missed & report.Group
	}
	for i := range ops {
		if ops[i].Class == Mode && !ops[i].Never && p.set|p.clear == 0 &&
			now.Mode == before.Mode && (ops[i].Mode^now.Mode)&fs.ModePerm != 0 {
			ignored |= missed & report.Mode
		}
	}
	return ignored
}

// coarsest is the largest granularity of modification times, that of FAT.
const coarsest = 2 * time.Second

// limits are the first seconds that some file system or protocol has no room for, or the first
// that it has room for: a time beyond them becomes the last one that there is, without an error.
var limits = [...]int64{
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

// era returns in which of the times between two limits t is. A volume that keeps one of
// them keeps all.
func era(t time.Time) (n int) {
	for n < len(limits) && t.Unix() >= limits[n] {
		n++
	}
	return n
}

func nextEra(t int64) int64 {
	for _, limit := range limits {
		if limit > t {
			return limit
		}
	}
	return 1 << 62
}

// Clamped reports whether got may be what a volume has made of the time want, for which it
// has no room.
func Clamped(want, got time.Time) bool {
	for _, limit := range limits {
		first := time.Unix(limit, 0)
		switch apart := got.Sub(first); {
		case want.Before(first) && apart >= 0 && apart < coarsest,
			!want.Before(first) && apart < 0 && -apart <= coarsest:
			return true
		}
	}
	return false
}

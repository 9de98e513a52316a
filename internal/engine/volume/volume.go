// Package volume records what is known about each file system that a run uses.
//
// Some of it is reported by the system; see [vfs.Volume]. The rest is learned while entries are copied, or probed
// once when first needed: which attributes a volume refuses, accepts without effect, or stores as something else; how
// finely it keeps times; whether it ignores case.
package volume

import (
	"sync"
	"sync/atomic"

	"psync/internal/content"
	"psync/internal/lazymap"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A Table holds the volumes that a run has used, by device number. The zero value is empty. Its methods are
// safe for concurrent use.
type Table struct {
	mu sync.Mutex // guards m
	m  map[uint64]*Volume
}

// A Volume is what is known about a file system. Its methods are safe for concurrent use. Those that say so may be
// called on a nil *Volume, which stands for a volume that does not exist yet.
type Volume struct {
	vfs.Volume // what the system reports, or zero if it reports nothing
	Dev        uint64

	unsupported unsupported
	fidelity    fidelity
	times       granularity
	names       caseSensitivity
	xattrs      xattrLists
	noClone     atomic.Bool
}

// Of returns the volume that dir, whose attributes are attr, is on.
func (t *Table) Of(dir vfs.Dir, attr vfs.Attr) *Volume {
	t.mu.Lock()
	defer t.mu.Unlock()
	v := t.m[attr.Dev]
	if v == nil {
		v = newVolume(dir, attr.Dev)
		lazymap.Set(&t.m, attr.Dev, v)
	}
	return v
}

func newVolume(dir vfs.Dir, dev uint64) *Volume {
	v := &Volume{Dev: dev}
	// A volume that reports nothing is treated as a local one: that is correct, but may be slower.
	v.Volume, _ = dir.Statfs()
	v.times.known = v.Volume.Granularity
	known := new(metadata.Fidelity)
	if v.KeepsAttrs {
		*known = metadata.FullFidelity()
	}
	v.fidelity.known.Store(known)
	v.fidelity.verified = make(chan struct{})
	return v
}

// HasServerACLs reports whether the ACLs of a device are those of a server. It returns false for a device
// that is not in t.
func (t *Table) HasServerACLs(dev uint64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	v := t.m[dev]
	return v != nil && v.ServerACLs
}

// IgnoresFlags reports whether LearnIgnoresFlags was called for a device.
func (t *Table) IgnoresFlags(dev uint64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.m[dev].Ignored()&report.Flags != 0
}

// LearnIgnoresFlags records that a device accepts a change of flags and ignores it. It does nothing for a device that
// is not in t.
func (t *Table) LearnIgnoresFlags(dev uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if v := t.m[dev]; v != nil {
		v.learnIgnored(report.Flags)
	}
}

// Device returns what package content needs to know about the volume.
func (v *Volume) Device() content.Device { return content.Device{Dev: v.Dev, Network: v.Network} }

// HasRoot reports whether a directory of the volume, whose attributes are attr, is its root.
func (v *Volume) HasRoot(attr vfs.Attr) bool { return v.RootIno != 0 && v.RootIno == attr.Ino }

// LacksClones reports whether LearnNoClones was called: the volume cannot clone a file with its attributes.
func (v *Volume) LacksClones() bool { return v.noClone.Load() }

// LearnNoClones records that the volume cannot clone a file with its attributes.
func (v *Volume) LearnNoClones() { v.noClone.Store(true) }

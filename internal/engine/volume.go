package engine

import (
	"errors"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"psync/internal/content"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// volumes remembers what is known of each device.
type volumes struct {
	mu sync.Mutex // guards m
	m  map[uint64]*volume
}

// A volume is a file system that directories are on.
type volume struct {
	content.Device
	vfs.Volume
	plain   atomic.Bool // that an entry lists no extended attributes says nothing
	probed  sync.Once   // see probe
	noClone atomic.Bool // it has no clones that take attributes along

	measuring sync.Mutex // guards measured
	measured  bool       // Granularity is, rather than told by the system

	mu        sync.Mutex // guards what follows, and Granularity
	lacking   map[lack]error
	foldsCase *bool // whether it ignores case; nil if that is not known yet

	fidelity  atomic.Pointer[metadata.Fidelity] // replaced under mu
	verifying atomic.Bool                       // a worker has begun the first verification
	verified  chan struct{}                     // closed when that one is done
	lacks     atomic.Bool                       // lacking is not empty
	forgets   atomic.Uint32                     // report.Attr: what it accepts and does not store

	removesACLs atomic.Bool // an ACL that was removed was seen to be gone
}

// A lack is what a volume cannot keep: an attribute, or extended attributes of a
// namespace, for file systems may know some of those and not others.
type lack struct {
	attr  report.Attr
	space string
}

// of returns the volume that dir, whose attributes are attr, is on.
func (vs *volumes) of(dir vfs.Dir, attr vfs.Attr) *volume {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	v := vs.m[attr.Dev]
	if v == nil {
		v = new(volume)
		v.Dev = attr.Dev
		v.verified = make(chan struct{})
		fidelity := new(metadata.Fidelity)
		if s, ok := dir.(vfs.Statfser); ok {
			// A volume that cannot be asked is treated as a local one:
			// that is right, only perhaps slower.
			v.Volume, _ = s.Statfs()
			v.Device.Network = v.Volume.Network
		}
		if v.KeepsAttrs {
			*fidelity = metadata.FullFidelity()
		}
		v.fidelity.Store(fidelity)
		if vs.m == nil {
			vs.m = make(map[uint64]*volume)
		}
		vs.m[attr.Dev] = v
	}
	return v
}

// hasServerACLs reports whether the ACLs of a device, as far as that was met, are a server's.
func (vs *volumes) hasServerACLs(dev uint64) bool {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	v := vs.m[dev]
	return v != nil && v.ServerACLs
}

// knownGranularity returns the granularity of modification times, or 0 if it is not known.
func (v *volume) knownGranularity() time.Duration {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.Granularity
}

// granularity returns that of modification times, measuring it once, and reports whether
// that was possible.
func (v *volume) granularity(measure func() (time.Duration, bool)) (g time.Duration, ok bool) {
	v.measuring.Lock()
	defer v.measuring.Unlock()
	if v.measured {
		return v.knownGranularity(), true
	}
	if g, ok = measure(); !ok {
		return 0, false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.Granularity, v.measured = max(v.Granularity, g), true
	return v.Granularity, true
}

// ignored returns the attributes that can be set on the volume without an error and without effect.
func (v *volume) ignored() report.Attr {
	if v == nil {
		return 0
	}
	attrs := report.Attr(v.forgets.Load())
	if v.OwnersIgnored {
		attrs |= report.Owner | report.Group
	}
	return attrs
}

func (v *volume) ignore(attr report.Attr) { v.forgets.Or(uint32(attr)) }

// ignoresCase reports whether the volume ignores case, by calling try if that is not known yet.
func (v *volume) ignoresCase(try func() bool) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.foldsCase == nil {
		does := try()
		v.foldsCase = &does
	}
	return *v.foldsCase
}

// lack returns why the volume cannot keep something, as far as that is known.
func (v *volume) lack(what lack) error {
	if v == nil || !v.lacks.Load() {
		return nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.lacking[what]
}

// learn remembers what an error says about the whole volume.
func (v *volume) learn(what lack, err error) {
	if v == nil || !errors.Is(err, errors.ErrUnsupported) {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.lacking == nil {
		v.lacking = make(map[lack]error)
	}
	v.lacking[what] = err
	v.lacks.Store(true)
}

// ignoresRemoval reports whether an ACL that was just removed is still there. It looks until it has
// seen one go.
func (v *volume) ignoresRemoval(p *metadata.Profile, on metadata.Settable, name string) bool {
	if v == nil || v.KeepsAttrs || v.removesACLs.Load() {
		return false
	}
	n, ok := on.(vfs.Node)
	if !ok {
		return false
	}
	value, err := n.Xattr(name)
	stays := err == nil && !(p.TrivialACL != nil && p.TrivialACL(name, value))
	if !stays && (err == nil || errors.Is(err, fs.ErrNotExist)) {
		v.removesACLs.Store(true)
	}
	return stays
}

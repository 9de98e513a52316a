package contents

import (
	"errors"
	"sync"

	"psync/internal/content"
	"psync/internal/gnucp/entry"
	"psync/internal/lazymap"
	"psync/internal/localfs"
	"psync/internal/vfs"
)

// Volumes caches the volume of each device.
type Volumes struct {
	mu sync.Mutex // guards m
	m  map[uint64]vfs.Volume
}

// Of returns the volume with device number dev, which statfs describes.
func (v *Volumes) Of(dev uint64, statfs func() (vfs.Volume, error)) vfs.Volume {
	v.mu.Lock()
	defer v.mu.Unlock()
	if known, ok := v.m[dev]; ok {
		return known
	}
	volume, err := statfs()
	if errors.Is(err, errors.ErrUnsupported) {
		return vfs.Volume{}
	}
	// A volume whose properties are unknown is treated as a local one.
	lazymap.Set(&v.m, dev, volume)
	return volume
}

// route returns the route for the bytes of a file, and whether the route leads over a network.
func (c *Copier) route(e *entry.Copy, attr vfs.Attr, src, dst vfs.File) (route *content.Route, far bool) {
	var dev uint64
	if e.Parent != nil {
		dev = e.Parent.Dev
	} else if now, err := vfs.Stat(dst); err == nil {
		dev = now.Dev
	}
	device := func(dev uint64, f vfs.File) content.Device {
		v := c.Volumes.Of(dev, func() (vfs.Volume, error) { return localfs.Statfs(f) })
		return content.Device{Dev: dev, Network: v.Network}
	}
	from, to := device(attr.Dev, src), device(dev, dst)
	return c.routes.Between(from, to), from.Network || to.Network
}

// cutoff returns the size in bytes from which other workers may help with a file, or 0 if they may not: a
// destination that is not a regular file is written from start to end, and --debug reports the work of one
// Copier.
func (c *Copier) cutoff(far bool, dst vfs.Attr) int64 {
	switch {
	case c.Debug || !dst.Mode.IsRegular():
		return 0
	case far:
		return c.Cutoff
	}
	return c.CutoffNear
}

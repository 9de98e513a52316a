package gnucp

import (
	"errors"
	"sync"

	"psync/internal/content"
	"psync/internal/vfs"
)

// devices remembers what is known of each device.
type devices struct {
	mu sync.Mutex // guards m
	m  map[uint64]vfs.Volume
}

// of returns the volume that what can be asked is on.
func (d *devices) of(dev uint64, asked interface{ Statfs() (vfs.Volume, error) }) vfs.Volume {
	d.mu.Lock()
	defer d.mu.Unlock()
	if v, known := d.m[dev]; known {
		return v
	}
	v, err := asked.Statfs()
	if errors.Is(err, errors.ErrUnsupported) {
		return vfs.Volume{}
	}
	// One that cannot be asked is treated as a local one.
	if d.m == nil {
		d.m = make(map[uint64]vfs.Volume)
	}
	d.m[dev] = v
	return v
}

// route returns the way for the bytes of a file.
func (w *worker) route(it *item, attr vfs.Attr, src, dst vfs.File) *content.Route {
	dev := it.in.device()
	if dev == 0 {
		if now, err := dst.Stat(); err == nil {
			dev = now.Dev
		}
	}
	return w.routes.Between(
		content.Device{Dev: attr.Dev, Network: w.devices.of(attr.Dev, src).Network},
		content.Device{Dev: dev, Network: w.devices.of(dev, dst).Network})
}

package remotefs

import (
	"time"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// opened records what the server says about the directory when it is open.
func (d *Dir) opened(info *wire.DirInfo) error {
	d.handle.answered(info, nil)
	return d.know(info, time.Now())
}

// know records what is known about the directory since it was asked for.
func (d *Dir) know(info *wire.DirInfo, asked time.Time) error {
	if !info.Attr.Mode.IsDir() {
		return d.s.fail("a directory that is none")
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.info == nil {
		copied := *info
		copied.Attr = d.s.attr(copied.Attr)
		d.info, d.asked = &copied, asked
		d.caps = copied.Caps&offered | added
	}
	return nil
}

// facts returns what is known about the directory, and waits for it if necessary.
func (d *Dir) facts() (*wire.DirInfo, error) {
	d.mu.Lock()
	info, b := d.info, d.branch
	d.mu.Unlock()
	if info != nil {
		return info, nil
	}
	asked := time.Now()
	if b != nil {
		d.s.tree.Lock()
		coming := b.coming || b.done
		d.s.tree.Unlock()
		if coming {
			<-b.finished
			info, asked = b.info, b.asked
		}
	}
	if info == nil {
		var err error
		if info, err = d.handle.wait(); err != nil {
			return nil, err
		}
		asked = time.Now()
	}
	if err := d.know(info, asked); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.info, nil
}

// far returns a volume of the server as it is seen from here.
func far(v vfs.Volume) vfs.Volume {
	v.Network, v.TimesStay, v.SlowExclusive = true, true, false
	return v
}

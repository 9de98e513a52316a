package remotefs

import (
	"psync/internal/vfs"
	"psync/internal/wire"
)

// opened records what the server says about the directory when it is open.
func (d *Dir) opened(info *wire.DirInfo) error {
	d.handle.answered(info, nil)
	return d.know(info)
}

// know records what is known about the directory.
func (d *Dir) know(info *wire.DirInfo) error {
	if !info.Attr.Mode.IsDir() {
		return d.s.fail("a directory that is none")
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.info == nil {
		copied := *info
		copied.Attr = d.s.attr(copied.Attr)
		d.info = &copied
		d.caps = copied.Caps&offered | added
	}
	if d.closed {
		return nil
	}
	id := d.info.Attr.ID()
	t := &d.s.tree
	t.Lock()
	defer t.Unlock()
	if t.listed[id] == nil {
		t.listed[id] = make(map[*Dir]bool)
	}
	t.listed[id][d] = true
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
	if b != nil {
		d.s.tree.Lock()
		coming := b.coming || b.done
		d.s.tree.Unlock()
		if coming {
			<-b.finished
			info = b.info
		}
	}
	if info == nil {
		var err error
		if info, err = d.handle.wait(); err != nil {
			return nil, err
		}
	}
	if err := d.know(info); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.info, nil
}

// known returns what is already known about the directory, or nil.
func (d *Dir) known() *wire.DirInfo {
	d.mu.Lock()
	info := d.info
	d.mu.Unlock()
	if info != nil {
		return info
	}
	if info = d.handle.answer(); info == nil || d.know(info) != nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.info
}

// far returns a volume of the server as it is seen from here.
func far(v vfs.Volume) vfs.Volume {
	v.Network, v.TimesStay, v.SlowExclusive = true, true, false
	return v
}

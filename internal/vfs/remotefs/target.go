package remotefs

import "psync/internal/wire"

// target returns an entry as the target of a request. The caller calls done when the request is answered.
func (d *Dir) target(name string) (t wire.Target, done func()) {
	d.waitUntilMade(name)
	return wire.Target{Dir: d.handle.use(), Name: name}, d.handle.release
}

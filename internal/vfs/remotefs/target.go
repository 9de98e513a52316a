package remotefs

import "psync/internal/wire"

// target returns an entry for a request, which ends the use when it is answered.
func (d *Dir) target(name string) (t wire.Target, done func()) {
	d.waitUntilMade(name)
	return wire.Target{Dir: d.handle.use(), Name: name}, d.handle.release
}

package volume

import (
	"errors"
	"sync"
	"sync/atomic"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

// xattrLists records what an empty list of extended attributes means on a volume.
type xattrLists struct {
	probed      sync.Once
	saysNothing atomic.Bool // the volume has no extended attributes
}

// ProbeXattrs determines, once for a volume of the source, whether an empty list of extended attributes means that an
// entry has none, or means nothing: file systems without extended attributes may also return an empty list.
func (v *Volume) ProbeXattrs(p *metadata.Profile, dir vfs.Dir) {
	if len(p.Probes) == 0 {
		return
	}
	v.xattrs.probed.Do(func() {
		n, err := dir.Node(".")
		if err != nil {
			return
		}
		defer vfs.CloseUnwritten(n)
		for _, name := range p.Probes {
			if _, err := n.Xattr(name); !errors.Is(err, errors.ErrUnsupported) {
				return
			}
		}
		v.xattrs.saysNothing.Store(true)
	})
}

// LacksXattrs reports whether ProbeXattrs found that the volume has no extended attributes.
func (v *Volume) LacksXattrs() bool { return v.xattrs.saysNothing.Load() }

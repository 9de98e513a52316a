package volume

import (
	"errors"
	"sync"
	"sync/atomic"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

// xattrLists is what a list without extended attributes says on a volume.
type xattrLists struct {
	probed      sync.Once
	saysNothing atomic.Bool // the volume has no such thing
}

// ProbeXattrs finds out, once for a volume of the source, whether a list without extended attributes
// says that an entry has none, or nothing: file systems that have no such thing may list none, too.
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

// LacksXattrs reports whether ProbeXattrs has found that the volume has no extended attributes.
func (v *Volume) LacksXattrs() bool { return v.xattrs.saysNothing.Load() }

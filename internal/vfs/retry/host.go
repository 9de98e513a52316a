package retry

import (
	"psync/internal/report"
	"psync/internal/vfs"
)

// A host wraps the directories that it opens so that their volumes are waited for.
type host struct {
	vfs.Host
	volumes *Volumes
	calls   *report.Durations
}

// Host returns a host that wraps h. Calls to its directories are retried if they are on a volume that is waited for.
// The time that the calls take is added to durations, which are those of one side of vs.
func (vs *Volumes) Host(h vfs.Host, durations *report.Durations) vfs.Host {
	return host{h, vs, durations}
}

// Open implements [vfs.Host]. The directory is later reopened by the absolute path that path resolves to now, since the
// working directory may be on the volume, too.
func (h host) Open(path string, o vfs.OpenOptions) (vfs.Dir, error) {
	d, err := h.Host.Open(path, o)
	if err != nil || !h.volumes.wraps(d) {
		return d, err
	}
	var attr vfs.Attr
	real, err := h.Resolve(path)
	if err == nil {
		attr, err = vfs.Lstat(d, ".")
	}
	if err != nil {
		return nil, vfs.JoinErrors(err, d.Close())
	}
	o.Mkdir, o.MkdirAll = false, false
	reopen := func() (vfs.Dir, error) { return h.Host.Open(real, o) }
	r := &root{label: path, dev: attr.Dev, open: reopen, calls: h.calls}
	return newDir(d, h.volumes.volumeOf(r), r), nil
}

package engine

import (
	"errors"
	"slices"

	"psync/internal/engine/volume"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// node returns an entry as a Node if more is to be kept than every entry has, else nil.
// The caller closes it.
func (w *worker) node(dir vfs.Dir, name string) (vfs.Node, error) {
	if !w.Keep.Extended() {
		return nil, nil
	}
	n, err := dir.Node(name)
	if errors.Is(err, errors.ErrUnsupported) {
		return nil, nil
	}
	return n, err
}

// observeNamed is observe for the entry called target in dir, which messages call name. The caller
// closes the Node, if it is not nil.
func (w *worker) observeNamed(d *directory, at side, dir vfs.Dir, target, name string, s *metadata.State) vfs.Node {
	n, err := w.node(dir, target)
	if err != nil {
		s.Unknown |= report.ACLs | report.Xattrs | report.Flags
		w.failRead(d, at, name, w.Keep.Beyond(), err)
		return nil
	}
	w.observe(d, at, name, n, w.Keep, s)
	return n
}

// observe completes what is known of an entry by what k keeps of it. n is nil
// where there is no more to know. What cannot be read on either side fails the entry,
// and is left alone in the destination. One entry that has no attributes says nothing about
// the others: volumes may be put together from several.
func (w *worker) observe(d *directory, at side, name string, n vfs.Node, k metadata.Keep, s *metadata.State) {
	if n == nil || !k.Extended() {
		return
	}
	if w.leavesACLs(d) {
		k.ACLs = false
		s.Lacks |= report.ACLs
	}
	err := w.profile.Read(n, k, s, func(attr report.Attr, err error) { w.failRead(d, at, name, attr, err) })
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		w.failRead(d, at, name, k.Beyond()&(report.Xattrs|report.ACLs), err)
	}
	vol := d.srcVolume
	if at == onDest {
		vol = d.dstVolume
	}
	if vol != nil && vol.LacksACLs {
		s.Lacks |= report.ACLs
	}
	if vol != nil && vol.LacksXattrs() && len(s.Xattrs) == 0 {
		s.Lacks |= report.ACLs | report.Xattrs
	}
}

// leavesACLs reports whether ACLs of entries of d are neither read nor set, for one side has those of
// a server, and nobody has asked for ACLs by name.
func (w *worker) leavesACLs(d *directory) bool {
	serves := func(v *volume.Volume) bool { return v != nil && v.ServerACLs }
	return w.Keep.ImpliedACLs && (serves(d.srcVolume) || serves(d.dstVolume))
}

// A desired is what the copy of an entry of the source should have.
type desired struct {
	want metadata.State
	node vfs.Node // the entry of the source, to read long attributes from; or nil
	name string   // what messages call the entry

	keepsMode bool // want.Mode is the whole mode of the file that is replaced
}

// desired returns what the copy of an entry should have, given its wanted attributes, attr. The
// result is valid until the next call.
func (w *worker) desired(d *directory, name string, n vfs.Node, attr vfs.Attr) *desired {
	o := &w.goal
	*o = desired{want: metadata.State{Attr: attr}, node: n, name: name}
	w.observe(d, onSource, name, n, w.Keep, &o.want)
	return o
}

// met counts what the source file has and nobody asked for. It looks only where
// that costs no round trip, or forks may be lost.
func (w *worker) met(d *directory, src vfs.File, attr vfs.Attr) {
	if attr.Nlink > 1 && !w.HardLinks {
		w.count.Add(report.DroppedHardLinks, 1)
	}
	losesACLs := w.Keep.ACLs && w.leavesACLs(d)
	losesForks := !w.Keep.Xattrs && !w.Keep.NoXattrs && len(w.profile.Forks) > 0
	if w.Keep.Xattrs && w.Keep.ACLs && !losesACLs || d.srcVolume.Network && !losesForks {
		return
	}
	names, err := src.Xattrs(losesACLs)
	if err != nil {
		return
	}
	var acl, other, fork bool
	for _, name := range names {
		fate := w.profile.Xattr(name)
		acl = acl || fate&metadata.IsACL != 0
		other = other || fate&(metadata.IsACL|metadata.Copies) == metadata.Copies
		fork = fork || slices.Contains(w.profile.Forks, name)
	}
	if acl && (!w.Keep.ACLs || losesACLs) {
		w.count.Add(report.DroppedACLs, 1)
	}
	if other && !w.Keep.Xattrs {
		w.count.Add(report.DroppedXattrs, 1)
	}
	if fork && losesForks {
		w.count.Add(report.DroppedForks, 1)
	}
}

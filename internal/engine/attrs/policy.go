// Package attrs gives the entries of a destination the attributes of those of the source.
//
// What an entry is to have is a [Desired]. A [Setter] compares that to what the entry has, plans
// operations in the order that the system needs, see package metadata, and carries them out. What a
// volume does not keep, and what fails, is returned as [Notes]: the entry is there, and the caller
// reports them. Locks and ACLs that are in the way are lifted by a [Lifter].
package attrs

import (
	"errors"

	"psync/internal/engine/volume"
	"psync/internal/metadata"
	"psync/internal/vfs"
)

// A Policy says which attributes a run keeps, for which user, and what the systems of the two sides
// know of attributes.
type Policy struct {
	Keep         metadata.Keep
	User         vfs.User
	Source, Dest *metadata.Profile

	HardLinks bool // entries may get further names after they have got their attributes
	Compare   bool // the sides are only compared
}

// Volumes are those of a directory of the source and its counterpart.
type Volumes struct {
	Source, Dest *volume.Volume // Dest is nil where a dry run lacks the directory
	Tolerance    metadata.Tolerance
}

// ignoreACLs reports whether ACLs are neither read nor set, for one side has those of a server, and
// nobody has asked for ACLs by name.
func (p *Policy) ignoreACLs(v Volumes) bool {
	serves := func(v *volume.Volume) bool { return v != nil && v.ServerACLs }
	return p.Keep.ImpliedACLs && (serves(v.Source) || serves(v.Dest))
}

// node returns an entry as a Node if more is to be kept than every entry has, else nil.
// The caller closes it.
func (p *Policy) node(dir vfs.Dir, name string) (vfs.Node, error) {
	if !p.Keep.Extended() {
		return nil, nil
	}
	n, err := dir.Node(name)
	if errors.Is(err, errors.ErrUnsupported) {
		return nil, nil
	}
	return n, err
}

// closeNode closes a node that was only read, or changed by operations that have told their errors.
func closeNode(n vfs.Node) {
	if n != nil {
		_ = n.Close()
	}
}

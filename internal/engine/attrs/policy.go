// Package attrs sets the attributes of destination entries to those of the source.
//
// The attributes that an entry should have are a [Desired]. A [Setter] compares them with those that the
// entry has, plans operations in the order that the system requires (see package metadata), and carries them
// out. Attributes that a volume does not keep, and those that could not be set, are returned as [Notes]: the
// entry exists, and the caller reports them. A [Lifter] lifts locks and ACLs that prevent a change.
package attrs

import (
	"errors"

	"psync/internal/engine/volume"
	"psync/internal/metadata"
	"psync/internal/vfs"
)

// A Policy says which attributes a run preserves, for which user, and how the systems of the two sides
// store attributes.
type Policy struct {
	Keep         metadata.Keep
	User         vfs.User
	Source, Dest *metadata.Profile

	HardLinks bool // entries may get further names after their attributes are set
	Compare   bool // the sides are only compared
}

// Volumes are the volumes of a directory of the source and its counterpart.
type Volumes struct {
	Source, Dest *volume.Volume // Dest is nil if a dry run has no such directory
	Tolerance    metadata.Tolerance
}

// ignoreACLs reports whether ACLs are neither read nor set, because one side has those of a server and
// the user has not asked for ACLs by name.
func (p *Policy) ignoreACLs(v Volumes) bool {
	serves := func(v *volume.Volume) bool { return v != nil && v.ServerACLs }
	return p.Keep.ImpliedACLs && (serves(v.Source) || serves(v.Dest))
}

// node returns an entry as a Node if the run preserves extended attributes, ACLs or flags; otherwise nil.
// The caller closes it.
func (p *Policy) node(dir vfs.Dir, e vfs.Entry) (vfs.Node, error) {
	if !p.Keep.Extended() {
		return nil, nil
	}
	n, err := e.Node(dir)
	if errors.Is(err, errors.ErrUnsupported) {
		return nil, nil
	}
	return n, err
}

// closeNode closes a node that was only read, or changed by operations that have returned their errors.
func closeNode(n vfs.Node) {
	if n != nil {
		_ = n.Close()
	}
}

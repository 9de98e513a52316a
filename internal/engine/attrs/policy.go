// Package attrs gives the entries of a destination the attributes of those of the source.
package attrs

import (
	"errors"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

// A Policy says which attributes a run keeps, for which user, and what the systems of the two sides
// know of attributes.
type Policy struct {
	Keep         metadata.Keep
	User         metadata.User
	Source, Dest *metadata.Profile
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

// joinErrors joins two errors of which either may be nil. Unlike [errors.Join], it returns a single
// one as it is.
func joinErrors(err, also error) error {
	switch {
	case also == nil:
		return err
	case err == nil:
		return also
	}
	return errors.Join(err, also)
}

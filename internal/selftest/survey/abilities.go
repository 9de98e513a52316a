package survey

import (
	"errors"
	"io/fs"

	"psync/internal/metadata"
	"psync/internal/selftest/acl"
	"psync/internal/vfs"
)

// abilities returns the features that the destination lacks and the source does not need, and whether files of the
// destination can share blocks.
func (tr *trials) abilities(f *findings) (lacks []string, shares bool, err error) {
	for _, a := range []struct {
		kind  Kind
		word  string
		lacks func() (bool, error)
	}{
		{Symlink, "symbolic links", func() (bool, error) { return isLacking(tr.canMake(entryKey{kind: fs.ModeSymlink})) }},
		{HardLink, "hard links", func() (bool, error) { return isLacking(tr.canLink(entryKey{})) }},
		{Special, "fifos and sockets", func() (bool, error) { return isLacking(tr.canMake(entryKey{kind: fs.ModeNamedPipe})) }},
		{Hole, "holes in files", func() (bool, error) { return !tr.keepsHoles, nil }},
		{Collision, "names that differ only in case or composition", func() (bool, error) { return tr.names.folds, nil }},
		{Xattr, "extended attributes", tr.lacksXattrs},
		{ACL, "ACLs", tr.lacksACLs},
	} {
		if f.needed[a.kind].Load() || f.has(a.kind) {
			continue
		}
		lack, err := a.lacks()
		if err != nil {
			return nil, false, err
		}
		if lack {
			lacks = append(lacks, a.word)
		}
	}
	shares, err = tr.tryClone()
	return lacks, shares, err
}

// isLacking returns whether a trial was refused.
func isLacking(refusal, fatal error) (bool, error) { return refusal != nil, fatal }

func (tr *trials) lacksXattrs() (bool, error) {
	return tr.lacksAttribute("user.psync", []byte("value"))
}

func (tr *trials) lacksACLs() (bool, error) {
	if tr.profile != metadata.Linux {
		return false, nil
	}
	return tr.lacksAttribute(acl.PosixAccess, acl.Masked(tr.user.UID, 6, 4))
}

// lacksAttribute reports whether an attribute cannot be set.
func (tr *trials) lacksAttribute(name string, value []byte) (bool, error) {
	if err := makeFile(tr.dir, "lacks"); err != nil {
		return false, err
	}
	n, err := tr.node("lacks")
	if err != nil {
		return false, err
	}
	err = vfs.SetXattr(n, name, value)
	return err != nil, errors.Join(n.Close(), tr.dir.Remove("lacks", nil))
}

// tryClone reports whether two files can share blocks.
func (tr *trials) tryClone() (bool, error) {
	f, err := tr.dir.OpenFile("cloned", vfs.Create, 0o600)
	if err != nil {
		return false, err
	}
	_, err = f.WriteAt(make([]byte, 64<<10), 0)
	if err = errors.Join(err, f.Close()); err != nil {
		return false, err
	}
	from, err := tr.dir.OpenFile("cloned", vfs.ReadOnly, 0)
	if err != nil {
		return false, err
	}
	to, err := tr.dir.OpenFile("clone", vfs.Create, 0o600)
	if err != nil {
		return false, errors.Join(err, from.Close())
	}
	cloned := to.Clone(from)
	return cloned == nil, errors.Join(to.Close(), from.Close(), tr.dir.Remove("cloned", nil), tr.dir.Remove("clone", nil))
}

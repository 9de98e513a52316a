package survey

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// An attrKey identifies the attributes of an entry that are tried together. One trial suffices for entries
// with equal keys.
type attrKey struct {
	entryKey
	mode     fs.FileMode
	uid, gid uint32
	flags    uint32
	xattrs   string // their names, lengths and hashes
}

// An attrResult holds the attributes that were not kept.
type attrResult struct {
	diff   report.Diff
	mode   fs.FileMode // of the copy
	xattrs []string    // namespaces, with reasons
}

var seed = maphash.MakeSeed()

// keyOfState returns the key of an entry.
func keyOfState(s *metadata.State) attrKey {
	k := attrKey{entryKey: keyOf(s.Attr), mode: s.Mode, uid: s.UID, gid: s.GID, flags: s.Flags}
	if len(s.Xattrs) == 0 {
		return k
	}
	var b []byte
	for _, x := range s.Xattrs {
		b = append(append(b, x.Name...), 0)
		b = binary.AppendUvarint(b, uint64(len(x.Value)))
		if !strings.HasPrefix(x.Name, "user.") { // the values of the others do not matter
			b = binary.LittleEndian.AppendUint64(b, maphash.Bytes(seed, x.Value))
		}
	}
	k.xattrs = string(b)
	return k
}

// tryAttributes sets the attributes of want on a new entry of the destination, as a copy does, and compares the result.
// It reads long extended attributes from src.
func (tr *trials) tryAttributes(want *metadata.State, src vfs.Node) (attrResult, error) {
	return tr.attributes.get(keyOfState(want), func() (attrResult, error) {
		tr.attributed++
		name, kind := fmt.Sprintf("attributes-%d", tr.attributed), keyOf(want.Attr)
		if err := tr.makeAlike(kind, name); err != nil {
			return attrResult{}, err
		}
		defer func() { _ = tr.remove(kind, name) }() // a locked entry is removed at the end
		n, err := tr.node(name)
		if err != nil {
			return attrResult{}, err
		}
		r, err := tr.setAttributes(n, want, src)
		return r, errors.Join(err, n.Close())
	})
}

// node returns an entry of the destination for access to its attributes.
func (tr *trials) node(name string) (vfs.Node, error) {
	n, err := tr.dir.Node(name)
	if errors.Is(err, errors.ErrUnsupported) {
		return metadata.Entry{Dir: tr.dir, Name: name}, nil
	}
	return n, err
}

// setAttributes sets the attributes of want on n, which is new, and returns the differences that remain.
func (tr *trials) setAttributes(n vfs.Node, want *metadata.State, src vfs.Node) (r attrResult, err error) {
	now, err := tr.read(n)
	if err != nil {
		return r, err
	}
	at := metadata.PlanContext{User: tr.user}
	ops := tr.profile.Plan(nil, tr.keep, at, want, &now)
	failed := make(map[string]error) // by the name of the extended attribute
	for i := range ops {
		if !ops[i].IsTried() {
			continue
		}
		err := ops[i].Do(n, src)
		switch {
		case err != nil && ops[i].Xattr.Name != "":
			failed[ops[i].Xattr.Name] = err
		case err != nil && isFatal(err):
			return r, err
		case err == nil && ops[i].Class == metadata.Owner && !hasOwner(n, &ops[i]):
			metadata.WithholdSetID(ops[i+1:])
		}
		if err != nil && !ops[i].Proceed(err, ops[i+1:]) {
			break
		}
	}
	if now, err = tr.read(n); err != nil {
		return r, err
	}
	left := tr.profile.Plan(nil, tr.keep, at, want, &now)
	r.diff, r.mode = metadata.Diff(left)|metadata.Lacks(left), now.Mode
	if want.Mode.Type() != fs.ModeSymlink && want.Mode != now.Mode {
		r.diff |= report.DiffPerms
	}
	r.xattrs = tr.lostXattrs(want, &now, failed)
	return r, nil
}

// read returns the attributes of n.
func (tr *trials) read(n vfs.Node) (s metadata.State, err error) {
	if s.Attr, err = vfs.Stat(n); err != nil {
		return s, err
	}
	err = tr.profile.Read(n, tr.keep, &s, func(report.Attr, error) {})
	if errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return s, err
}

// hasOwner reports whether an operation has set the owner of n.
func hasOwner(n vfs.Node, op *metadata.Op) bool {
	now, err := vfs.Stat(n)
	return err == nil && (op.UID < 0 || op.UID == int(now.UID)) && (op.GID < 0 || op.GID == int(now.GID))
}

// lostXattrs returns the namespaces of extended attributes that were not kept, with reasons.
func (tr *trials) lostXattrs(want, now *metadata.State, failed map[string]error) (lost []string) {
	for _, x := range want.Xattrs {
		fate := tr.profile.Xattr(x.Name)
		if fate&metadata.Copies == 0 || fate&metadata.IsACL != 0 || x.Unread {
			continue
		}
		i := slices.IndexFunc(now.Xattrs, func(has metadata.Xattr) bool { return has.Name == x.Name })
		if i >= 0 && string(now.Xattrs[i].Value) == string(x.Value) {
			continue
		}
		space, _, _ := strings.Cut(x.Name, ".")
		if isTooLarge(failed[x.Name]) {
			space += ", too large"
		}
		if !slices.Contains(lost, space) {
			lost = append(lost, space)
		}
	}
	return lost
}

// isTooLarge reports whether an extended attribute could not be set because there is no room for it.
func isTooLarge(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.E2BIG) || errors.Is(err, syscall.ERANGE)
}

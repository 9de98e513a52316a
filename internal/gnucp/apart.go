package gnucp

import (
	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/policy"
	"psync/internal/vfs"
)

// apart decides which operands can be copied at the same time as others.
type apart struct {
	host   vfs.Host
	target vfs.ID
	follow bool            // symbolic links among the operands are followed
	names  map[string]bool // names used by other operands, or not to be used meanwhile; nil: all operands have to wait
	below  map[string]bool // by directory of an operand: whether it is in the target
}

// apart returns the state before the first operand.
func (l *commandLine) apart(target string) *apart {
	a := &apart{host: l.Host}
	dir, err := l.Host.Open(target, vfs.OpenOptions{Noatime: true})
	if err != nil {
		return a
	}
	defer dir.Close()
	attr, err := vfs.Lstat(dir, ".")
	if err != nil || !l.listsSources || l.Parents || l.InOrder() || l.Backup != policy.NoBackups || l.shared.Volumes.Of(attr.Dev, dir.Statfs).Folds {
		return a
	}
	names := make(map[string]bool)
	err = dir.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			if policy.IsLink(e.Type) {
				names[e.Name] = true // the link may lead to the destination of another operand
			}
		}
		return nil
	})
	if err == nil {
		a.target, a.follow, a.names, a.below = attr.ID(), l.Follow != policy.FollowNone, names, make(map[string]bool)
	}
	return a
}

// allows reports whether src may be copied under a name while other operands are copied: no other operand goes
// to that name, src is not in the target, where other operands write, and src is not a link that leads there.
func (a *apart) allows(src, name string) bool {
	if a.names == nil || a.names[name] || name == "" || name == "." {
		return false
	}
	a.names[name] = true
	dir := entry.DirName(src)
	below, known := a.below[dir]
	if !known {
		below = entry.IsBelow(a.host, dir, a.target)
		a.below[dir] = below
	}
	return !below && !(a.follow && entry.LeadsInto(a.host, src, a.target))
}

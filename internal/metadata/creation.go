package metadata

import "io/fs"

// A Creation is what becomes of the rwx bits that files of one directory are made with. Servers
// mask some of them (umask of a FUSE server, create mask of Samba, inherited ACLs of NFS 4), and
// add others (force create mode), each bit for itself. The zero value knows nothing.
type Creation struct {
	asked, given     fs.FileMode // bits that were asked for, and what became of them
	unasked, present fs.FileMode // bits that were not, and what became of them
}

// Exact returns a Creation that leaves all bits as they are.
func Exact() Creation {
	return Creation{asked: fs.ModePerm, given: fs.ModePerm, unasked: fs.ModePerm}
}

// Knows reports whether it is known what becomes of perm.
func (c Creation) Knows(perm fs.FileMode) bool {
	perm = perm.Perm()
	return perm&^c.asked == 0 && fs.ModePerm&^perm&^c.unasked == 0
}

// Of returns what becomes of perm.
func (c Creation) Of(perm fs.FileMode) fs.FileMode {
	perm = perm.Perm()
	return perm&c.given | fs.ModePerm&^perm&c.present
}

// Learn adds that a file made with perm has got.
func (c *Creation) Learn(perm, got fs.FileMode) {
	perm, got = perm.Perm(), got.Perm()
	c.asked |= perm
	c.given = c.given&^perm | got&perm
	c.unasked |= fs.ModePerm &^ perm
	c.present = c.present&perm | got&^perm
}

package metadata

import "io/fs"

// A CreateMask records which rwx bits files made in a directory actually get. Servers clear some of the
// requested bits (umask of a FUSE server, create mask of Samba, inherited ACLs of NFS 4), and set others (force
// create mode of Samba), each bit independently. The zero value is for a directory about which nothing is
// known.
type CreateMask struct {
	asked, given     fs.FileMode // requested bits, and the requested bits that were set
	unasked, present fs.FileMode // bits not requested, and the bits among them that were set
}

// Knows reports whether it is known which mode a file made with perm gets.
func (m CreateMask) Knows(perm fs.FileMode) bool {
	perm = perm.Perm()
	return perm&^m.asked == 0 && fs.ModePerm&^perm&^m.unasked == 0
}

// Apply returns the permissions that a file made with perm gets.
func (m CreateMask) Apply(perm fs.FileMode) fs.FileMode {
	perm = perm.Perm()
	return perm&m.given | fs.ModePerm&^perm&m.present
}

// Learn records that a file made with perm has the permissions got.
func (m *CreateMask) Learn(perm, got fs.FileMode) {
	perm, got = perm.Perm(), got.Perm()
	m.asked |= perm
	m.given = m.given&^perm | got&perm
	m.unasked |= fs.ModePerm &^ perm
	m.present = m.present&perm | got&^perm
}

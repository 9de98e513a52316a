package metadata

import "io/fs"

// A CreateMask says which rwx bits files made in a directory really get. Servers clear some of the
// bits asked for (umask of a FUSE server, create mask of Samba, inherited ACLs of NFS 4), and set
// others (force create mode of Samba), each bit by itself. The zero value is for a directory about
// which nothing is known.
type CreateMask struct {
	asked, given     fs.FileMode // bits that were asked for, and those of them that were set
	unasked, present fs.FileMode // bits that were not asked for, and those of them that were set
}

// ExactModes returns the CreateMask of a file system that gives every file the mode asked for.
func ExactModes() CreateMask {
	return CreateMask{asked: fs.ModePerm, given: fs.ModePerm, unasked: fs.ModePerm}
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

// Learn notes that a file made with perm has the permissions got.
func (m *CreateMask) Learn(perm, got fs.FileMode) {
	perm, got = perm.Perm(), got.Perm()
	m.asked |= perm
	m.given = m.given&^perm | got&perm
	m.unasked |= fs.ModePerm &^ perm
	m.present = m.present&perm | got&^perm
}

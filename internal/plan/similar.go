package plan

import (
	"path"

	"psync/internal/vfs"
)

// maxEdits is the distance of two names from which on their files are not expected to have anything in common, as in
// rsync.
const maxEdits = 25

// A Similar finds, among files, the one that most likely has much of the data of another one.
type Similar struct {
	Name string   // of the other one
	Want vfs.Attr // its attributes

	Best  string // the name of the file that was found; "": none
	least int    // its distance
}

// Add takes a file into account. A file of the same size and time is the best, and else one of a similar name, above all
// of a similar suffix, as in rsync.
func (s *Similar) Add(name string, attr vfs.Attr) {
	if !IsBase(attr) {
		return
	}
	d := 0
	if attr.Size != s.Want.Size || !attr.Mtime.Equal(s.Want.Mtime) {
		d = 1 + distance(s.Name, name) + 10*distance(path.Ext(s.Name), path.Ext(name))
	}
	if d <= maxEdits && (s.Best == "" || d < s.least) {
		s.Best, s.least = name, d
	}
}

// distance returns how many bytes must be inserted, removed or replaced to turn a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1) // the distances between a[:i] and the beginnings of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			d := diagonal
			if a[i] != b[j] {
				d = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], d
		}
	}
	return row[len(b)]
}

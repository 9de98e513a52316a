package memqueue

import (
	"strings"

	"psync/internal/queue"
)

// A place is a directory of a bundle.
type place struct {
	dir queue.Dir
	key *key
}

// addLocked adds a key to those of the job.
func (q *Queue) addLocked(k *key) {
	q.keys[k.bundle.ID], q.order = k, append(q.order, k)
	for _, d := range k.bundle.Dirs {
		p := &place{d, k}
		for above := d; ; above.Path = parent(above.Path) {
			q.below[above] = append(q.below[above], p)
			if above.Path == "." {
				break
			}
		}
	}
}

// parent returns the directory that a path is in.
func parent(path string) string {
	if i := strings.LastIndexByte(path, '/'); i > 0 {
		return path[:i]
	}
	return "."
}

// leftLocked returns the directories of other bundles of the round that are below those of k, or among them and later.
func (q *Queue) leftLocked(k *key) (left []queue.Dir) {
	seen := make(map[*place]bool) // a directory of k may be below another one
	for _, own := range k.bundle.Dirs {
		for _, p := range q.below[own] {
			isOther := p.key != k && p.key.bundle.Round.N == k.bundle.Round.N
			if isOther && !seen[p] && (p.dir != own || p.key.number > k.number) {
				seen[p] = true
				left = append(left, p.dir)
			}
		}
	}
	return left
}

package listing

import (
	"cmp"
	"slices"
	"strings"

	"psync/internal/wire"
)

// askAgain asks for the listings that an answer was to bring and has not, because there were too many. Otherwise workers
// would ask for those of one directory after the other, each time all of them. What is not asked for, because too many
// bytes are under way, stays in l.wait.
func (l *lister) askAgain() {
	var paths []string
	for path, b := range l.wait {
		if b.in != nil && !b.dropped {
			paths = append(paths, path)
		}
	}
	slices.SortFunc(paths, func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")), cmp.Compare(a, b))
	})
	for len(paths) > 0 && !l.root.dropped && l.tree.room() >= minMore {
		more, list, size := l.tree.newLister(l.s, l.of, l.root), new(wire.List), 0
		for len(paths) > 0 && len(list.Below) < wire.MaxBelow && size < maxNames {
			path := paths[0]
			paths, list.Below, size = paths[1:], append(list.Below, path), size+len(path)
			more.wait[path] = l.wait[path]
			delete(l.wait, path)
		}
		more.ahead = min(maxAtOnce, l.tree.room(), max(minOfDir, maxOfEach*len(list.Below)))
		l.tree.promised += more.ahead
		list.Ahead = uint32(more.ahead)
		list.Dir = l.of.Use() // before the end of this request releases it
		go more.send(list)    // which may have to wait for room
	}
}

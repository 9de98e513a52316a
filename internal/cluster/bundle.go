package cluster

import (
	"iter"

	"psync/internal/engine/peers"
	"psync/internal/queue"
	"psync/internal/queue/protocol"
)

// mayBePut reports whether a bundle can name a directory.
func mayBePut(k peers.Key) bool { return queue.Bundle{Dirs: []queue.Dir{dirOf(k)}}.Check() == nil }

// bundlesOf returns bundles with directories that wait below those of a claim.
func bundlesOf(c queue.Claim, r queue.Round, dirs []queue.Dir) (bundles []queue.Bundle) {
	for some := range groups(dirs) {
		bundles = append(bundles, queue.NewBundle(c, r, some))
	}
	return bundles
}

// partsOf is protocol.Parts for directories with paths of any length.
func partsOf(c queue.Claim, dirs []queue.Dir) (bundles []queue.Bundle) {
	for some := range groups(dirs) {
		bundles = append(bundles, protocol.Parts(c, some)...)
	}
	return bundles
}

// groups yields directories, as many at a time as a bundle may have.
func groups(dirs []queue.Dir) iter.Seq[[]queue.Dir] {
	return func(yield func([]queue.Dir) bool) {
		for begin := 0; begin < len(dirs); {
			end, size := begin, 0
			for end < len(dirs) && end-begin < queue.MaxDirs && (end == begin || size+len(dirs[end].Path) <= queue.MaxBundle) {
				size += len(dirs[end].Path)
				end++
			}
			if !yield(dirs[begin:end]) {
				return
			}
			begin = end
		}
	}
}

func dirOf(k peers.Key) queue.Dir {
	if k.Path == "" {
		return queue.Dir{Root: k.Source, Path: "."}
	}
	return queue.Dir{Root: k.Source, Path: k.Path}
}

func keyOf(d queue.Dir) peers.Key {
	if d.Path == "." {
		return peers.Key{Source: d.Root}
	}
	return peers.Key{Source: d.Root, Path: d.Path}
}

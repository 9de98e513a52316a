package cluster

import (
	"psync/internal/engine/peers"
	"psync/internal/queue"
)

// mayBePut reports whether a bundle can name a directory.
func mayBePut(k peers.Key) bool { return queue.Bundle{Dirs: []queue.Dir{dirOf(k)}}.Check() == nil }

// bundlesOf returns bundles with directories that wait below those of a claim.
func bundlesOf(c queue.Claim, r queue.Round, dirs []queue.Dir) (bundles []queue.Bundle) {
	for begin := 0; begin < len(dirs); {
		end, size := begin, 0
		for end < len(dirs) && end-begin < queue.MaxDirs && (end == begin || size+len(dirs[end].Path) <= queue.MaxBundle) {
			size += len(dirs[end].Path)
			end++
		}
		bundles = append(bundles, queue.NewBundle(c, r, dirs[begin:end]))
		begin = end
	}
	return bundles
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

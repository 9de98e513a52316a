package gnucp

import (
	"testing"

	"psync/internal/localfs"
)

func TestHighestBackup(t *testing.T) {
	dir := tree(t, "numbered: x", "numbered.~2~: x", "numbered.~10~: x", "numbered.~011~: x", "plain: x")
	for name, want := range map[string]string{"numbered": "10", "plain": ""} {
		if got := highestBackup(localfs.Cwd, dir, name); got != want {
			t.Errorf("of %s: %q, want %q", name, got, want)
		}
	}
}

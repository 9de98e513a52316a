package localfs

import (
	"testing"

	"psync/internal/vfs"
)

// TestPrepare wants files in the cloud to be let alone in the end, as by default.
func TestPrepare(t *testing.T) {
	mustDo(t, Host{}.Prepare(vfs.Preparation{FetchDataless: true}), Host{}.Prepare(vfs.Preparation{}))
}

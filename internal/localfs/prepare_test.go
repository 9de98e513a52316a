package localfs

import (
	"testing"

	"psync/internal/vfs"
)

// TestPrepare ends with the default setting, which does not fetch files in the cloud.
func TestPrepare(t *testing.T) {
	mustDo(t, Host{}.Prepare(vfs.Preparation{FetchDataless: true}), Host{}.Prepare(vfs.Preparation{}))
}

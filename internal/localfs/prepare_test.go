package localfs

import "testing"

// TestPrepare wants files in the cloud to be let alone in the end, as by default.
func TestPrepare(t *testing.T) {
	mustDo(t, Host{}.Prepare(true), Host{}.Prepare(false))
}

package cluster_test

import (
	"os"
	"testing"

	"psync/internal/localfs"
	"psync/internal/testtmp"
)

func TestMain(m *testing.M) {
	localfs.Host{}.ClearUmask() // as psync does
	os.Exit(testtmp.Run(m))
}

package cluster_test

import (
	"os"
	"testing"

	"psync/internal/testtmp"
)

func TestMain(m *testing.M) { os.Exit(testtmp.Run(m)) }

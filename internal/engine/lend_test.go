package engine

import (
	"os"
	"testing"
)

// TestMain lends everything to others if LEND is set.
func TestMain(m *testing.M) {
	if os.Getenv("LEND") != "" {
		LendAlways()
	}
	os.Exit(m.Run())
}

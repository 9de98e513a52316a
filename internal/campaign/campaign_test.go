package campaign

import (
	"slices"
	"testing"
)

func TestSeeds(t *testing.T) {
	tests := []struct {
		thorough, size, seed string
		want                 []uint64
	}{
		{"", "", "", []uint64{1, 2}},
		{"1", "", "", []uint64{1, 2, 3}},
		{"1", "1", "", []uint64{1}},
		{"", "", "7", []uint64{7, 8}},
		{"", "0", "7", []uint64{}},
	}
	for _, tt := range tests {
		t.Setenv("THOROUGH", tt.thorough)
		t.Setenv("CASES", tt.size)
		t.Setenv("CASES_SEED", tt.seed)
		if got := Seeds("CASES", 2, 3); !slices.Equal(got, tt.want) {
			t.Errorf("THOROUGH=%s CASES=%s CASES_SEED=%s: seeds %v, want %v", tt.thorough, tt.size, tt.seed, got, tt.want)
		}
	}
}

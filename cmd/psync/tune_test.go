package main

import (
	"fmt"
	"testing"
)

func TestGarbagePercent(t *testing.T) {
	for _, tt := range []struct {
		live uint64 // bytes
		want int
	}{
		{0, 400},
		{4 << 20, 400},
		{8 << 20, 400},
		{10 << 20, 300},
		{20 << 20, 150},
		{1 << 40, 100},
	} {
		t.Run(fmt.Sprint(tt.live), func(t *testing.T) {
			if got := garbagePercent(tt.live); got != tt.want {
				t.Errorf("%d, want %d", got, tt.want)
			}
		})
	}
}

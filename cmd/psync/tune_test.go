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
		{0, 200},
		{4 << 20, 200},
		{7 << 20, 200},
		{10 << 20, 150},
		{20 << 20, 50},
		{1 << 40, 50},
	} {
		t.Run(fmt.Sprint(tt.live), func(t *testing.T) {
			if got := garbagePercent(tt.live); got != tt.want {
				t.Errorf("%d, want %d", got, tt.want)
			}
		})
	}
}

package program

import (
	"fmt"
	"testing"
)

func TestGarbagePercent(t *testing.T) {
	for _, tt := range []struct {
		live        uint64 // bytes
		reachesHost bool
		want        int
	}{
		{0, false, 200},
		{4 << 20, false, 200},
		{7 << 20, false, 200},
		{10 << 20, false, 150},
		{20 << 20, false, 50},
		{1 << 40, false, 50},
		{0, true, 800},
		{8 << 20, true, 800},
		{15 << 20, true, 400},
		{60 << 20, true, 100},
		{1 << 40, true, 50},
	} {
		t.Run(fmt.Sprint(tt.live, tt.reachesHost), func(t *testing.T) {
			if got := garbagePercent(tt.live, tt.reachesHost); got != tt.want {
				t.Errorf("%d, want %d", got, tt.want)
			}
		})
	}
}

package natsqueue

import "testing"

func TestNumberOf(t *testing.T) {
	for _, tt := range []struct {
		stream, job string
		want        int
	}{
		{"psync-home", "home", 1},
		{"psync-home@2", "home", 2},
		{"psync-home@10", "home", 10},
		{"psync-home@1", "home", 0}, // none is called so
		{"psync-home@02", "home", 0},
		{"psync-home@-2", "home", 0},
		{"psync-home@", "home", 0},
		{"psync-home2", "home", 0},
		{"psync-home-2", "home", 0},
		{"psync-home@2", "hom", 0},
		{"psync-other", "home", 0},
		{"home", "home", 0},
	} {
		if got := numberOf(tt.stream, tt.job); got != tt.want {
			t.Errorf("%s of %s: %d, want %d", tt.stream, tt.job, got, tt.want)
		}
	}
}

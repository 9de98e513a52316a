package walk

import "testing"

func TestSizeStaysWithinItsBounds(t *testing.T) {
	set := func(n int) func(*Size) { return func(s *Size) { s.Set(n) } }
	tests := []struct {
		n, most int
		change  func(*Size)
		want    int
	}{
		{4, 16, func(*Size) {}, 4},
		{0, 16, func(*Size) {}, 1},
		{-3, -3, func(*Size) {}, 1},
		{32, 16, func(*Size) {}, 16},
		{4, 16, set(5), 5},
		{4, 16, set(0), 1},
		{4, 16, set(17), 16},
		{4, 16, (*Size).Double, 8},
		{12, 16, (*Size).Double, 16},
		{16, 16, (*Size).Double, 16},
		{4, 16, (*Size).Halve, 2},
		{5, 16, (*Size).Halve, 2},
		{1, 16, (*Size).Halve, 1},
	}
	for _, tt := range tests {
		s := NewSize(tt.n, tt.most)
		before, changed := s.get()
		tt.change(s)
		if got := s.Get(); got != tt.want {
			t.Errorf("%d of at most %d became %d, want %d", tt.n, tt.most, got, tt.want)
		}
		select {
		case <-changed:
			if before == tt.want {
				t.Errorf("%d of at most %d: reported a change, but there was none", tt.n, tt.most)
			}
		default:
			if before != tt.want {
				t.Errorf("%d of at most %d: reported no change", tt.n, tt.most)
			}
		}
	}
}

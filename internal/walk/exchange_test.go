package walk

import (
	"slices"
	"testing"
)

func TestTakeOldest(t *testing.T) {
	isOdd := func(n int) bool { return n%2 == 1 }
	for _, tt := range []struct {
		name       string
		n          int
		may        func(int) bool
		want, left []int
	}{
		{"half", 3, func(int) bool { return true }, []int{1, 2, 3}, []int{4, 5, 6}},
		{"some", 2, isOdd, []int{1, 3}, []int{2, 4, 5, 6}},
		{"more than there are", 9, isOdd, []int{1, 3, 5}, []int{2, 4, 6}},
		{"none", 0, isOdd, nil, []int{1, 2, 3, 4, 5, 6}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newStack[int]()
			held := s.hold()
			s.put(1, 2, 3, 4, 5, 6)
			if got := s.takeOldest(tt.n, tt.may); !slices.Equal(got, tt.want) {
				t.Errorf("took %v, want %v", got, tt.want)
			}
			held.Ack()
			var left []int
			for {
				c, _, err := s.claim()
				if err != nil {
					break
				}
				left = append(left, c.Task())
				c.Ack()
			}
			slices.Sort(left)
			if !slices.Equal(left, tt.left) {
				t.Errorf("left %v, want %v", left, tt.left)
			}
		})
	}
}

// TestNotify counts notifications of tasks that wait.
func TestNotify(t *testing.T) {
	n := 0
	p := NewPool[any](NewSize(1, 1), func() int { return 0 }, nil)
	p.Notify(func() { n++ })
	p.Put(make([]any, 5)...)
	for _, tt := range []struct{ above, put, want int }{
		{-1, 1, 0}, {6, 0, 0}, {7, 1, 0}, {7, 1, 1}, {0, 0, 1}, {0, 1, 2}, {-1, 9, 0},
	} {
		n = 0
		p.NotifyAbove(tt.above)
		p.Put(make([]any, tt.put)...)
		if n != tt.want {
			t.Errorf("above %d, %d more: %d notifications, want %d", tt.above, tt.put, n, tt.want)
		}
	}
}

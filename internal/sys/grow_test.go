package sys

import (
	"bytes"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// TestGrow counts the calls for values of a length that changes after each call. A short buffer gets ERANGE, or is filled,
// as by extattr_get_fd(2) and for resource forks.
func TestGrow(t *testing.T) {
	for _, tt := range []struct {
		name    string
		lengths []int // the last one stays
		calls   int
		err     error
	}{
		{"none", []int{0}, 1, nil},
		{"short", []int{100}, 1, nil},
		{"just fits", []int{maxLists - 1}, 1, nil},
		{"just too long", []int{maxLists}, 3, nil},
		{"long", []int{100_000}, 3, nil},
		{"has grown", []int{5000, 5000, 6000}, 5, nil},
		{"has shrunk", []int{5000, 5000, 10}, 3, nil},
		{"grows", []int{5000, 6000, 7000, 8000, 9000, 10_000, 11_000, 12_000, 13_000, 14_000, 15_000}, 10, unix.ERANGE},
	} {
		for _, truncates := range []bool{false, true} {
			calls := 0
			got, err := grow(func(p []byte) (int, error) {
				value := bytes.Repeat([]byte{'x'}, tt.lengths[min(calls, len(tt.lengths)-1)])
				calls++
				switch {
				case p == nil:
					return len(value), nil
				case len(p) < len(value) && !truncates:
					return 0, unix.ERANGE
				}
				return copy(p, value), nil
			})
			if calls != tt.calls || err != tt.err {
				t.Errorf("%s, truncates %v: %d calls, error %v; want %d, %v", tt.name, truncates, calls, err, tt.calls, tt.err)
			}
			if n := tt.lengths[len(tt.lengths)-1]; err == nil && (len(got) != n || slices.ContainsFunc(got, func(b byte) bool { return b != 'x' })) {
				t.Errorf("%s, truncates %v: got %d bytes, want %d", tt.name, truncates, len(got), n)
			}
		}
	}
	if _, err := grow(func([]byte) (int, error) { return 0, unix.EPERM }); err != unix.EPERM {
		t.Errorf("got %v", err)
	}
}

package overlap

import "testing"

func TestThroughFirmlink(t *testing.T) {
	const data = "/System/Volumes/Data"
	for _, tt := range []struct{ point, dir, want string }{
		{"/", "/", "/"},
		{"/", "/System/Library", "/System/Library"},
		{data, data, "/"},
		{data, data + "/Users/me", "/Users/me"},
		{data, "/Users/me", "/Users/me"},
		{data, "/private/tmp", "/private/tmp"},
		{"/Volumes/Disk", "/Volumes/Disk", "/"},
		{"/Volumes/Disk", "/Volumes/Disk/a/b", "/a/b"},
	} {
		if got, want := throughFirmlink(tt.point, tt.dir), (place{tt.point, tt.want}); got != want {
			t.Errorf("%s on %s: %v, want %v", tt.dir, tt.point, got, want)
		}
	}
}

// TestOverlapThroughFirmlinks checks whether directories are inside others by paths with and without a firmlink.
func TestOverlapThroughFirmlinks(t *testing.T) {
	const data = "/System/Volumes/Data"
	for _, tt := range []struct {
		inner, outer [2]string // mount point and path
		want         bool
	}{
		{[2]string{data, "/Users/me"}, [2]string{data, data}, true},
		{[2]string{data, "/Users/me"}, [2]string{data, data + "/Users"}, true},
		{[2]string{data, data + "/Users/me"}, [2]string{data, "/Users"}, true},
		{[2]string{data, "/Users/me"}, [2]string{data, "/Users/you"}, false},
		{[2]string{"/", "/System/Library"}, [2]string{data, data}, false},
	} {
		inner, outer := throughFirmlink(tt.inner[0], tt.inner[1]), throughFirmlink(tt.outer[0], tt.outer[1])
		if got := inner.inside(outer); got != tt.want {
			t.Errorf("%s inside %s: %v", tt.inner[1], tt.outer[1], got)
		}
	}
}

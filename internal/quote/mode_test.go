package quote

import (
	"io/fs"
	"testing"
)

func TestPermissions(t *testing.T) {
	for _, c := range []struct {
		mode fs.FileMode
		want string
	}{
		{0o644, "rw-r--r--"},
		{0o4755&0o777 | fs.ModeSetuid, "rwsr-xr-x"},
		{0o644 | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky, "rwSr-Sr-T"},
		{0o777 | fs.ModeSetgid | fs.ModeSticky, "rwxrwsrwt"},
		{0, "---------"},
	} {
		if got := Permissions(c.mode); got != c.want {
			t.Errorf("Permissions(%v) = %s, want %s", c.mode, got, c.want)
		}
	}
}

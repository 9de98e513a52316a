package gnucp

import (
	"fmt"
	"io/fs"
	"testing"
	"time"
)

func TestNotOlder(t *testing.T) {
	at := func(s, ns int64) time.Time { return time.Unix(s, ns) }
	for _, c := range []struct {
		what     string
		dst, src time.Time
		kept     bool
		tick     time.Duration
		want     bool
	}{
		{"newer", at(2, 0), at(1, 0), false, 0, true},
		{"equal", at(1, 5), at(1, 5), false, 0, true},
		{"older", at(1, 0), at(1, 5), false, time.Second, false},
		{"cut off when it was kept", at(1, 0), at(1, 5), true, time.Second, true},
		{"older by more than what is cut off", at(0, 0), at(1, 5), true, time.Second, false},
		{"older, and all is kept", at(1, 0), at(1, 5), true, 0, false},
		{"cut off by FAT", at(2, 0), at(3, 999), true, 2 * time.Second, true},
	} {
		if got := notOlder(c.dst, c.src, c.kept, func() time.Duration { return c.tick }); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}

func TestModesAsCpShowsThem(t *testing.T) {
	for _, c := range []struct {
		mode    fs.FileMode
		octal   string
		letters string
	}{
		{0o644, "0644", "rw-r--r--"},
		{0o4755&0o777 | fs.ModeSetuid, "4755", "rwsr-xr-x"},
		{0o644 | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky, "7644", "rwSr-Sr-T"},
		{0o777 | fs.ModeSetgid | fs.ModeSticky, "3777", "rwxrwsrwt"},
		{0, "0000", "---------"},
	} {
		if got := fmt.Sprintf("%04o", octal(c.mode)); got != c.octal {
			t.Errorf("octal(%v) = %s, want %s", c.mode, got, c.octal)
		}
		if got := letters(c.mode); got != c.letters {
			t.Errorf("letters(%v) = %s, want %s", c.mode, got, c.letters)
		}
	}
}

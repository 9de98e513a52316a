package vfs

import (
	"testing"
	"time"
)

func TestPremise(t *testing.T) {
	day := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	was := Attr{Size: 3, Mtime: day, Ctime: StampOf(day), Ino: 9, Nlink: 2}
	for _, tt := range []struct {
		name   string
		change func(*Attr)
		want   bool
	}{
		{"as it was", func(*Attr) {}, true},
		{"read", func(a *Attr) { a.Atime = day }, true},
		{"a name less", func(a *Attr) { a.Ctime, a.Nlink = StampOf(day)+1, 1 }, true},
		{"rewritten, with its time put back", func(a *Attr) { a.Ctime = StampOf(day) + 1 }, false},
		{"rewritten", func(a *Attr) { a.Mtime, a.Ctime = day.Add(1), StampOf(day)+1 }, false},
		{"rewritten, and a name less", func(a *Attr) { a.Mtime, a.Nlink = day.Add(1), 1 }, false},
		{"longer", func(a *Attr) { a.Size = 4 }, false},
		{"another file", func(a *Attr) { a.Ino = 8 }, false},
		{"something else", func(a *Attr) { a.Mode = 1 << 31 }, false},
	} {
		now := was
		tt.change(&now)
		if got := PremiseOf(was).Holds(now); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

package operand

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

func TestPlaceBySlash(t *testing.T) {
	tests := []struct {
		args   string
		skip   bool   // directories
		follow bool   // links to directories
		want   string // placements: directory, names
		err    error
	}{
		{args: "/s", want: "/[s]"},
		{args: "/s/", want: "/s/[]"},
		{args: "/s/.", want: "/s/.[]"},
		{args: "/s/dir/..", want: "/s/dir/..[]"},
		{args: "/s/file", want: "/s/[file]"},
		{args: "/s/link", want: "/s/[link]"},
		{args: "/s/link/", want: "/s/link/[]"},
		{args: "/s/dir /s/file /t/g", want: "/s/[dir file] /t/[g]"},
		{args: "/s/file /s/file", want: "/s/[file]"},
		{args: "/s/ /s/", want: "/s/[]"},
		{args: "/s/file /t/file", want: "/s/[file] /t/[file] merged"},
		{args: "/s/dir /t/g /s/file", want: "/s/[dir file] /t/[g]"},
		{args: "/s/file /t/file /t/g /s/dir", want: "/s/[file] /t/[file g] /s/[dir] merged"},
		{args: "/s/dir/ /t/", want: "/s/dir/[] /t/[] merged"},
		{args: "/s/ /t/file", want: "/s/[] /t/[file] merged"},
		{args: "/t/g /s/dir/ /t/file", want: "/t/[g] /s/dir/[] /t/[file] merged"},

		{args: "/s /s/ /s/file /s/link", skip: true, want: "/s/[file link]"},
		{args: "/s/link /t/g", skip: true, follow: true, want: "/t/[g]"},

		{args: "/none", err: ErrMissing},
		{args: "/none /s/file", want: "/[none] failed /s/[file]"},
		{args: "/s/file/", err: syscall.ENOTDIR},
		{args: "/s/file/ /t/", want: "/s/[file] failed /t/[]"},
	}
	for _, tt := range tests {
		m := memfs.New()
		d := m.Root()
		fstest.Fill(t, d, "s/file 644 x\ns/dir/f 644 x\ns/link -> dir\nt/file 644 x\nt/g 644 x\nd/ 755")
		d.Close()
		h := Host{memfs.NewHost(1, m), ""}
		o := Options{Hosts: Hosts{h, h}, SlashDecides: true, RenameFile: true, FollowLinks: tt.follow}
		if tt.skip {
			o.SkipDir = func(string) {}
		}
		r := &Roots{options: o, DestPath: "/d"}
		err := r.place(strings.Fields(tt.args))
		var got []string
		for _, p := range r.placed {
			got = append(got, fmt.Sprintf("%s%v", p.dir, p.names))
			if p.err != nil {
				got = append(got, "failed")
			}
		}
		if r.merges {
			got = append(got, "merged")
		}
		if !errors.Is(err, tt.err) || tt.err == nil && strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %s, %v; want %s, %v", tt.args, got, err, tt.want, tt.err)
		}
	}
}

func TestSkipDirIsGivenNamesOfRsync(t *testing.T) {
	m := memfs.New()
	d := m.Root()
	fstest.Fill(t, d, "s/dir/sub/ 755\nd/ 755")
	d.Close()
	h := Host{memfs.NewHost(1, m), ""}
	tests := []struct{ arg, want, relative string }{
		{"/s", "s", "/s"},
		{"/s/", ".", "/s"},
		{"/s/.", ".", "/s"},
		{"/s/dir/sub", "sub", "/s/dir/sub"},
		{"/s//dir/sub/.", ".", "/s/dir/sub"},
		{"/s/./dir/sub", "sub", "dir/sub"},
		{"/s/./", ".", "."},
		{"/", ".", "/."},
		{"/s/dir/..", ".", ""}, // which --relative refuses
		{"/s/../s/dir", "dir", ""},
		{"/s/..", ".", ""},
	}
	for _, tt := range tests {
		var got string
		o := Options{Hosts: Hosts{h, h}, SlashDecides: true, SkipDir: func(name string) { got += name }}
		if err := (&Roots{options: o, DestPath: "/d"}).place([]string{tt.arg}); err != nil || got != tt.want {
			t.Errorf("%s: %q, %v, want %q", tt.arg, got, err, tt.want)
		}
		got = ""
		if _, _, err := o.placeRelative([]string{tt.arg}); got != tt.relative || (err != nil) != (tt.relative == "") {
			t.Errorf("%s, relative: %q, %v, want %q", tt.arg, got, err, tt.relative)
		}
	}
}

// TestWhatDoesNotGoTogetherWithMerging refuses options that would need to know which source an entry is from.
func TestWhatDoesNotGoTogetherWithMerging(t *testing.T) {
	m := memfs.New()
	d := m.Root()
	fstest.Fill(t, d, "s/a 644 x\ns/t/b 644 x\nu/a 644 x\nd/ 755")
	d.Close()
	h := Host{memfs.NewHost(1, m), ""}
	tests := []struct {
		args string
		o    Options
		want error
	}{
		{"/s/ /u/ /d", Options{Delete: true, FollowLinks: true}, nil},
		{"/s/ /u/ /d", Options{RemoveSource: true}, nil},
		{"/s/ /u/ /d", Options{RemoveSource: true, FollowLinks: true}, ErrMerge},
		{"/s/ /s/t/ /d", Options{RemoveSource: true}, ErrMerge},
		{"/s/ /s/t/ /d", Options{}, nil},
		{"/s/ /u/ /d", Options{FollowUnsafe: true}, ErrMerge},
		{"/s/./a /u/./a /d", Options{Relative: true}, nil},
		{"/s/./a /u/./a /d", Options{Relative: true, RemoveSource: true}, ErrMerge},
		{"/s/./ /u/./ /d", Options{Relative: true}, nil},
		{"/s/./ /u/./a /d", Options{Relative: true}, ErrClash},
	}
	for _, tt := range tests {
		o := tt.o
		o.Hosts, o.SlashDecides = Hosts{h, h}, true
		r, err := OpenRoots(strings.Fields(tt.args), o)
		if !errors.Is(err, tt.want) {
			t.Errorf("%s, %+v: %v, want %v", tt.args, tt.o, err, tt.want)
		}
		if err == nil {
			if len(r.Sources) != 1 || !r.Sources[0].Merged {
				t.Errorf("%s: %d sources", tt.args, len(r.Sources))
			}
			r.Close()
		}
	}
}

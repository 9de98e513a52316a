package facts

import (
	"slices"
	"strings"
	"testing"

	"psync/internal/operand"
	"psync/internal/queue"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// TestOperands has two hosts that have mounted one file system, with operands that differ.
func TestOperands(t *testing.T) {
	m := memfs.New()
	top := m.Root()
	fstest.Fill(t, top, "a/f 644 text\na/d/g 644 text\nb/f 644 text\nold/ 755\nnew/ 755")
	if err := top.Close(); err != nil {
		t.Fatal(err)
	}
	type host struct {
		args   string
		mounts []string
		links  string // of --link-dest
	}
	facts := func(name string, h host) queue.Facts {
		t.Helper()
		here := operand.Host{Host: memfs.NewHost(0, m)}
		roots, err := operand.OpenRoots(strings.Fields(h.args), operand.Options{Hosts: operand.Hosts{Source: here, Dest: here}})
		if err != nil {
			t.Fatal(err)
		}
		defer roots.Close()
		o := Operands{Roots: roots, MountsBelow: func(string) []string { return slices.Clone(h.mounts) }}
		if h.links != "" {
			dir, err := here.Open(h.links, vfs.OpenOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = dir.Close() }()
			o.Alternatives = append(o.Alternatives, dir)
		}
		facts, err := o.Facts("nightly", "temp")
		if err != nil {
			t.Fatal(err)
		}
		return append(queue.Facts{{Name: queue.HostFact, Value: name}}, facts...)
	}
	const began = " at mover1, which began the job"
	for _, tt := range []struct {
		name          string
		first, second host
		want          string
	}{
		{"the same", host{args: "/a /new"}, host{args: "/a /new"}, ""},
		{"several", host{args: "/a /b /new"}, host{args: "/a /b /new"}, ""},
		{"one source more", host{args: "/a /new"}, host{args: "/a /b /new"}, "mover2: the root of /b is inode "},
		{"one source less", host{args: "/a /b /new"}, host{args: "/a /new"}, "mover2: what is copied of /a is all here, not" + began},
		{"a file", host{args: "/a/f /new"}, host{args: "/a/f /new"}, ""},
		{"another file", host{args: "/a/f /new"}, host{args: "/a/d /new"}, "here, "},
		{"the same mounts", host{"/a /new", []string{"d"}, ""}, host{"/a /new", []string{"d"}, ""}, ""},
		{
			"a mount is missing",
			host{"/a /new", []string{"d", "e/f"}, ""},
			host{"/a /new", []string{"d"}, ""},
			"mover2: the list of mounts below /a is d here, and d, e/f" + began,
		},
		{
			"all mounts are missing",
			host{"/a /new", []string{"d"}, ""},
			host{"/a /new", nil, ""},
			"mover2: the list of mounts below /a is empty here, and d" + began,
		},
		{
			"mounts elsewhere",
			host{"/a/f /new", nil, ""},
			host{"/a/f /new", []string{"d"}, ""},
			"mover2: the list of mounts below /new is d here, and empty" + began,
		},
		{"the same links", host{"/a /new", nil, "/old"}, host{"/a /new", nil, "/old"}, ""},
		{
			"no links",
			host{"/a /new", nil, "/old"},
			host{"/a /new", nil, ""},
			"mover2: the root of directory 1 of --link-dest and its like is inode ",
		},
		{
			"other links",
			host{"/a /new", nil, "/old"},
			host{"/a /new", nil, "/b"},
			"mover2: the root of directory 1 of --link-dest and its like is inode ",
		},
	} {
		job := facts("mover1", tt.first)
		err := facts("mover2", tt.second).Compare(job)
		if got := message(err); !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		dir := m.Root()
		dst, err := dir.OpenDir("new", vfs.NoFollow)
		if err == nil {
			err = Unmark(dst, "nightly")
			_ = dst.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		_ = dir.Close()
	}
	if n := m.Open(); n != 0 {
		t.Errorf("%d handles stay open", n)
	}
}

// TestRootsOf wants the directory that named ones are in not to be compared, because it may be one of the host in which
// volumes are mounted.
func TestRootsOf(t *testing.T) {
	m := memfs.New()
	top := m.Root()
	fstest.Fill(t, top, "a/f 644 text\nb/ 755\nf 644 text")
	for _, tt := range []struct{ names, want string }{
		{"", "/mnt"},
		{"a b", "/mnt/a /mnt/b"},
		{"a f", "/mnt /mnt/a"},
		{"f missing", "/mnt"},
	} {
		roots, release := rootsOf(Tree{"/mnt", top}, strings.Fields(tt.names))
		var got []string
		for _, r := range roots {
			got = append(got, r.Label)
		}
		release()
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q: %q, want %q", tt.names, got, tt.want)
		}
	}
	if err := top.Close(); err != nil || m.Open() != 0 {
		t.Errorf("%d handles stay open, %v", m.Open(), err)
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

package engine

import (
	"io/fs"
	"strings"
	"sync"
	"testing"
	"time"

	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
)

// A server determines what a volume makes of attributes. A nil function leaves them unchanged.
type server struct {
	create func(perm fs.FileMode) fs.FileMode
	chmod  func(was, mode fs.FileMode) fs.FileMode
	chown  func(was, id int) int
	mtime  func(t time.Time) time.Time

	mu    sync.Mutex // guards calls
	calls map[string]int
}

func (s *server) count(op string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls == nil {
		s.calls = make(map[string]int)
	}
	s.calls[op]++
}

// A served is a directory on a server, and a servedFile a file.
type served struct {
	vfs.Dir
	*server
}

type servedFile struct {
	vfs.File
	*server
}

func (d served) Unwrap() vfs.Dir             { return d.Dir }
func (served) Statfs() (vfs.Volume, error)   { return vfs.Volume{Network: true}, nil }
func (served) Node(string) (vfs.Node, error) { return nil, fs.ErrInvalid }

func (d served) OpenDir(name string, how vfs.Resolve) (vfs.Dir, error) {
	sub, err := d.Dir.OpenDir(name, how)
	if err != nil {
		return nil, err
	}
	return served{sub, d.server}, nil
}

func (d served) OpenFile(name string, mode vfs.OpenMode, perm fs.FileMode) (vfs.File, error) {
	if mode == vfs.Create {
		perm = d.created(perm)
	}
	f, err := d.Dir.OpenFile(name, mode, perm)
	if err != nil || mode != vfs.Create {
		return f, err
	}
	return servedFile{f, d.server}, nil
}

func (d served) Make(name string, s vfs.Spec) error {
	s.Mode = s.Mode.Type() | d.created(s.Mode.Perm())
	return d.Dir.Make(name, s)
}

func (s *server) created(perm fs.FileMode) fs.FileMode {
	if s.create == nil {
		return perm
	}
	return s.create(perm)
}

// set makes a change of an entry as the server does.
func (s *server) set(on vfs.Node, c vfs.Change) error {
	switch c.Kind {
	case vfs.ModeChange:
		s.count("chmod")
	case vfs.OwnerChange:
		s.count("chown")
	}
	was, err := vfs.Stat(on)
	switch {
	case c.Kind == vfs.ModeChange && err == nil && s.chmod != nil:
		c.Mode = s.chmod(was.Mode&^fs.ModeType, c.Mode)
	case c.Kind == vfs.OwnerChange && err == nil && s.chown != nil:
		c.UID, c.GID = s.chown(int(was.UID), c.UID), s.chown(int(was.GID), c.GID)
	case c.Kind == vfs.TimesChange && s.mtime != nil && !c.Mtime.IsZero():
		c.Mtime = s.mtime(c.Mtime)
	}
	return vfs.JoinErrors(err, vfs.SetOne(on, c))
}

func (d served) Set(name string, changes []vfs.Change) []error {
	return vfs.SetEach(changes, func(c *vfs.Change) error { return d.set(metadata.Entry{Dir: d.Dir, Name: name}, *c) })
}

func (d served) Statx(name string, want vfs.StatxWant) (vfs.Attr, error) {
	if want == vfs.StatxAll || want == vfs.StatxFresh {
		d.count("lstat")
	}
	return d.Dir.Statx(name, want)
}

func (f servedFile) Set(changes []vfs.Change) []error {
	return vfs.SetEach(changes, func(c *vfs.Change) error { return f.set(f.File, *c) })
}

// Statx reports the identity without a round trip.
func (f servedFile) Statx(want vfs.StatxWant) (vfs.Attr, error) {
	if want == vfs.StatxAll {
		f.count("stat")
	}
	return f.File.Statx(want)
}

// newServed returns a copy with -a to a server.
func newServed(t *testing.T, s *server, src string) *testbed {
	t.Helper()
	b := newLinked(t, src, "")
	b.job.Keep.Xattrs, b.job.Keep.ACLs, b.job.HardLinks = false, false, false
	b.job.Keep.Archived = report.Mode | report.Owner | report.Group | report.Times
	b.job.Dest = served{b.job.Dest, s}
	return b
}

func mask(perm fs.FileMode) fs.FileMode { return perm &^ 0o022 }

// modes is a tree of many modes, some of which equal those of the first file in their directory.
const modes = `
	a/1 664 x
	a/2 644 x
	a/3 666 x
	a/4 600 x
	a/5 775 x
	b/1 600 x
	b/2 660 x
	b/3 622 x
	b/ 775
	p 622 (fifo)
	q 600 (fifo)
`

// TestModesThatTheServerMasksAreSet has a server give files modes other than those they were made with.
func TestModesThatTheServerMasksAreSet(t *testing.T) {
	for _, tt := range []struct {
		name   string
		create func(fs.FileMode) fs.FileMode
	}{
		{"umask", mask},
		{"create mask and force create mode", func(perm fs.FileMode) fs.FileMode { return perm&^0o007 | 0o440 }},
		{"one mode for all", func(fs.FileMode) fs.FileMode { return 0o700 }},
	} {
		for _, perms := range []bool{false, true} {
			for _, threads := range []int{1, 8} {
				s := &server{create: tt.create}
				b := newServed(t, s, modes)
				b.job.Threads, b.job.Keep.Perms = threads, perms
				b.mustRun(t)
				if src, dst := b.trees(t); src != dst {
					t.Errorf("%s, -p %v: source:\n%s\ndestination:\n%s", tt.name, perms, src, dst)
				}
				b.wantNothing(t)
			}
		}
	}
}

// TestModesAreLookedAtOncePerDirectory counts the lookups where a server masks nothing.
func TestModesAreLookedAtOncePerDirectory(t *testing.T) {
	var tree strings.Builder
	for _, dir := range []string{"a", "b", "c"} {
		for i := range 50 {
			tree.WriteString(dir + "/" + strings.Repeat("x", 1+i) + " 644 text\n")
		}
	}
	s := new(server)
	b := newServed(t, s, tree.String())
	b.job.Keep.Owner, b.job.Keep.Group, b.job.Threads = false, false, 1
	b.mustRun(t)
	// They are for the directories by name, when they are opened, and one for the volume.
	if s.calls["stat"] != 3 || s.calls["lstat"] > 8 || s.calls["chmod"] != 0 {
		t.Errorf("%v; want one stat in each of 3 directories", s.calls)
	}
}

// TestWhatAServerForgetsIsReportedByEachRun has servers that accept attributes but keep others. Each run must report
// that, and only the first may change anything.
func TestWhatAServerForgetsIsReportedByEachRun(t *testing.T) {
	ignoreID := func(was, _ int) int { return was }
	tests := []struct {
		name   string
		server *server
		src    string
		want   map[report.Attr]int
		dst    string
	}{
		{
			"SMB without owners and modes",
			&server{
				create: func(fs.FileMode) fs.FileMode { return 0o755 },
				chmod:  func(was, _ fs.FileMode) fs.FileMode { return was },
				chown:  ignoreID,
			},
			"f 600 @owner=5:6 x\ng 755 @owner=0:6 x\nh 755 x\nd/ 700 @owner=5:0\nd/f 4755 @owner=5:6 x\n",
			map[report.Attr]int{report.Mode: 3, report.Owner: 3, report.Group: 3},
			"d/ 755 @owner=0:0\nd/f 755 @owner=0:0 x\nf 755 @owner=0:0 x\ng 755 @owner=0:0 x\nh 755 @owner=0:0 x\n",
		},
		{
			"a server that makes everything its own",
			&server{chown: func(int, int) int { return 99 }},
			"f 600 @owner=5:6 x\ng 600 @owner=7:8 x\n",
			map[report.Attr]int{report.Owner: 2, report.Group: 2},
			"f 600 @owner=99:99 x\ng 600 @owner=99:99 x\n",
		},
		{
			"no set-id bits for files that were not given away",
			&server{chown: ignoreID},
			"f 6755 @owner=5:6 x\n",
			map[report.Attr]int{report.Owner: 1, report.Group: 1, report.Mode: 1},
			"f 755 @owner=0:0 x\n",
		},
		{
			"read-only or not is all there is",
			&server{
				create: func(perm fs.FileMode) fs.FileMode { return 0o555 | perm&0o200 },
				chmod:  func(_, mode fs.FileMode) fs.FileMode { return 0o555 | mode&0o200 },
			},
			"f 400 x\ng 600 x\nh 755 x\ni 555 x\n",
			map[report.Attr]int{report.Mode: 2},
			"f 555 @owner=0:0 x\ng 755 @owner=0:0 x\nh 755 @owner=0:0 x\ni 555 @owner=0:0 x\n",
		},
		{
			"times before 1970",
			&server{mtime: func(t time.Time) time.Time {
				if t.Unix() < 0 {
					return time.Unix(0, 0)
				}
				return t
			}},
			"f 644 @1960-01-01T00:00:00Z x\ng 644 @1970-01-02T00:00:00Z x\nh 644 @1980-01-01T00:00:00Z x\nd/f 644 @1969-12-31T00:00:00Z x\nd/ 755 @1965-01-01T00:00:00Z\n",
			map[report.Attr]int{report.Times: 3},
			"",
		},
		{
			"no times",
			&server{mtime: func(time.Time) time.Time { return time.Unix(1.5e9, 0) }},
			"d/ 755 @2001-01-01T00:00:00Z\n",
			map[report.Attr]int{report.Times: 1},
			"d/ 755 @owner=0:0\n",
		},
	}
	for _, tt := range tests {
		for _, threads := range []int{1, 8} {
			t.Run(tt.name, func(t *testing.T) {
				b := newServed(t, tt.server, "./ 755 @2001-01-01T00:00:00Z\n"+tt.src)
				b.job.Threads = threads
				if tt.name == "no times" {
					b.job.Sources[0].Names = []string{"d"}
				}
				for i := range 3 {
					if err := b.run(t.Context()); err != nil {
						t.Fatal(err)
					}
					got := map[report.Attr]int{}
					for _, e := range b.record.events {
						switch {
						case e.Kind == report.Unkept && !e.Asked:
							t.Errorf("run %d: only warned of %+v", i, e)
						case e.Kind == report.Unkept:
							got[e.Attr]++
						case i > 0 || e.Kind == report.Fail:
							t.Errorf("run %d: %+v", i, e)
						}
					}
					for attr, n := range tt.want {
						if got[attr] != n {
							t.Errorf("run %d: reported %s of %d entries, want %d", i, attr, got[attr], n)
						}
					}
					if len(got) != len(tt.want) {
						t.Errorf("run %d: reported %v, want %v", i, got, tt.want)
					}
					b.job.DestIsNew = false
				}
				if tt.dst != "" {
					b.wantTree(t, tt.dst, fstest.WithOwners)
				}
			})
		}
	}
}

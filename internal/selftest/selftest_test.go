package selftest_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"psync/internal/localfs"
	"psync/internal/metadata"
	"psync/internal/selftest"
	"psync/internal/selftest/check"
	"psync/internal/testtmp"
	"psync/internal/vfs"
	"psync/internal/vfs/memfs"
)

func TestMain(m *testing.M) {
	localfs.Host{}.ClearUmask()
	os.Exit(testtmp.Run(m))
}

// run runs all checks, wants none to fail but those named, and the directory to be
// as it was.
func run(t *testing.T, c check.Config, known ...string) {
	t.Helper()
	var out bytes.Buffer
	c.Quick = true
	r, err := selftest.Run(t.Context(), c, &out, true)
	if err != nil {
		t.Error(err)
	}
	if r.Passed == 0 {
		t.Error("nothing passed")
	}
	t.Log("\n" + out.String())
	for line := range strings.Lines(out.String()) {
		failure, ok := strings.CutPrefix(line, "FAIL ")
		if !ok {
			continue
		}
		name := ""
		for _, k := range known {
			if strings.HasPrefix(failure, k+":") {
				name = k
			}
		}
		if name == "" {
			t.Error(line)
		}
	}
	if names := list(t, c.Dir); len(names) > 0 {
		t.Errorf("left behind: %q", names)
	}
}

func list(t *testing.T, d vfs.Dir) (names []string) {
	t.Helper()
	err := d.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			names = append(names, e.Name)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return names
}

func TestThisSystem(t *testing.T) {
	dir, err := localfs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	groups, err := os.Getgroups()
	if err != nil {
		t.Fatal(err)
	}
	run(t, check.Config{Dir: dir, User: vfs.User{UID: os.Geteuid(), GID: os.Getegid(), Groups: groups}})
}

func TestSimulatedMac(t *testing.T) {
	user := memfs.Mac{UID: 501, GID: 20, Groups: []uint32{12, 61}}
	for name, change := range map[string]func(m *memfs.Mac){
		"user":           func(*memfs.Mac) {},
		"root":           func(m *memfs.Mac) { *m = memfs.Mac{} },
		"APFS":           func(m *memfs.Mac) { m.Folds = true },
		"HFS+":           func(m *memfs.Mac) { m.Decomposes, m.Tick = true, time.Second },
		"owners ignored": func(m *memfs.Mac) { m.OwnersIgnored = true },
		"no attributes":  func(m *memfs.Mac) { m.NoXattrs = true },
		"AppleDouble":    func(m *memfs.Mac) { m.AppleDouble = true },
		"FAT":            func(m *memfs.Mac) { m.FAT, m.AppleDouble, m.Folds, m.OwnersIgnored = true, true, true, true },
		"not entitled":   func(m *memfs.Mac) { m.Refused = []string{"com.apple.quarantine"} },
		"share":          func(m *memfs.Mac) { m.Share, m.Folds = true, true },
		"share, by root": func(m *memfs.Mac) { *m = memfs.Mac{Share: true, Folds: true} },
		"exFAT": func(m *memfs.Mac) {
			m.FAT, m.AppleDouble, m.Folds, m.OwnersIgnored, m.Tick = true, true, true, true, 10*time.Millisecond
		},
		"FAT, by root": func(m *memfs.Mac) { *m = memfs.Mac{FAT: true, AppleDouble: true, Folds: true, OwnersIgnored: true} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := user
			change(&m)
			u := vfs.User{UID: int(m.UID), GID: int(m.GID)}
			for _, gid := range m.Groups {
				u.Groups = append(u.Groups, int(gid))
			}
			simulated(t, memfs.NewMac(m), check.Config{Profile: metadata.Darwin, User: u})
		})
	}
}

func TestSimulatedLinux(t *testing.T) {
	// There, no flag locks anything.
	simulated(t, memfs.New(), check.Config{Profile: metadata.Linux},
		"a locked file is reported where flags are not kept, and the others are copied",
		"a locked file that the source lacks is reported where flags are not kept, and the others are deleted")
}

func simulated(t *testing.T, m *memfs.FS, c check.Config, known ...string) {
	t.Helper()
	c.Dir = m.Root()
	run(t, c, known...)
	if err := c.Dir.Close(); err != nil {
		t.Error(err)
	}
	if n := m.Open(); n > 0 {
		t.Errorf("%d handles are still open", n)
	}
}

// TestFindsMistakes breaks what the order of operations is made of, and wants a
// check to find it.
func TestFindsMistakes(t *testing.T) {
	user, root, linux := who{metadata.Darwin, 501}, who{metadata.Darwin, 0}, who{metadata.Linux, 0}
	for _, tt := range []struct {
		name   string
		by     who
		change func(p *metadata.Profile)
		found  string
	}{
		{"locks before the name", user, move(metadata.Flags, metadata.Rename), "sync: what is locked changes"},
		{"an ACL before the name", user, move(metadata.ACLs, metadata.Rename), "copy: files that no one may delete"},
		{"an ACL before times", user, move(metadata.ACLs, metadata.Times), "copy: files that no one may delete"},
		{"a creation time before the modification time", user, move(metadata.Btime, metadata.Times), "copy: everything is kept"},
		{"a mode before the owner", root, move(metadata.Mode, metadata.Owner), "copy: everything is kept"},
		{"no right to write attributes", user, without(metadata.Grant), "sync: attributes that changed"},
		{"an ACL in the way", user, without(metadata.Free), "sync: attributes of entries that deny"},
		{"a lock in the way", user, without(metadata.Unlock), "sync: what is locked changes"},
		{"what is inherited stays", user, func(p *metadata.Profile) { p.InheritsACLs = false }, "copy: nothing is inherited"},
		{"a capability before the owner", linux, move(metadata.LateXattr, metadata.Owner), "copy: everything is kept"},
		{"fewer flags", user, func(p *metadata.Profile) { p.OwnerFlags = 0 }, "copy: everything is kept"},
		{"attributes of the system", user, func(p *metadata.Profile) {
			p.Xattr = func(name string) metadata.Fate { return metadata.Darwin.Xattr(name) | metadata.Copies }
		}, "attributes of the system are left alone"},
		{"a refusal is loud", user, func(p *metadata.Profile) {
			p.Xattr = func(name string) metadata.Fate {
				return metadata.Darwin.Xattr(name) &^ (metadata.RootOnly | metadata.Quiet)
			}
		}, "an attribute that is refused is no difference"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := *tt.by.profile
			p.Order = slices.Clone(p.Order)
			tt.change(&p)
			m := memfs.New()
			if tt.by.profile == metadata.Darwin {
				m = memfs.NewMac(memfs.Mac{UID: uint32(tt.by.id), GID: uint32(tt.by.id)})
			}
			dir := m.Root()
			defer dir.Close()
			var out bytes.Buffer
			r, err := selftest.Run(t.Context(), check.Config{
				Dir: dir, Profile: &p, User: vfs.User{UID: tt.by.id, GID: tt.by.id},
				Quick: true,
			}, &out, false)
			if err != nil || r.Failed == 0 || !strings.Contains(out.String(), "FAIL "+tt.found) {
				t.Errorf("error %v, and not found by %q:\n%s", err, tt.found, out.String())
			}
		})
	}
}

// who is a user of a simulated system, and a member of the group of the same number.
type who struct {
	profile *metadata.Profile
	id      int
}

// move puts one class of operations right before another.
func move(class, before metadata.Class) func(p *metadata.Profile) {
	return func(p *metadata.Profile) {
		p.Order = slices.DeleteFunc(p.Order, func(c metadata.Class) bool { return c == class })
		p.Order = slices.Insert(p.Order, slices.Index(p.Order, before), class)
	}
}

// without leaves a class of operations out.
func without(class metadata.Class) func(p *metadata.Profile) {
	return func(p *metadata.Profile) {
		p.Order = slices.DeleteFunc(p.Order, func(c metadata.Class) bool { return c == class })
	}
}

func TestInterruptLeavesNothing(t *testing.T) {
	m := memfs.NewMac(memfs.Mac{UID: 501, GID: 20})
	dir := m.Root()
	defer dir.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	// The first line that is printed ends the run.
	out := writer(func(p []byte) { cancel(why) })
	_, err := selftest.Run(ctx, check.Config{Dir: dir, Profile: metadata.Darwin, User: vfs.User{UID: 501, GID: 20}}, out, false)
	if !errors.Is(err, why) {
		t.Errorf("error %v, want %v", err, why)
	}
	if names := list(t, dir); len(names) > 0 {
		t.Errorf("left behind: %q", names)
	}
}

type writer func(p []byte)

func (w writer) Write(p []byte) (int, error) {
	w(p)
	return len(p), nil
}

func TestReadOnlyDirectory(t *testing.T) {
	dir := memfs.NewMac(memfs.Mac{UID: 501, GID: 20}).Root()
	defer dir.Close()
	if err := vfs.Chmod(vfs.In(dir, "."), 0o500); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	_, err := selftest.Run(t.Context(), check.Config{Dir: dir, Profile: metadata.Darwin, User: vfs.User{UID: 501, GID: 20}}, &out, false)
	if !errors.Is(err, fs.ErrPermission) || out.Len() > 0 {
		t.Errorf("error %v and output %q, want %v alone", err, out.String(), fs.ErrPermission)
	}
}

package place

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"psync/internal/content"
	"psync/internal/engine/attrs"
	"psync/internal/engine/backup"
	"psync/internal/engine/volume"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

var errTaken = errors.New("the name is taken")

// A host has directories that it leaves as they are.
type host struct {
	dir     vfs.Dir
	madeWay bool
}

func (h *host) BackupDirs() (backup.Dirs, error) {
	return backup.Dirs{Dest: h.dir, Backups: h.dir}, nil
}

func (h *host) MakeWay(context.Context, attrs.Notes) error {
	h.madeWay = true
	return nil
}

func (h *host) IgnoresCase() bool     { return false }
func (h *host) Shared() bool          { return false }
func (h *host) Collision(error) error { return errTaken }

// A bed is a Placer with a source and a destination in memory.
type bed struct {
	Placer
	host *host
	src  vfs.Dir
	dst  vfs.Dir
	dir  *Dir
}

// newBed returns a bed with these trees. The operations of the destination are subject to faults; see
// [faultfs.Inject].
func newBed(t *testing.T, src, dst, faults string) *bed {
	t.Helper()
	fs := memfs.New()
	root := fs.Root()
	fstest.Fill(t, root, "src/ 755\ndst/ 755\n")
	b := &bed{}
	for name, tree := range map[string]string{"src": src, "dst": dst} {
		d, err := root.OpenDir(name, vfs.NoFollow)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { d.Close() })
		fstest.Fill(t, d, tree)
		if name == "src" {
			b.src = d
		} else {
			b.dst = d
		}
	}
	faulty := b.dst
	if faults != "" {
		faulty = faultfs.Inject(b.dst, faults)
	}
	b.host = &host{dir: faulty}
	attr, err := b.dst.Lstat(".")
	if err != nil {
		t.Fatal(err)
	}
	volumes := new(volume.Table)
	v := volumes.Of(b.dst, attr)
	policy := &attrs.Policy{Keep: metadata.Keep{Perms: true, Mtime: true}, Source: metadata.Linux, Dest: metadata.Linux}
	lifter := attrs.NewLifter(policy, volumes)
	temps := 0
	b.Placer = Placer{
		Config: &Config{
			Lifter:  lifter,
			Backups: &backup.Store{Options: backup.Options{On: true, Suffix: "~"}, Profile: metadata.Linux, Lifter: lifter},
			NewTemp: func() string { temps++; return fmt.Sprintf("temp%d", temps) },
		},
		Attrs:  &attrs.Setter{Policy: policy},
		Copier: &content.Copier{Progress: func(int64) {}},
	}
	var routes content.Routes
	b.dir = &Dir{
		Dir:     faulty,
		Mode:    attr.Mode,
		Volumes: attrs.Volumes{Source: v, Dest: v},
		Parent:  attrs.Parent{Dir: faulty, Inherited: new(attrs.Inherited)},
		Route:   routes.Between(v.Device(), v.Device()),
		Host:    b.host,
	}
	return b
}

// entry returns an entry of the source to make.
func (b *bed) entry(t *testing.T, name string, action plan.Action) (Entry, vfs.Attr) {
	t.Helper()
	attr, err := b.src.Lstat(name)
	if err != nil {
		t.Fatal(err)
	}
	o, _ := b.Attrs.Desired(b.dir.Volumes, nil, attr)
	return Entry{Name: name, Action: action, Attrs: o}, attr
}

// file makes the file called f.
func (b *bed) file(t *testing.T, action plan.Action, method plan.Method) (Outcome, error) {
	t.Helper()
	e, attr := b.entry(t, "f", action)
	src, err := b.src.OpenFile("f", vfs.ReadOnly, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer vfs.CloseUnwritten(src)
	return b.File(t.Context(), b.dir, e, Source{src, attr}, method)
}

func (b *bed) wantTree(t *testing.T, want string) {
	t.Helper()
	if got := fstest.Tree(t, b.dst, fstest.WithMtimes); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

const (
	newFile  = "f 644 @2001-01-01T00:00:00Z new\n"
	oldFile  = "f 600 @2000-01-01T00:00:00Z old\n"
	backedUp = "f~ 600 @2000-01-01T00:00:00Z old\n"
)

func TestFile(t *testing.T) {
	tests := []struct {
		name   string
		dst    string
		action plan.Action
		method plan.Method
		faults string
		want   string
		err    error // nil: none
	}{
		{"new", "", plan.Create, plan.Direct, "", newFile, nil},
		{"new, by way of a temporary", "", plan.Create, plan.Temporary, "", newFile, nil},
		{"new, where no file can have two names", "", plan.Create, plan.Temporary, `(op link, err ENOTSUP)`, newFile, nil},
		{"replaced", oldFile, plan.Replace, plan.Temporary, "", newFile + backedUp, nil},
		{"rewritten", oldFile, plan.Replace, plan.Rewrite, "", newFile + backedUp, nil},

		{"new, fails", "", plan.Create, plan.Direct, `(op write, path "f", err EIO)`, "", syscall.EIO},
		{"replaced, fails", oldFile, plan.Replace, plan.Temporary, `(op write, path "temp1", err EIO)`, oldFile, syscall.EIO},
		{"replaced, the backup fails", oldFile, plan.Replace, plan.Temporary, `(op link, path "f~", err EIO)`, oldFile, errors.ErrUnsupported},
		{"the name is taken", oldFile, plan.Create, plan.Direct, "", oldFile, errTaken},
		{"the name is taken meanwhile", oldFile, plan.Create, plan.Temporary, "", oldFile, errTaken},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBed(t, newFile, tt.dst, tt.faults)
			b.dir.Fresh = true
			o, err := b.file(t, tt.action, tt.method)
			if (err == nil) != (tt.err == nil) || tt.err == errTaken && err != errTaken || tt.err == syscall.EIO && !errors.Is(err, syscall.EIO) {
				t.Errorf("got error %v, want %v", err, tt.err)
			}
			if o.Notes != nil || o.Partial || o.LeavesTemporary {
				t.Errorf("outcome %+v", o)
			}
			b.wantTree(t, tt.want)
		})
	}
}

// TestTemporaryThatIsLeft cannot remove the temporary of a file that could not be written.
func TestTemporaryThatIsLeft(t *testing.T) {
	b := newBed(t, newFile, oldFile, `(op write, path "temp1", err EIO)(op remove, path "temp1", err EIO)`)
	o, err := b.file(t, plan.Replace, plan.Temporary)
	if err == nil || !o.LeavesTemporary {
		t.Errorf("error %v, outcome %+v", err, o)
	}
}

// TestDirectoryInTheWay removes a directory when the file is complete.
func TestDirectoryInTheWay(t *testing.T) {
	b := newBed(t, newFile, "f/ 755\n", "")
	if _, err := b.file(t, plan.ReplaceDir, plan.Temporary); err != nil || !b.host.madeWay {
		t.Errorf("error %v, made way %v", err, b.host.madeWay)
	}
	b.wantTree(t, newFile)
}

// TestSpecial makes a link, and does not make one if the volume has no links.
func TestSpecial(t *testing.T) {
	const link = "l @2001-01-01T00:00:00Z -> x\n"
	b := newBed(t, link, "", "")
	e, _ := b.entry(t, "l", plan.Create)
	if _, err := b.Special(t.Context(), b.dir, e, plan.Direct, "x"); err != nil {
		t.Error(err)
	}
	b.wantTree(t, link)

	b = newBed(t, link, "", `(op symlink, err EPERM)`)
	e, _ = b.entry(t, "l", plan.Create)
	if o, err := b.Special(t.Context(), b.dir, e, plan.Direct, "x"); err != ErrNotMade || len(o.Notes) != 1 {
		t.Errorf("error %v, outcome %+v", err, o)
	}
}

// TestHardLink makes a link, and returns the reason where that is not possible.
func TestHardLink(t *testing.T) {
	b := newBed(t, newFile, oldFile, "")
	e := Entry{Name: "f", Action: plan.Replace}
	if _, refused, err := b.HardLink(t.Context(), b.dir, e, b.src, "f"); refused != nil || err != nil {
		t.Errorf("refused %v, error %v", refused, err)
	}
	b.wantTree(t, newFile+backedUp)

	b = newBed(t, newFile, "", `(op link, path "f", err EMLINK)`)
	if _, refused, err := b.HardLink(t.Context(), b.dir, Entry{Name: "f", Action: plan.Create}, b.src, "f"); !errors.Is(refused, syscall.EMLINK) || err != nil {
		t.Errorf("refused %v, error %v", refused, err)
	}
	if got := fstest.Tree(t, b.dst); strings.Contains(got, "f ") {
		t.Errorf("got\n%s", got)
	}
}

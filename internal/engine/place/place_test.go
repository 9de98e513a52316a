package place

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"psync/internal/engine/attrs"
	"psync/internal/engine/backup"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
	"psync/internal/walk"
)

// A bed is a worker with a source and a destination in memory.
type bed struct {
	*job.Worker
	src vfs.Dir
	dst vfs.Dir
	dir *job.Dir

	madeWay bool
}

// newBed returns a bed with these trees. The operations of the destination are subject to faults; see
// [faultfs.Inject].
func newBed(t *testing.T, src, dst, faults string) *bed {
	t.Helper()
	root := memfs.New().Root()
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
	attr, err := vfs.Lstat(b.dst, ".")
	if err != nil {
		t.Fatal(err)
	}
	temps := 0
	r := &job.Run{
		Job:     job.Job{Stats: new(report.Stats), Activity: new(report.Activity), Workers: walk.NewSize(1, 1)},
		NewTemp: func() string { temps++; return fmt.Sprintf("temp%d", temps) },
	}
	r.Job.Backup = backup.Options{On: true, Suffix: "~"}
	r.Lifter = attrs.NewLifter(&attrs.Policy{Keep: metadata.Keep{Perms: true, Mtime: true}, Source: metadata.Linux, Dest: metadata.Linux}, &r.Volumes)
	r.Backups = &backup.Store{Options: r.Job.Backup, Profile: metadata.Linux, Lifter: r.Lifter}
	b.Worker = r.NewWorker()
	b.Copier.Progress = func(int64) {}
	v := r.Volumes.Of(b.dst, attr)
	info := &job.Dir{DestAttr: attr, SrcVolume: v, DstVolume: v, Route: r.Routes.Between(v.Device(), v.Device())}
	b.dir = info.Open(pairs.Pair{Src: b.src, Dst: faulty})
	return b
}

// entry returns an entry of the source to make.
func (b *bed) entry(t *testing.T, name string, action plan.Action) (Entry, vfs.Attr) {
	t.Helper()
	attr, err := vfs.Lstat(b.src, name)
	if err != nil {
		t.Fatal(err)
	}
	o, _ := b.Attrs.Desired(b.dir.Volumes(), nil, attr)
	makeWay := func(context.Context, attrs.Notes) error {
		b.madeWay = true
		return nil
	}
	return Entry{Name: name, Action: action, Attrs: o, MakeWay: makeWay}, attr
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
	return File(t.Context(), b.Worker, b.dir, e, Source{src, attr}, method)
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
		{"the name is taken", oldFile, plan.Create, plan.Direct, "", oldFile, fs.ErrExist},
		{"the name is taken meanwhile", oldFile, plan.Create, plan.Temporary, "", oldFile, fs.ErrExist},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBed(t, newFile, tt.dst, tt.faults)
			b.dir.Task.New = true
			o, err := b.file(t, tt.action, tt.method)
			if (err == nil) != (tt.err == nil) || tt.err != nil && tt.err != errors.ErrUnsupported && !errors.Is(err, tt.err) {
				t.Errorf("got error %v, want %v", err, tt.err)
			}
			if o.Notes != nil || o.Partial || b.dir.LeavesTemporary.Load() {
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
	if err == nil || !b.dir.LeavesTemporary.Load() {
		t.Errorf("error %v, outcome %+v", err, o)
	}
}

// TestDirectoryInTheWay removes a directory when the file is complete.
func TestDirectoryInTheWay(t *testing.T) {
	b := newBed(t, newFile, "f/ 755\n", "")
	if _, err := b.file(t, plan.ReplaceDir, plan.Temporary); err != nil || !b.madeWay {
		t.Errorf("error %v, made way %v", err, b.madeWay)
	}
	b.wantTree(t, newFile)
}

// TestSpecial makes a link, and does not make one if the volume has no links.
func TestSpecial(t *testing.T) {
	const link = "l @2001-01-01T00:00:00Z -> x\n"
	b := newBed(t, link, "", "")
	e, _ := b.entry(t, "l", plan.Create)
	if _, err := Special(t.Context(), b.Worker, b.dir, e, plan.Direct, "x"); err != nil {
		t.Error(err)
	}
	b.wantTree(t, link)

	b = newBed(t, link, "", `(op symlink, err EPERM)`)
	e, _ = b.entry(t, "l", plan.Create)
	if o, err := Special(t.Context(), b.Worker, b.dir, e, plan.Direct, "x"); err != ErrNotMade || len(o.Notes) != 1 {
		t.Errorf("error %v, outcome %+v", err, o)
	}
}

// TestHardLink makes a link, and returns the reason where that is not possible.
func TestHardLink(t *testing.T) {
	b := newBed(t, newFile, oldFile, "")
	e := Entry{Name: "f", Action: plan.Replace}
	if _, refused, err := HardLink(t.Context(), b.Worker, b.dir, e, b.src, "f"); refused != nil || err != nil {
		t.Errorf("refused %v, error %v", refused, err)
	}
	b.wantTree(t, newFile+backedUp)

	b = newBed(t, newFile, "", `(op link, path "f", err EMLINK)`)
	if _, refused, err := HardLink(t.Context(), b.Worker, b.dir, Entry{Name: "f", Action: plan.Create}, b.src, "f"); !errors.Is(refused, syscall.EMLINK) || err != nil {
		t.Errorf("refused %v, error %v", refused, err)
	}
	if got := fstest.Tree(t, b.dst); strings.Contains(got, "f ") {
		t.Errorf("got\n%s", got)
	}
}

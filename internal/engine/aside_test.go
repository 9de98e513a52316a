package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/vfstest"
)

// another returns the root of another file system with a tree in it, until the test ends.
func another(t testing.TB, tree string) vfs.Dir {
	t.Helper()
	d := vfstest.NewMem().Root()
	t.Cleanup(func() { d.Close() })
	vfstest.Fill(t, d, tree)
	return d
}

// id returns the identity of an entry below d.
func id(t testing.TB, d vfs.Dir, path string) vfs.ID {
	t.Helper()
	dir, name := parent(path)
	in, err := openBelow(d, dir, false)
	if err != nil {
		t.Fatal(err)
	}
	if dir != "" {
		defer in.Close()
	}
	attr, err := in.Lstat(name)
	if err != nil {
		t.Fatal(err)
	}
	return attr.ID()
}

const (
	backupSrc = `
		./ 755 @2001-01-01T00:00:00Z
		d/ 755 @2001-01-01T00:00:00Z
		d/changed 644 @2001-01-01T00:00:00Z new
		d/link @2001-01-01T00:00:00Z -> new
		d/same 644 @2001-01-01T00:00:00Z same
		d/dir/ 755 @2001-01-01T00:00:00Z
		d/dir/f 644 @2001-01-01T00:00:00Z new
	`
	backupDst = `
		./ 755 @2001-01-01T00:00:00Z
		d/changed 640 @2000-01-01T00:00:00Z "old text"
		d/link @2000-01-01T00:00:00Z -> old
		d/same 644 @2001-01-01T00:00:00Z same
		d/dir 644 @2000-01-01T00:00:00Z "old file"
		d/gone 644 @2000-01-01T00:00:00Z "old gone"
		d/gone-link @2000-01-01T00:00:00Z -> old
		d/ 755 @2001-01-01T00:00:00Z
	`
)

func TestBackupsBesideTheFiles(t *testing.T) {
	for _, threads := range []int{1, 16} {
		b := newMirror(t, backupSrc, backupDst)
		b.job.Threads = threads
		b.job.Backup = Backup{On: true, Suffix: ".old"}
		b.mustRun(t)
		b.wantTree(t, `
			./ 755 @2001-01-01T00:00:00Z
			d/ 755 @2001-01-01T00:00:00Z
			d/changed 644 @2001-01-01T00:00:00Z new
			d/changed.old 640 @2000-01-01T00:00:00Z old text
			d/dir/ 755 @2001-01-01T00:00:00Z
			d/dir/f 644 @2001-01-01T00:00:00Z new
			d/dir.old 644 @2000-01-01T00:00:00Z old file
			d/gone-link.old @2000-01-01T00:00:00Z -> old
			d/gone.old 644 @2000-01-01T00:00:00Z old gone
			d/link @2001-01-01T00:00:00Z -> new
			d/link.old @2000-01-01T00:00:00Z -> old
			d/same 644 @2001-01-01T00:00:00Z same
		`, vfstest.WithMtimes, vfstest.WithRoot)
		b.mustRun(t)
		if got := b.record.told(); got != nil {
			t.Errorf("the second run tells %q", got)
		}
	}
}

// TestBackupsInADirectory has that directory in the destination, beside it, and on
// another file system, where nothing can be linked or moved to.
func TestBackupsInADirectory(t *testing.T) {
	const backups = `
		d/changed%[1]s 640 @2000-01-01T00:00:00Z old text
		d/dir%[1]s 644 @2000-01-01T00:00:00Z old file
		d/gone%[1]s 644 @2000-01-01T00:00:00Z old gone
		d/gone-link%[1]s @2000-01-01T00:00:00Z -> old
		d/link%[1]s @2000-01-01T00:00:00Z -> old
	`
	for _, where := range []string{"inside", "on another file system"} {
		for _, suffix := range []string{"", "~"} {
			for _, threads := range []int{1, 16} {
				t.Run(fmt.Sprintf("%s, suffix %q, %d threads", where, suffix, threads), func(t *testing.T) {
					b := newMirror(t, backupSrc, backupDst+"bak/ 755\n./ 755 @2001-01-01T00:00:00Z\n")
					b.job.Threads = threads
					dir := b.inside(t, "bak")
					if where != "inside" {
						dir = another(t, "")
						if err := b.job.Dest.Rmdir("bak"); err != nil {
							t.Fatal(err)
						}
					}
					b.job.Backup = Backup{On: true, Dir: dir, Suffix: suffix}
					open := b.dst.Open()
					b.mustRun(t)
					if now := b.dst.Open(); now != open {
						t.Errorf("%d handles stay open", now-open)
					}
					got := vfstest.Tree(t, dir, vfstest.WithMtimes)
					_, got, _ = strings.Cut(got, "\n") // the time of the directory d does not matter
					if want := flush(fmt.Sprintf(backups, suffix)); differing(got, want) != "" {
						t.Errorf("backups differ:\n%s", differing(got, want))
					}
					if where == "inside" {
						return
					}
					b.wantEqual(t)
				})
			}
		}
	}
}

// TestBackupOfAReplacedFileIsTheFileItself links or moves where that is possible.
func TestBackupOfAReplacedFileIsTheFileItself(t *testing.T) {
	for _, dir := range []bool{false, true} {
		b := newMirror(t, backupSrc, backupDst+"bak/ 755\n")
		changed, gone := id(t, b.job.Dest, "d/changed"), id(t, b.job.Dest, "d/gone")
		b.job.Backup = Backup{On: true, Suffix: "~"}
		at := "d/"
		if dir {
			b.job.Backup.Dir = b.inside(t, "bak")
			at = "bak/d/"
		}
		b.mustRun(t)
		if id(t, b.job.Dest, at+"changed~") != changed {
			t.Error("the replaced file was copied")
		}
		if id(t, b.job.Dest, at+"gone~") != gone {
			t.Error("the removed file was copied")
		}
	}
}

func TestBackupReplacesAnOlderOne(t *testing.T) {
	b := newMirror(t, "f 644 x\n", "f 644 old\nf~ 644 older\ngone 644 old\ngone~ 644 older\n")
	b.job.Backup = Backup{On: true, Suffix: "~"}
	b.mustRun(t)
	b.wantTree(t, "f 644 x\nf~ 644 old\ngone~ 644 old\n")
}

// TestBackupsOfWhatIsInADirectoryThatGoes keeps the directory for their sake.
func TestBackupsOfWhatIsInADirectoryThatGoes(t *testing.T) {
	for _, threads := range []int{1, 16} {
		b := newMirror(t, "f 644 x\n", "gone/sub/f 644 old\ngone/empty/ 755\n")
		b.job.Threads = threads
		b.job.Backup = Backup{On: true, Suffix: "~"}
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.wantTold(t, nil, report.Fail)
		b.wantTold(t, []string{"delete gone/empty", "delete gone/sub/f"}, report.Delete)
		b.wantTree(t, "f 644 x\ngone/ 755\ngone/sub/ 755\ngone/sub/f~ 644 old\n")
		b.mustRun(t)
		b.wantTold(t, nil, report.Delete)
	}
}

// TestBackupsTakeThePlaceOfOtherKinds has a directory for backups in which an earlier
// run has left directories where now files are to go, or the other way round.
func TestBackupsTakeThePlaceOfOtherKinds(t *testing.T) {
	tests := []struct{ name, bak string }{
		{"directory in the place of a file", "d/f/sub/x 644 older\n"},
		{"file in the place of a directory", "d 644 older\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newMirror(t, "d/f 644 newer\n", "d/f 644 old\n")
			b.job.Backup = Backup{On: true, Dir: another(t, tt.bak)}
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			b.wantTold(t, nil, report.Fail)
			b.wantTree(t, "d/ 755\nd/f 644 newer\n")
		})
	}
}

// TestBackupSparesWhatTheSourceHas has a file of the source under the very name
// that the backup of another one would get.
func TestBackupSparesWhatTheSourceHas(t *testing.T) {
	const tilde = "f~ 644 @2001-01-01T00:00:00Z precious\n"
	b := newSync(t, "f 644 @2001-01-01T00:00:00Z new\n"+tilde, "f 644 @2000-01-01T00:00:00Z old\n"+tilde)
	b.job.Threads = 1
	b.job.Backup = Backup{On: true, Suffix: "~"}
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, dst := b.trees(t); !strings.Contains(dst, "f~ 644 precious\n") && b.record.lines(report.Fail) == nil {
		t.Errorf("nothing was told, but the destination lacks what it had:\n%s", dst)
	}
}

// TestFailedBackupKeepsTheEntry neither replaces nor removes what cannot be kept.
func TestFailedBackupKeepsTheEntry(t *testing.T) {
	for _, op := range []string{"link f~", "move f", "rename f~", "create f~", "mkdir d"} {
		for _, inDir := range []bool{false, true} {
			b := newMirror(t, "d/f 644 newer\n", "d/f 644 old\n")
			hook := fails(map[string]error{op: syscall.EIO})
			plain := b.job.Dest
			b.job.Dest = vfstest.NewFaulty(plain, hook)
			b.job.Backup = Backup{On: true, Suffix: "~"}
			bak := another(t, "")
			if inDir {
				b.job.Backup.Dir = vfstest.NewFaulty(bak, hook)
			}
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			_, dst := b.trees(t)
			dst += vfstest.Tree(t, bak)
			if !strings.Contains(dst, "644 old\n") {
				t.Errorf("%s, directory %v: the old file is lost:\n%s", op, inDir, dst)
			}
			if told := b.record.lines(report.Fail) != nil; told == strings.Contains(dst, "d/f 644 newer\n") {
				t.Errorf("%s, directory %v: failure told %v, but the destination is\n%s", op, inDir, told, dst)
			}
		}
	}
}

// TestBytesOfBackupsDoNotCount copies backups to another file system: progress is
// about what is copied from the source.
func TestBytesOfBackupsDoNotCount(t *testing.T) {
	for _, inPlace := range []bool{false, true} {
		b := newSync(t, "f 644 0123456789\n", "f 644 old\n")
		b.job.InPlace = inPlace
		b.job.Backup = Backup{On: true, Dir: another(t, "")}
		b.mustRun(t)
		if n := b.job.Stats.Totals()[report.BytesCopied]; n != 10 {
			t.Errorf("in place %v: %d bytes counted, want 10", inPlace, n)
		}
	}
}

func TestNoBackupUnlessSomethingIsReplaced(t *testing.T) {
	bak := another(t, "")
	b := newMirror(t, "new 644 x\nsame 644 @2001-01-01T00:00:00Z x\nattrs 600 @2001-01-01T00:00:00Z x\n", "same 644 @2001-01-01T00:00:00Z x\nattrs 644 @2001-01-01T00:00:00Z x\n")
	b.job.Backup = Backup{On: true, Dir: bak}
	b.mustRun(t)
	if got := vfstest.Tree(t, bak); got != "" {
		t.Errorf("backups:\n%s\nwant none", got)
	}
}

func TestRemovedSourceFiles(t *testing.T) {
	const at = " @2001-01-01T00:00:00Z "
	b := newSync(t, "new 644"+at+"x\nsame 644"+at+"x\nd/changed 644"+at+"x\nl"+at+"-> x\nempty/ 755\nomitted 644"+at+"\"much too large\"\nnewer 644"+at+"x\n", "same 644"+at+"x\nd/changed 644"+at+"old\nnewer 644 @2002-01-01T00:00:00Z old\n")
	b.job.RemoveSource = true
	b.job.Policy.MaxSize, b.job.Policy.LimitSize = 5, true
	b.job.Policy.Update = true
	b.mustRun(t)
	src, _ := b.trees(t)
	if want := "d/ 755\nempty/ 755\nnewer 644 x\nomitted 644 much too large\n"; src != want {
		t.Errorf("the source has\n%s\nwant\n%s", src, want)
	}
}

// TestSourceIsNotRemovedUnlessCopied fails each operation on the destination.
func TestSourceIsNotRemovedUnlessCopied(t *testing.T) {
	for n := 1; ; n++ {
		b := newSync(t, "new 644 @2001-01-01T00:00:00Z x\nd/changed 644 @2001-01-01T00:00:00Z contents\nl @2001-01-01T00:00:00Z -> x\n", "d/changed 644 old\n")
		b.job.RemoveSource = true
		b.job.Threads = 1
		fault := vfstest.NewFailNth(n, syscall.EIO)
		b.job.Dest = vfstest.NewFaulty(b.job.Dest, fault.Before)
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if !fault.Reached() {
			return
		}
		src, dst := b.trees(t)
		for _, line := range []string{"new 644 x\n", "d/changed 644 contents\n", "l -> x\n"} {
			if !strings.Contains(src, line) && !strings.Contains(dst, line) {
				t.Errorf("%v: %q is lost", fault, line)
			}
		}
	}
}

func TestSourceThatChangedIsNotRemoved(t *testing.T) {
	b := newSync(t, "f 644 @2001-01-01T00:00:00Z old\n", "")
	b.job.RemoveSource = true
	plain := b.job.Sources[0].Dir
	b.job.Dest = vfstest.NewFaulty(b.job.Dest, func(op, _ string) error {
		if op == "fclose" {
			overwrite(t, plain, "f", "f 644 @2002-01-01T00:00:00Z new")
		}
		return nil
	})
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.wantTold(t, []string{"fail SRC/f"}, report.Fail)
	if src, _ := b.trees(t); src != "f 644 new\n" {
		t.Errorf("the source has\n%s", src)
	}
}

// TestTempDir has files written elsewhere in the same file system.
func TestTempDir(t *testing.T) {
	b := newMirror(t, backupSrc, backupDst+"tmp/ 755\n")
	b.job.TempDir = b.inside(t, "tmp")
	var created []string
	b.job.TempDir = vfstest.NewFaulty(b.job.TempDir, func(op, name string) error {
		if op == "create" || op == "symlink" {
			created = append(created, name)
		}
		return nil
	})
	b.job.Dest = vfstest.NewFaulty(b.job.Dest, func(op, name string) error {
		if op == "create" || op == "symlink" {
			t.Errorf("%s %s in the destination", op, name)
		}
		return nil
	})
	b.job.Threads = 1
	b.mustRun(t)
	if len(created) != 3 {
		t.Errorf("made %q, want three temporaries", created)
	}
	b.wantTree(t, "d/ 755\nd/changed 644 new\nd/dir/ 755\nd/dir/f 644 new\nd/link -> new\nd/same 644 same\ntmp/ 755\n")
}

// TestTempDirIsSwept removes what killed runs have left there.
func TestTempDirIsSwept(t *testing.T) {
	dead := Temporaries{Host: 1, Boot: 1, PID: 99, Run: 1}.name(1)
	b := newSync(t, "f 644 x\n", "tmp/"+dead+" 644 part\ntmp/mine 644 x\n")
	b.job.TempDir = b.inside(t, "tmp")
	b.mustRun(t)
	b.wantTree(t, "f 644 x\ntmp/ 755\ntmp/mine 644 x\n")
}

// TestCollisionIsNeverAnOverwriteBehindATemporary is about new files that get their
// names by renaming.
func TestCollisionIsNeverAnOverwriteBehindATemporary(t *testing.T) {
	sets := map[string]func(*testing.T, *testbed){
		"temporary directory": func(t *testing.T, b *testbed) { b.job.TempDir = b.inside(t, "tmp") },
		"update":              func(_ *testing.T, b *testbed) { b.job.Policy.Update = true },
		"size only":           func(_ *testing.T, b *testbed) { b.job.Policy.SizeOnly = true },
	}
	for name, set := range sets {
		t.Run(name, func(t *testing.T) {
			b := newFolding(t, "d/File 644 one\nd/file 644 three\n", "tmp/ 755\n")
			b.job.Delete.On = false
			set(t, b)
			b.job.Threads = 1
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			var told []error
			for _, e := range b.record.events {
				if e.Kind == report.Fail {
					told = append(told, e.Err)
				}
			}
			if len(told) != 1 || !errors.Is(told[0], errCollision) {
				t.Errorf("told %v, want one collision: %q", told, b.record.told())
			}
		})
	}
}

func TestInPlace(t *testing.T) {
	tests := []struct{ name, src, dst string }{
		{"longer", "f 644 @2001-01-01T00:00:00Z contents", "f 644 old"},
		{"shorter", "f 644 @2001-01-01T00:00:00Z new", "f 644 \"old contents\""},
		{"empty", "f 644 @2001-01-01T00:00:00Z", "f 644 old"},
		{"large", "f 644 @2001-01-01T00:00:00Z \"0123456789\"*100000", "f 644 \"9876543210\"*50000"},
		{"other mode", "f 600 @2001-01-01T00:00:00Z contents", "f 644 old"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := "./ 755 @2001-01-01T00:00:00Z\n"
			b := newSync(t, root+tt.src, tt.dst+"\n"+root)
			if err := b.job.Dest.(vfs.Linker).Link(b.job.Dest, "f", "other"); err != nil {
				t.Fatal(err)
			}
			was := id(t, b.job.Dest, "f")
			b.job.InPlace = true
			b.mustRun(t)
			if id(t, b.job.Dest, "f") != was || id(t, b.job.Dest, "other") != was {
				t.Error("the file was replaced")
			}
			removeFile(t, b.job.Dest, "other")
			if err := b.job.Dest.Chtimes(".", fsTime, fsTime); err != nil {
				t.Fatal(err)
			}
			b.wantEqual(t)
		})
	}
}

func TestInPlaceReplacesOtherKinds(t *testing.T) {
	b := newSync(t, "f 644 x\ng 644 x\nl -> x\n", "f -> precious\ng/ 755\nl 644 old\nprecious 644 x\n")
	b.job.InPlace = true
	b.mustRun(t)
	b.wantTree(t, "f 644 x\ng 644 x\nl -> x\nprecious 644 x\n")
}

func TestInPlaceNeedsARewriter(t *testing.T) {
	b := newSync(t, "f 644 x\n", "f 644 old\n")
	b.job.InPlace = true
	b.job.Dest = struct{ vfs.Dir }{b.job.Dest}
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.wantTold(t, []string{"fail DST/f"}, report.Fail)
	b.wantTree(t, "f 644 old\n")
}

// TestInPlaceFileThatBecomesAnotherKind changes the destination between the look at it and its opening.
func TestInPlaceFileThatBecomesAnotherKind(t *testing.T) {
	b := newSync(t, "f 644 x\n", "f 644 old\nprecious 644 x\n")
	b.job.InPlace = true
	plain := b.job.Dest
	b.job.Dest = before(plain, "rewrite", "f", func() { vfstest.Fill(t, plain, "f -> precious\n") })
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.wantTold(t, []string{"fail DST/f"}, report.Fail)
	b.wantTree(t, "f -> precious\nprecious 644 x\n")
}

func TestInPlaceBackupIsACopy(t *testing.T) {
	b := newSync(t, "f 644 @2001-01-01T00:00:00Z new\n", "f 640 @2000-01-01T00:00:00Z old\n")
	was := id(t, b.job.Dest, "f")
	b.job.InPlace, b.job.Backup = true, Backup{On: true, Suffix: "~"}
	b.mustRun(t)
	b.wantTree(t, "f 644 @2001-01-01T00:00:00Z new\nf~ 640 @2000-01-01T00:00:00Z old\n", vfstest.WithMtimes)
	if id(t, b.job.Dest, "f") != was {
		t.Error("the file was replaced")
	}
}

// TestDestinationRootKeepsItsMode is about one that exists: it may be /tmp.
func TestDestinationRootKeepsItsMode(t *testing.T) {
	b := newMirror(t, "./ 700\nd/ 700\n", "./ 1777\nd/ 1777\ngone 644 x\n")
	b.job.Keep = metadata.Keep{Modes: true, Mtime: true}
	b.mustRun(t)
	_, got := b.trees(t, vfstest.WithRoot)
	if want := "./ 1777\nd/ 1700\n"; got != want {
		t.Errorf("destination:\n%s\nwant:\n%s", got, want)
	}
}

// TestInterruptedMirrorClosesDirectoriesAgain is about those of a mode that no later
// run would find out by itself.
func TestInterruptedMirrorClosesDirectoriesAgain(t *testing.T) {
	for n := 1; ; n++ {
		b := newMirror(t, "d/ 755\nd/f 644 x\n", "d/ 500\nd/gone/sub/f 644 x\nd/gone/f 644 x\n")
		b.job.Threads = 1
		b.job.Keep = metadata.Keep{Mtime: true}
		fault := vfstest.NewFailNth(n, syscall.ENOSPC)
		b.job.Dest = vfstest.NewFaulty(b.job.Dest, fault.Before)
		_ = b.run(t.Context())
		if !fault.Reached() {
			return
		}
		if strings.Contains(fault.String(), "chmod") {
			continue // closing is what failed
		}
		attr, err := b.job.Dest.Lstat("d")
		if err != nil || attr.Mode != fs.ModeDir|0o500 {
			t.Errorf("%v: the directory has mode %v, %v; want what it had", fault, attr.Mode, err)
		}
	}
}

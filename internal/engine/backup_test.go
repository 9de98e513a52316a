package engine

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	"psync/internal/engine/backup"
	"psync/internal/engine/pairs"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// another returns the root of another file system that holds a tree, until the test ends.
func another(t testing.TB, tree string) vfs.Dir {
	t.Helper()
	d := memfs.New().Root()
	t.Cleanup(func() { d.Close() })
	fstest.Fill(t, d, tree)
	return d
}

// id returns the identity of an entry below d.
func id(t testing.TB, d vfs.Dir, path string) vfs.ID {
	t.Helper()
	dir, name := parent(path)
	in, err := pairs.Below(d, dir, false)
	if err != nil {
		t.Fatal(err)
	}
	if dir != "" {
		defer in.Close()
	}
	attr, err := vfs.Lstat(in, name)
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
		b.job.Backup = backup.Options{On: true, Suffix: ".old"}
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
		`, fstest.WithMtimes, fstest.WithRoot)
		b.mustRun(t)
		if got := b.record.all(); got != nil {
			t.Errorf("the second run reports %q", got)
		}
	}
}

// TestBackupsInADirectory has the backup directory in the destination, next to it, and on another file system, where
// nothing can be linked or moved.
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
					b.job.Backup = backup.Options{On: true, Dir: dir, Suffix: suffix}
					open := b.dst.Open()
					b.mustRun(t)
					if now := b.dst.Open(); now != open {
						t.Errorf("%d handles stay open", now-open)
					}
					got := fstest.Tree(t, dir, fstest.WithMtimes)
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

// TestBackupsOfSpecialFilesOnAnotherFileSystem removes and replaces entries without contents where a backup cannot be
// a link to them. An entry whose backup cannot be made stays and fails.
func TestBackupsOfSpecialFilesOnAnotherFileSystem(t *testing.T) {
	const specials = `
		changed 600 @2000-01-01T00:00:00Z (fifo)
		device 640 @2000-01-01T00:00:00Z (char 0x103)
		fifo 640 @2000-01-01T00:00:00Z (fifo)
		socket 700 @2000-01-01T00:00:00Z (socket)
	`
	for _, broken := range []bool{false, true} {
		b := newMirror(t, "changed 644 text\n", specials)
		dir := another(t, "")
		b.job.Backup = backup.Options{On: true, Dir: dir}
		if broken {
			b.job.Backup.Dir = faultfs.New(dir, func(op, _ string) error {
				if op == "mknod" {
					return syscall.EPERM
				}
				return nil
			})
		}
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if broken {
			b.wantTree(t, specials, fstest.WithMtimes)
			if got := len(b.record.lines(report.Fail)); got != 4 {
				t.Errorf("%d failures are reported, want 4", got)
			}
			continue
		}
		b.wantTree(t, "changed 644 text\n")
		if got := fstest.Tree(t, dir, fstest.WithMtimes); differing(got, flush(specials)) != "" {
			t.Errorf("backups differ:\n%s", differing(got, flush(specials)))
		}
	}
}

// TestBackupOfAReplacedFileIsTheFileItself expects links or moves where they are possible.
func TestBackupOfAReplacedFileIsTheFileItself(t *testing.T) {
	for _, dir := range []bool{false, true} {
		b := newMirror(t, backupSrc, backupDst+"bak/ 755\n")
		changed, gone := id(t, b.job.Dest, "d/changed"), id(t, b.job.Dest, "d/gone")
		b.job.Backup = backup.Options{On: true, Suffix: "~"}
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
	b.job.Backup = backup.Options{On: true, Suffix: "~"}
	b.mustRun(t)
	b.wantTree(t, "f 644 x\nf~ 644 old\ngone~ 644 old\n")
}

// TestBackupsOfWhatIsInADirectoryThatGoes expects the directory to be kept for its backups.
func TestBackupsOfWhatIsInADirectoryThatGoes(t *testing.T) {
	for _, threads := range []int{1, 16} {
		b := newMirror(t, "f 644 x\n", "gone/sub/f 644 old\ngone/empty/ 755\n")
		b.job.Threads = threads
		b.job.Backup = backup.Options{On: true, Suffix: "~"}
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.wantEvents(t, nil, report.Fail)
		b.wantEvents(t, []string{"delete gone/empty", "delete gone/sub/f"}, report.Delete)
		b.wantTree(t, "f 644 x\ngone/ 755\ngone/sub/ 755\ngone/sub/f~ 644 old\n")
		b.mustRun(t)
		b.wantEvents(t, nil, report.Delete)
	}
}

// TestBackupsTakeThePlaceOfOtherKinds has a directory for backups in which an earlier run has left directories where
// files must now go, or the reverse.
func TestBackupsTakeThePlaceOfOtherKinds(t *testing.T) {
	tests := []struct{ name, bak string }{
		{"directory in the place of a file", "d/f/sub/x 644 older\n"},
		{"file in the place of a directory", "d 644 older\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newMirror(t, "d/f 644 newer\n", "d/f 644 old\n")
			b.job.Backup = backup.Options{On: true, Dir: another(t, tt.bak)}
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			b.wantEvents(t, nil, report.Fail)
			b.wantTree(t, "d/ 755\nd/f 644 newer\n")
		})
	}
}

// TestBackupSparesWhatTheSourceHas has a source file with exactly the name that the backup of another file would get.
func TestBackupSparesWhatTheSourceHas(t *testing.T) {
	const tilde = "f~ 644 @2001-01-01T00:00:00Z precious\n"
	b := newSync(t, "f 644 @2001-01-01T00:00:00Z new\n"+tilde, "f 644 @2000-01-01T00:00:00Z old\n"+tilde)
	b.job.Threads = 1
	b.job.Backup = backup.Options{On: true, Suffix: "~"}
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, dst := b.trees(t); !strings.Contains(dst, "f~ 644 precious\n") && b.record.lines(report.Fail) == nil {
		t.Errorf("nothing was reported, but the destination lacks what it had:\n%s", dst)
	}
}

// TestFailedBackupKeepsTheEntry neither replaces nor removes an entry that cannot be backed up.
func TestFailedBackupKeepsTheEntry(t *testing.T) {
	for _, op := range []string{"link f~", "move f", "rename f~", "create f~", "mkdir d"} {
		for _, inDir := range []bool{false, true} {
			b := newMirror(t, "d/f 644 newer\n", "d/f 644 old\n")
			hook := fails(map[string]error{op: syscall.EIO})
			plain := b.job.Dest
			b.job.Dest = faultfs.New(plain, hook)
			b.job.Backup = backup.Options{On: true, Suffix: "~"}
			bak := another(t, "")
			if inDir {
				b.job.Backup.Dir = faultfs.New(bak, hook)
			}
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			_, dst := b.trees(t)
			dst += fstest.Tree(t, bak)
			if !strings.Contains(dst, "644 old\n") {
				t.Errorf("%s, directory %v: the old file is lost:\n%s", op, inDir, dst)
			}
			if reported := b.record.lines(report.Fail) != nil; reported == strings.Contains(dst, "d/f 644 newer\n") {
				t.Errorf("%s, directory %v: failure reported %v, but the destination is\n%s", op, inDir, reported, dst)
			}
		}
	}
}

// TestNoBackupOfWhatIsNotReplaced expects no backup of an entry that stays, unless an older backup was removed for
// it.
func TestNoBackupOfWhatIsNotReplaced(t *testing.T) {
	for _, older := range []string{"", "d/f~ 644 older\n"} {
		for _, inDir := range []bool{false, true} {
			b := newSync(t, "d/f 644 newer\n", "d/f 644 old\n")
			b.job.Dest = faultfs.New(b.job.Dest, fails(map[string]error{"rename f": syscall.EBUSY, "move f": syscall.EBUSY}))
			bak := another(t, older)
			b.job.Backup = backup.Options{On: true, Suffix: "~", Dir: bak}
			if !inDir {
				fstest.Fill(t, b.job.Dest, older)
				bak, b.job.Backup.Dir = b.job.Dest, nil
			}
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if b.record.lines(report.Fail) == nil {
				t.Error("no failure is reported")
			}
			if got, want := strings.Contains(fstest.Tree(t, bak), "f~"), older != ""; got != want {
				t.Errorf("older %q, directory %v: a backup is there: %v", older, inDir, got)
			}
		}
	}
}

// TestBytesOfBackupsDoNotCount copies backups to another file system: progress counts only what is copied from the
// source.
func TestBytesOfBackupsDoNotCount(t *testing.T) {
	for _, inPlace := range []bool{false, true} {
		b := newSync(t, "f 644 0123456789\n", "f 644 old\n")
		b.job.InPlace = inPlace
		b.job.Backup = backup.Options{On: true, Dir: another(t, "")}
		b.mustRun(t)
		if n := b.job.Stats.Totals()[report.BytesCopied]; n != 10 {
			t.Errorf("in place %v: %d bytes counted, want 10", inPlace, n)
		}
	}
}

func TestNoBackupUnlessSomethingIsReplaced(t *testing.T) {
	bak := another(t, "")
	b := newMirror(t, "new 644 x\nsame 644 @2001-01-01T00:00:00Z x\nattrs 600 @2001-01-01T00:00:00Z x\n", "same 644 @2001-01-01T00:00:00Z x\nattrs 644 @2001-01-01T00:00:00Z x\n")
	b.job.Backup = backup.Options{On: true, Dir: bak}
	b.mustRun(t)
	if got := fstest.Tree(t, bak); got != "" {
		t.Errorf("backups:\n%s\nwant none", got)
	}
}

func TestInPlaceBackupIsACopy(t *testing.T) {
	b := newSync(t, "f 644 @2001-01-01T00:00:00Z new\n", "f 640 @2000-01-01T00:00:00Z old\n")
	was := id(t, b.job.Dest, "f")
	b.job.InPlace, b.job.Backup = true, backup.Options{On: true, Suffix: "~"}
	b.mustRun(t)
	b.wantTree(t, "f 644 @2001-01-01T00:00:00Z new\nf~ 640 @2000-01-01T00:00:00Z old\n", fstest.WithMtimes)
	if id(t, b.job.Dest, "f") != was {
		t.Error("the file was replaced")
	}
}

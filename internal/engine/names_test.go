package engine

import (
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"psync/internal/engine/backup"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// newFolding returns a mirror whose destination ignores case.
func newFolding(t testing.TB, src, dst string) *testbed {
	t.Helper()
	b := newMirror(t, src, "")
	b.job.Dest.Close()
	b.dst = memfs.NewFolding()
	b.job.Dest = b.dst.Root()
	root := b.job.Dest
	t.Cleanup(func() { root.Close() })
	fstest.Fill(t, b.job.Dest, dst)
	return b
}

// TestOtherSpellingIsNotExtraneous syncs to a file system that ignores case and has entries with other spellings than
// the source. They are the copies.
func TestOtherSpellingIsNotExtraneous(t *testing.T) {
	const at = "@2001-01-01T00:00:00Z"
	tests := []struct {
		name     string
		src, dst string
		want     string // in the destination; the spelling does not matter
	}{
		{"equal", "Foo 644 " + at + " x", "foo 644 " + at + " x", "foo 644 x"},
		{"attributes differ", "Foo 600 " + at + " x", "foo 644 " + at + " x", "foo 600 x"},
		{"replaced", "Foo 644 " + at + " new", "foo 644 " + at + " old!", "foo 644 new"},
		{"link", "Foo " + at + " -> x", "foo " + at + " -> x", "foo -> x"},
		{"link replaced", "Foo " + at + " -> x", "foo " + at + " -> y", "foo -> x"},
		{"file over link", "Foo 644 " + at + " x", "foo " + at + " -> x", "foo 644 x"},
		{"directory", "Foo/Bar/f 644 " + at + " x", "foo/bar/f 644 " + at + " x", "foo/ 755\nfoo/bar/ 755\nfoo/bar/f 644 x"},
		{"file over directory", "Foo 644 " + at + " x", "foo/f 644 " + at + " x", "foo 644 x"},
		{"directory over file", "Foo/f 644 " + at + " x", "foo 644 " + at + " x", "foo/ 755\nfoo/f 644 x"},
		{"not ASCII", "FOO\u00e4 644 " + at + " new", "foo\u00e4 644 " + at + " old!", "foo\u00e4 644 new"},
	}
	ways := []struct {
		name string
		set  func(*Options)
	}{
		{"by renaming", func(*Options) {}},
		{"in place", func(o *Options) { o.InPlace = true }},
		{"with backups", func(o *Options) { o.Backup = backup.Options{On: true, Suffix: "~"} }},
		{"counted first", func(o *Options) { o.Delete.Max = &plan.Limit{N: 100} }},
	}
	for _, tt := range tests {
		for _, way := range ways {
			if tt.name == "file over directory" && way.name == "with backups" {
				continue // the backup of the directory's contents keeps it there
			}
			t.Run(tt.name+" "+way.name, func(t *testing.T) {
				b := newFolding(t, tt.src+"\nother 644 x\n", tt.dst+"\ngone 644 x\n")
				way.set(&b.job.Options)
				b.mustRun(t)
				_, dst := b.trees(t)
				var got strings.Builder
				for line := range strings.Lines(strings.ToLower(dst)) {
					if name, _, _ := strings.Cut(line, " "); !strings.Contains(name, "~") && name != "other" {
						got.WriteString(line)
					}
				}
				if got.String() != tt.want+"\n" {
					t.Errorf("the destination is\n%s\nwant\n%s", got.String(), tt.want)
				}
			})
		}
	}
}

func TestExtraneousOnAFoldingVolumeIsRemoved(t *testing.T) {
	b := newFolding(t, "Foo 644 x\nBar/f 644 x\n", "foo 644 x\nGone 644 x\nBAR/GONE 644 x\nTree/f 644 x\n")
	b.mustRun(t)
	b.wantEvents(t, []string{"delete Bar/GONE", "delete Gone", "delete Tree", "delete Tree/f"}, report.Delete)
}

// TestEntriesNotCopiedUnderOtherSpellingAreNotExtraneous has entries in the source that take no part in the copy, but
// whose counterparts must stay like those with the same spelling.
func TestEntriesNotCopiedUnderOtherSpellingAreNotExtraneous(t *testing.T) {
	for _, spelling := range []string{"foo", "Foo"} {
		t.Run("fifo "+spelling, func(t *testing.T) {
			b := newFolding(t, "f 644 x\n", spelling+" 644 x\n")
			fstest.Fill(t, b.job.Sources[0].Dir, "Foo 644 (fifo)")
			b.mustRun(t)
			b.wantEvents(t, nil, report.Delete)
		})
		t.Run("unsafe link "+spelling, func(t *testing.T) {
			b := newFolding(t, "f 644 x\nFoo -> /x\n", spelling+" 644 x\n")
			b.job.Links.Safe = true
			b.mustRun(t)
			b.wantEvents(t, nil, report.Delete)
		})
	}
}

// TestOtherSpellingsOnATrueVolumeAreExtraneous has a destination that distinguishes case, where Foo and foo are two
// names.
func TestOtherSpellingsOnATrueVolumeAreExtraneous(t *testing.T) {
	b := newMirror(t, "Foo 644 x\nä 644 x\n", "foo 644 x\nÄ 644 x\n")
	b.mustRun(t)
	b.wantTree(t, "Foo 644 x\nä 644 x\n")
}

// TestOtherNameOfAKeptFileIsExtraneous has hard links to a file that stays.
func TestOtherNameOfAKeptFileIsExtraneous(t *testing.T) {
	for _, name := range []string{"gone", "KEPT", "kept.bak", "gön"} {
		b := newMirror(t, "kept 644 @2001-01-01T00:00:00Z x\n", "kept 644 @2001-01-01T00:00:00Z x\n")
		if err := b.job.Dest.Link(b.job.Dest, "kept", name); err != nil {
			t.Fatal(err)
		}
		b.mustRun(t)
		b.wantEvents(t, []string{"delete " + name}, report.Delete)
		b.wantTree(t, "kept 644 x\n")
	}
}

// changingNames is a directory that stores names in another form than it is given, and finds entries by either form.
type changingNames struct {
	vfs.Dir
	stored func(string) string
}

func (c *changingNames) Statx(name string, want vfs.StatxWant) (vfs.Attr, error) {
	return c.Dir.Statx(c.stored(name), want)
}

func (c *changingNames) Remove(name string, only *vfs.Premise) error {
	return c.Dir.Remove(c.stored(name), only)
}
func (c *changingNames) Rmdir(name string) error            { return c.Dir.Rmdir(c.stored(name)) }
func (c *changingNames) Make(name string, s vfs.Spec) error { return c.Dir.Make(c.stored(name), s) }

func (c *changingNames) OpenFile(name string, mode vfs.OpenMode, perm fs.FileMode) (vfs.File, error) {
	return c.Dir.OpenFile(c.stored(name), mode, perm)
}

func (c *changingNames) Set(name string, changes []vfs.Change) []error {
	return c.Dir.Set(c.stored(name), changes)
}

func (c *changingNames) Readlink(name string) (string, error) { return c.Dir.Readlink(c.stored(name)) }

func (c *changingNames) Rename(oldname string, to vfs.Dir, newname string, only *vfs.Premise) error {
	return c.Dir.Rename(c.stored(oldname), to, c.stored(newname), only)
}

func (c *changingNames) OpenDir(name string, how vfs.Resolve) (vfs.Dir, error) {
	d, err := c.Dir.OpenDir(c.stored(name), how)
	if err != nil {
		return nil, err
	}
	return &changingNames{d, c.stored}, nil
}

// TestStoredNamesAreNotExtraneous syncs to file systems that list entries under names other than those they were made
// with.
func TestStoredNamesAreNotExtraneous(t *testing.T) {
	tests := []struct {
		name        string
		src, stored string
		store       func(string) string
	}{
		{"decomposed, as on HFS+", "caf\u00e9", "cafe\u0301", func(s string) string { return strings.ReplaceAll(s, "\u00e9", "e\u0301") }},
		{"without dots at the end, as on FAT", "R.E.M.", "R.E.M", func(s string) string {
			if strings.Trim(s, ".") == "" {
				return s
			}
			return strings.TrimRight(s, ".")
		}},
		{"Kelvin sign, as on APFS", "10\u212a", "10k", func(s string) string { return strings.ReplaceAll(s, "\u212a", "k") }},
	}
	for _, tt := range tests {
		for kind, format := range map[string]string{
			"file":      "%s 644 @2001-01-01T00:00:00Z x\n",
			"link":      "%s @2001-01-01T00:00:00Z -> x\n",
			"directory": "%s/f 644 @2001-01-01T00:00:00Z x\n",
		} {
			for _, exists := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s, %s, exists %v", tt.name, kind, exists), func(t *testing.T) {
					dst := "gone 644 x\n"
					if exists {
						dst += fmt.Sprintf(format, tt.stored)
					}
					b := newMirror(t, "other 644 x\n"+fmt.Sprintf(format, tt.src), dst)
					b.job.Threads = 1
					b.job.Dest = &changingNames{b.job.Dest, tt.store}
					if err := b.run(t.Context()); err != nil {
						t.Fatal(err)
					}
					b.wantEvents(t, []string{"delete gone"}, report.Delete)
				})
			}
		}
	}
}

// TestManyNames mirrors a directory whose listing takes several chunks.
func TestManyNames(t *testing.T) {
	src := many("d", 350)
	b := newMirror(t, src, src+strings.ReplaceAll(many("d", 250), "/f", "/gone"))
	b.mustRun(t)
	b.wantTree(t, "d/ 755\n"+strings.ReplaceAll(src, "@2001-01-01T00:00:00Z ", ""))
	if n := len(b.record.lines(report.Delete)); n != 250 {
		t.Errorf("%d entries removed, want 250", n)
	}
}

// TestOtherSpellingSurvivesEveryFault fails each operation that looks at the destination: an entry that then cannot
// be distinguished from an extraneous one must stay.
func TestOtherSpellingSurvivesEveryFault(t *testing.T) {
	const entries = "Foo 644 @2001-01-01T00:00:00Z x\nBar/f 644 @2001-01-01T00:00:00Z x\n"
	for _, limit := range []*plan.Limit{nil, {N: 100}} {
		for n := 1; ; n++ {
			b := newFolding(t, entries, strings.ToLower(entries[:len("Foo")])+entries[len("Foo"):]+"BAR/f 644 @2001-01-01T00:00:00Z x\ngone 644 x\n")
			b.job.Threads = 1
			b.job.Delete.Max = limit
			plain, seen, failed := b.job.Dest, 0, ""
			b.job.Dest = faultfs.New(plain, func(op, name string) error {
				if faultfs.Changing(op) || op == "close" {
					return nil
				}
				if seen++; seen == n {
					failed = op + " " + name
					return syscall.EIO
				}
				return nil
			})
			_ = b.run(t.Context())
			if failed == "" {
				break
			}
			_, dst := b.trees(t)
			if !strings.Contains(strings.ToLower(dst), "foo 644 x\n") || !strings.Contains(strings.ToLower(dst), "bar/f 644 x\n") {
				t.Errorf("%s, limit %v: the destination is\n%s\nreported %q", failed, limit != nil, dst, b.record.all())
			}
		}
	}
}

// TestSourceThatCannotBeListedAgainIsBlamed makes the source fail when it is searched for other spellings.
func TestSourceThatCannotBeListedAgainIsBlamed(t *testing.T) {
	b := newFolding(t, "Foo 644 @2001-01-01T00:00:00Z x\n", "foo 644 @2001-01-01T00:00:00Z x\ngone 644 x\n")
	b.job.Threads = 1
	seen := 0
	b.job.Sources[0].Dir = faultfs.New(b.job.Sources[0].Dir, func(op, _ string) error {
		if op == "readdir" {
			if seen++; seen == 2 {
				return syscall.EIO
			}
		}
		return nil
	})
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if seen < 2 {
		t.Skip("the source is listed once")
	}
	b.wantEvents(t, nil, report.Delete)
	b.wantEvents(t, []string{"fail SRC"}, report.Fail)
}

package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"psync/internal/engine/alias"
	"psync/internal/engine/backup"
	"psync/internal/report"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// TestNamesListedTwice copies from a file system that lists each name twice, to a new destination and to one that has
// older files.
func TestNamesListedTwice(t *testing.T) {
	var many strings.Builder
	for i := range 700 {
		fmt.Fprintf(&many, "many/f%d 644 @2001-01-01T00:00:00Z x\n", i)
	}
	const few = "f 644 @2001-01-01T00:00:00Z x\ng (= f)\nl -> f\nd/ 755\nd/h 644 @2001-01-01T00:00:00Z z\nd/e/ 755\n"
	for _, dst := range []string{"", "f 644 @2000-01-01T00:00:00Z old\nd/h 644 @2000-01-01T00:00:00Z old\nd/other 644 y\n"} {
		for _, links := range []bool{false, true} {
			run := func(how memfs.Listing) (events []string, tree string) {
				b := newSync(t, few+many.String(), dst)
				b.src.SetListing(how)
				b.job.DestIsNew, b.job.Delete.On, b.job.HardLinks = dst == "", dst != "", links
				b.job.Backup = backup.Options{On: true, Suffix: "~"}
				b.mustRun(t)
				_, tree = b.trees(t, fstest.WithMtimes)
				totals := b.job.Stats.Totals()
				return append(b.record.all(), fmt.Sprint(totals[report.FilesSeen], totals[report.DirsSeen], totals[report.FilesCopied])), tree
			}
			want, wantTree := run(memfs.ListSnapshot)
			got, tree := run(memfs.ListTwice)
			if tree != wantTree {
				t.Errorf("links %v, destination %q: the tree is\n%s\nwant\n%s", links, dst, tree, wantTree)
			}
			if len(got) != len(want) || !links && !slices.Equal(got, want) { // which of two links is copied is random
				t.Errorf("links %v, destination %q: got\n%q\nwant\n%q", links, dst, got, want)
			}
		}
	}
}

// TestMadeMeanwhile lets another process make an entry at the moment when the run does.
func TestMadeMeanwhile(t *testing.T) {
	for _, folds := range []bool{false, true} {
		for _, fresh := range []bool{false, true} {
			b := newTestbed(t, "d/ 755\nf 644 new\nl -> f\n", "")
			if folds {
				b.dst = memfs.NewFolding()
				b.job.Dest = b.dst.Root()
			}
			whole := b.job.Dest
			b.job.DestIsNew = fresh
			b.job.Dest = faultfs.New(whole, func(op, name string) error {
				switch {
				case (op == "create" || op == "link") && name == "f", op == "mkdir" && name == "d", op == "symlink" && name == "l":
					return fs.ErrExist
				}
				return nil
			})
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := b.record.lines(report.Fail); !slices.Equal(got, []string{"fail DST/d", "fail DST/f", "fail DST/l"}) {
				t.Errorf("folds %v, fresh %v: reported %q", folds, fresh, got)
			}
			for _, e := range b.record.events {
				if e.Kind == report.Fail && (errors.Is(e.Err, alias.ErrCollision) != folds || strings.Contains(e.Err.Error(), "ignores case") != folds) {
					t.Errorf("folds %v, fresh %v, %s: %v", folds, fresh, e.Name, e.Err)
				}
			}
		}
	}
}

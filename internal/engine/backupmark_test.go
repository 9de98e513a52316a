package engine

import (
	"fmt"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"psync/internal/engine/backup"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
)

// diesAt returns a hook for [faultfs.New] that lets a run do n changing operations and none after that, as if the run
// had been killed. died reports whether that happened.
func diesAt(n int) (hook func(op, name string) error, died func() bool) {
	var mu sync.Mutex
	seen := 0
	hook = func(op, _ string) error {
		mu.Lock()
		defer mu.Unlock()
		if faultfs.Changing(op) {
			seen++
		}
		if seen > n {
			return syscall.EIO
		}
		return nil
	}
	died = func() bool {
		mu.Lock()
		defer mu.Unlock()
		return seen > n
	}
	return hook, died
}

// TestKilledRewriteSparesTheBackup kills a run that writes into a file at each possible moment, and then also the
// next run. After a run that completes, the file is correct and the only good copy of its old contents has the name
// of the backup, whether or not the run writes in place.
func TestKilledRewriteSparesTheBackup(t *testing.T) {
	for _, inDir := range []bool{false, true} {
		for _, then := range []bool{true, false} {
			for first := 0; ; first++ {
				again := false
				for second := -1; second < 0 || again; second++ {
					what := fmt.Sprintf("in a directory %v, in place again %v, killed at %d and %d", inDir, then, first, second)
					b := newSync(t, "f 644 @2002-01-01T00:00:00Z new\n", "f 640 @2001-01-01T00:00:00Z \"old text\"\n")
					b.job.Backup = backup.Options{On: true, Suffix: "~"}
					dst, bak := b.job.Dest, b.job.Dest
					if inDir {
						bak = another(t, "")
						b.job.Backup = backup.Options{On: true, Dir: bak}
					}
					attempt := func(hook func(op, name string) error, inPlace bool) {
						b.job.InPlace, b.job.Dest = inPlace, dst
						nextRun(&b.job)
						if hook != nil {
							b.job.Dest = faultfs.New(dst, hook)
						}
						if inDir {
							b.job.Backup.Dir = bak
							if hook != nil {
								b.job.Backup.Dir = faultfs.New(bak, hook)
							}
						}
						if err := b.run(t.Context()); err != nil && hook == nil {
							t.Fatalf("%s: %v", what, err)
						}
					}
					hook, died := diesAt(first)
					attempt(hook, true)
					if !died() {
						if second == -1 {
							first = -1 // all moments were tried
						}
						break
					}
					if second >= 0 {
						hook, died := diesAt(second)
						attempt(hook, then)
						again = died()
					} else {
						again = true
					}
					attempt(nil, then)
					if got := text(t, dst, "f"); got != "new" {
						t.Errorf("%s: the file has %q", what, got)
					}
					if got := text(t, bak, "f"+b.job.Backup.Suffix); got != "old text" {
						t.Errorf("%s: the backup has %q", what, got)
					}
				}
				if first == -1 {
					break
				}
			}
		}
	}
}

// text returns the contents of a file, or the reason why there are none.
func text(t testing.TB, d vfs.Dir, name string) string {
	t.Helper()
	for line := range strings.Lines(fstest.Tree(t, d)) {
		if rest, ok := strings.CutPrefix(line, name+" "); ok {
			_, text, _ := strings.Cut(strings.TrimSuffix(rest, "\n"), " ")
			return strings.Trim(text, `"`)
		}
	}
	return "nothing at all"
}

// TestBackupsOfRewrittenFilesHaveTheirTimes checks that no mark is left if nothing was interrupted, or once the file
// is complete again.
func TestBackupsOfRewrittenFilesHaveTheirTimes(t *testing.T) {
	const src, old = "f 644 @2002-01-01T00:00:00Z new\n", "f 640 @2001-01-01T00:00:00Z \"old text\"\n"
	b := newSync(t, src, old)
	b.job.InPlace, b.job.Backup = true, backup.Options{On: true, Suffix: "~"}
	plain := b.job.Dest
	b.job.Dest = faultfs.Inject(plain, `(op write, path "f", err EIO)`)
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	attr, err := vfs.Lstat(plain, "f~")
	if err != nil || !attr.Mtime.Equal(time.Unix(1<<29, 0)) {
		t.Fatalf("the backup has no mark while the file is not whole: %v, %v", attr, err)
	}
	b.job.Dest = plain
	b.mustRun(t)
	// The failure was reported, and the file is known not to be worth a backup.
	b.wantTree(t, src+"f~ 640 @2001-01-01T00:00:00Z old text\n", fstest.WithMtimes)

	// The next backup replaces it.
	if err := vfs.Chtimes(vfs.In(b.job.Dest, "f"), time.Time{}, time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	b.mustRun(t)
	b.wantTree(t, src+"f~ 644 @1970-01-01T00:00:00Z new\n", fstest.WithMtimes)
}

// TestMarksThatAreLost keeps an older backup under its name if it is unknown whether it is still needed.
func TestMarksThatAreLost(t *testing.T) {
	b := newSync(t, "f 644 newer\n", "f 644 newish\nf~ 644 old\n")
	b.job.InPlace, b.job.Backup = true, backup.Options{On: true, Suffix: "~"}
	b.job.Dest = timeless{b.job.Dest}
	b.mustRun(t)
	b.wantTree(t, "f 644 newer\nf.2~ 644 newish\nf~ 644 old\n")
}

// A timeless directory forgets the times of its entries.
type timeless struct{ vfs.Dir }

func (d timeless) Set(name string, changes []vfs.Change) []error {
	return vfs.SetEach(changes, func(c *vfs.Change) error {
		if c.Kind == vfs.TimesChange {
			return nil
		}
		return vfs.SetOne(vfs.In(d.Dir, name), *c)
	})
}

package cluster_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/campaign"
	"psync/internal/engine"
	"psync/internal/engine/source"
	"psync/internal/filter"
	"psync/internal/metadata"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
)

// A variant is a way to copy.
type variant struct {
	name   string
	mtimes bool // the copy has those of the source
	set    func(t *testing.T, j *engine.Job)
}

const intoTwo = "into two directories"

var variants = []variant{
	{"copy", true, func(_ *testing.T, j *engine.Job) { j.Policy.Sync, j.Delete.On = false, false }},
	{"modes of existing directories stay", true, func(_ *testing.T, j *engine.Job) { j.Keep = metadata.Keep{Mtime: true} }},
	{"times do not matter", false, func(_ *testing.T, j *engine.Job) { j.Keep = metadata.Keep{}; j.SizeOnly = true }},
	{"rules in files", true, func(t *testing.T, j *engine.Job) { j.Rules = rules(t, ":e .rules") }},
	{"backups", false, func(_ *testing.T, j *engine.Job) { j.Backup.On, j.Backup.Suffix, j.BacksUp = true, "~", true }},
	{"large files in a partial copy", true, func(_ *testing.T, j *engine.Job) { j.MinSize = 500 }},
	{intoTwo, true, func(t *testing.T, j *engine.Job) {
		root := j.Sources[0].Dir
		open := func(name string) func() (vfs.Dir, error) {
			return func() (vfs.Dir, error) { return root.OpenDir(name, vfs.NoFollow) }
		}
		j.Sources = append(j.Sources[:0:0], source.Tree{Open: open("d0"), Label: "SRC/d0", Into: "d0"}, source.Tree{Open: open("d1"), Label: "SRC/d1", Into: "new"},
			source.Tree{Dir: keepOpen{root}, Label: "SRC", Names: []string{"d2", "d3", "d4"}})
	}},
}

// keepOpen is a directory that is closed by its owner alone.
type keepOpen struct{ vfs.Dir }

func (keepOpen) Close() error { return nil }

func rules(t *testing.T, rule string) *filter.Rules {
	t.Helper()
	var b filter.Builder
	if err := b.Filter(rule); err != nil {
		t.Fatal(err)
	}
	return b.Rules(false)
}

// TestHostsDoWhatOneDoes compares the destination with that of a run without a queue.
func TestHostsDoWhatOneDoes(t *testing.T) {
	seeds := campaign.Seeds("CLUSTER_OPTIONS", 6, 100)
	for _, v := range variants {
		for _, seed := range seeds {
			t.Run(fmt.Sprintf("%s/seed=%d", v.name, seed), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					r := rand.New(rand.NewPCG(seed, 4))
					from, dst := treesWithRules(r)
					one, several := newTestbed(t, from, dst, seed), newTestbed(t, from, dst, seed)
					one.set = func(j *engine.Job) { v.set(t, j) }
					several.set = func(j *engine.Job) { v.set(t, j); j.Threads = 1 + several.drawn(3) }
					if v.name == intoTwo {
						several.sources = 3
					}
					j := one.job(one.slow(0))
					j.Threads = 1
					if err := engine.Run(t.Context(), j); err != nil {
						t.Fatal(err)
					}
					one.closeAll()
					several.runAll(t, 1+r.IntN(3), several.slow(300*time.Millisecond))
					slices.Sort(one.failures)
					slices.Sort(several.failures)
					if !slices.Equal(one.failures, several.failures) {
						t.Errorf("one has the failures %q, several have %q", one.failures, several.failures)
					}
					options := []fstest.TreeOption{fstest.WithRoot}
					if v.mtimes {
						options = []fstest.TreeOption{fstest.WithMtimes}
					}
					if want, got := tree(t, one.dst, options...), tree(t, several.dst, options...); got != want {
						t.Errorf("source:\n%s\none makes:\n%s\nseveral make:\n%s", tree(t, one.src), want, got)
					}
				})
			})
		}
	}
}

// treesWithRules returns trees that have files with rules, and directories that their owner may not change.
func treesWithRules(r *rand.Rand) (src, dst string) {
	from, to := randomTree(r, 10+r.IntN(50), 1), randomTree(r, 10+r.IntN(20), 2)
	for _, path := range slices.Sorted(maps.Keys(from)) {
		if strings.HasSuffix(path, "/") && r.IntN(6) == 0 {
			from[strings.TrimPrefix(path, "./")+".rules"] = fmt.Sprintf(" 644 @2001-02-01T00:00:00Z \"- f%d\\n- /d%d/d%d\\n- d%d/f2\\n\"", r.IntN(3), r.IntN(5), r.IntN(5), r.IntN(5))
		}
	}
	for _, name := range []string{"d0/", "d1/", "d2/", "d3/", "d4/"} {
		if from[name] == "" {
			from[name] = " 755 @2001-01-01T00:00:00Z"
		}
	}
	return text(from), text(to)
}

// TestHostsMakeOneRoot has all hosts find that a root is missing before any makes it.
func TestHostsMakeOneRoot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newTestbed(t, "a/f 644 x\nb/f 644 x\n", "", 1)
		b.set = func(j *engine.Job) { j.Sources[0].Into = "new" }
		b.runAll(t, 3, func(op, name string) error {
			if op == "mkdir" && name == "new" {
				time.Sleep(time.Second)
			}
			return nil
		})
		if got := tree(t, b.dst); got != "new/ 755\nnew/a/ 755\nnew/a/f 644 x\nnew/b/ 755\nnew/b/f 644 x\n" {
			t.Errorf("the destination has\n%s", got)
		}
	})
}

package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"psync/internal/engine/source"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// linked is a tree with links of all kinds. Only a part of it, in, is copied.
const linked = `
	out/ 755 @2001-01-01T00:00:00Z
	out/f 644 @2001-01-01T00:00:00Z outside
	out/d/g 644 @2001-01-01T00:00:00Z "outside, too"
	in/ 755 @2001-01-01T00:00:00Z
	in/f 644 @2001-01-01T00:00:00Z inside
	in/d/g 644 @2001-01-01T00:00:00Z "inside, too"
	in/to-file @2001-01-01T00:00:00Z -> f
	in/to-dir @2001-01-01T00:00:00Z -> d
	in/to-file-outside @2001-01-01T00:00:00Z -> ../out/f
	in/to-dir-outside @2001-01-01T00:00:00Z -> ../out/d
	in/d/up @2001-01-01T00:00:00Z -> ../f
`

// narrow makes the job copy one directory of the source.
func (b *testbed) narrow(t testing.TB, name string) {
	t.Helper()
	d, err := b.job.Sources[0].Dir.OpenDir(name, vfs.NoFollow)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	b.job.Sources[0].Dir = d
}

func TestLinks(t *testing.T) {
	tests := []struct {
		name  string
		links plan.Links
		want  string // the links that the destination has
		skips []string
	}{
		{"as links", plan.Links{}, "d/up -> ../f, to-dir -> d, to-dir-outside -> ../out/d, to-file -> f, to-file-outside -> ../out/f", nil},
		{"copy", plan.Links{Copy: true}, `d/up 644 inside, to-dir/ 755, to-dir/g 644 inside, too, to-dir/up 644 inside, to-dir-outside/ 755, to-dir-outside/g 644 outside, too, to-file 644 inside, to-file-outside 644 outside`, nil},
		{"copy those to directories", plan.Links{CopyDirlinks: true}, `d/up -> ../f, to-dir/ 755, to-dir/g 644 inside, too, to-dir/up -> ../f, to-dir-outside/ 755, to-dir-outside/g 644 outside, too, to-file -> f, to-file-outside -> ../out/f`, nil},
		{"copy unsafe ones", plan.Links{CopyUnsafe: true}, `d/up -> ../f, to-dir -> d, to-dir-outside/ 755, to-dir-outside/g 644 outside, too, to-file -> f, to-file-outside 644 outside`, nil},
		{"safe ones only", plan.Links{Safe: true}, "d/up -> ../f, to-dir -> d, to-file -> f", []string{"skip SRC/to-dir-outside", "skip SRC/to-file-outside"}},
		{"copy unsafe ones, and safe ones only", plan.Links{CopyUnsafe: true, Safe: true}, `d/up -> ../f, to-dir -> d, to-dir-outside/ 755, to-dir-outside/g 644 outside, too, to-file -> f, to-file-outside 644 outside`, nil},
		{"copy, and safe ones only", plan.Links{Copy: true, Safe: true}, `d/up 644 inside, to-dir/ 755, to-dir/g 644 inside, too, to-dir/up 644 inside, to-dir-outside/ 755, to-dir-outside/g 644 outside, too, to-file 644 inside, to-file-outside 644 outside`, nil},
	}
	for _, tt := range tests {
		for _, sync := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, sync %v", tt.name, sync), func(t *testing.T) {
				b := newSync(t, linked, "")
				b.narrow(t, "in")
				b.job.Links, b.job.Policy.Sync = tt.links, sync
				b.mustRun(t)
				b.wantEvents(t, tt.skips, report.Skip)
				_, dst := b.trees(t)
				var got []string
				for line := range strings.Lines(dst) {
					if line = strings.TrimSuffix(line, "\n"); strings.HasPrefix(line, "to-") || strings.HasPrefix(line, "d/up") {
						got = append(got, line)
					}
				}
				want := strings.ReplaceAll(tt.want, "inside, too", "inside; too")
				want = strings.ReplaceAll(want, "outside, too", "outside; too")
				wanted := strings.Split(want, ", ")
				for i := range wanted {
					wanted[i] = strings.ReplaceAll(wanted[i], ";", ",")
				}
				slices.Sort(wanted)
				slices.Sort(got)
				if !slices.Equal(got, wanted) {
					t.Errorf("the destination has\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(wanted, "\n"))
				}
				b.job.Policy.Sync = true
				b.mustRun(t)
				for _, kind := range []report.Kind{report.Mkdir, report.Copy, report.Replace, report.Symlink, report.SetAttr} {
					if again := b.record.lines(kind); again != nil {
						t.Errorf("the second run reports %q", again)
					}
				}
			})
		}
	}
}

func TestSkipOfAnUnsafeLinkSaysWhy(t *testing.T) {
	b := newSync(t, "l -> /out\n", "")
	b.job.Links.Safe = true
	b.mustRun(t)
	i := slices.IndexFunc(b.record.events, func(e report.Event) bool { return e.Kind == report.Skip })
	if i < 0 {
		t.Fatalf("reported %q, want a skip", b.record.all())
	}
	if e := b.record.events[i]; e.Kind != report.Skip || e.Target != "/out" || !errors.Is(e.Err, source.ErrUnsafe) {
		t.Errorf("reported %+v", e)
	}
}

// TestSkippedLinksAreNotExtraneous keeps what the destination has under the names of skipped links.
func TestSkippedLinksAreNotExtraneous(t *testing.T) {
	for _, dst := range []string{"l -> /out\n", "l 644 x\n", "l/f 644 x\n"} {
		b := newMirror(t, "l -> /out\nf 644 x\n", dst)
		b.job.Links.Safe = true
		b.mustRun(t)
		b.wantEvents(t, nil, report.Delete, report.Replace)
	}
}

// TestLoopsEnd follows links to directories that contain them.
func TestLoopsEnd(t *testing.T) {
	tests := []struct {
		name, src string
		want      string
		failed    []string
	}{
		{"to itself", "d/f 644 x\nd/l -> .\n", "d/ 755\nd/f 644 x\n", []string{"fail SRC/d/l"}},
		{"to its parent", "d/e/l -> ..\nd/f 644 x\n", "d/ 755\nd/e/ 755\nd/f 644 x\n", []string{"fail SRC/d/e/l"}},
		{"to the root", "d/l -> ..\nf 644 x\n", "d/ 755\nf 644 x\n", []string{"fail SRC/d/l"}},
		{"absolute", "d/l -> /\nf 644 x\n", "d/ 755\nf 644 x\n", []string{"fail SRC/d/l"}},
		{
			"to one another's directories", "a/to-b -> ../b\na/f 644 x\nb/to-a -> ../a\nb/g 644 x\n",
			"a/ 755\na/f 644 x\na/to-b/ 755\na/to-b/g 644 x\nb/ 755\nb/g 644 x\nb/to-a/ 755\nb/to-a/f 644 x\n",
			[]string{"fail SRC/a/to-b/to-a", "fail SRC/b/to-a/to-b"},
		},
		{"link to itself", "l -> l\nf 644 x\n", "f 644 x\n", []string{"fail SRC/l"}},
		{"leads nowhere", "l -> gone\nf 644 x\n", "f 644 x\n", []string{"fail SRC/l"}},
	}
	for _, tt := range tests {
		for _, links := range []plan.Links{{Copy: true}, {CopyDirlinks: true}} {
			for _, threads := range []int{1, 16} {
				t.Run(fmt.Sprintf("%s, %+v, %d threads", tt.name, links, threads), func(t *testing.T) {
					b := newSync(t, tt.src, "")
					b.job.Links, b.job.Threads = links, threads
					if err := b.run(t.Context()); err != nil {
						t.Fatal(err)
					}
					if links.CopyDirlinks && strings.HasPrefix(tt.src, "l ") {
						b.wantEvents(t, nil, report.Fail) // copied as it is
						return
					}
					b.wantEvents(t, tt.failed, report.Fail)
					b.wantEvents(t, nil, report.Vanish)
					b.wantTree(t, tt.want)
				})
			}
		}
	}
}

// TestFailedLinksAreNotExtraneous keeps what an earlier run made of a link that is dangling now.
func TestFailedLinksAreNotExtraneous(t *testing.T) {
	for _, src := range []string{"l -> gone\n", "l -> .\n"} {
		b := newMirror(t, src+"f 644 x\n", "l/f 644 precious\n")
		b.job.Links.Copy = true
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.wantEvents(t, []string{"fail SRC/l"}, report.Fail)
		b.wantEvents(t, nil, report.Delete)
	}
}

func TestFollowedLinksAreSynced(t *testing.T) {
	const at = " @2001-01-01T00:00:00Z "
	b := newMirror(t, "f 640"+at+"x\nl"+at+"-> f\n", "f 640"+at+"x\nl 600"+at+"x\ngone"+at+"-> f\n")
	b.job.Links.Copy = true
	b.mustRun(t)
	b.wantTree(t, "f 640 x\nl 640 x\n")
	b.wantEvents(t, []string{"attrs .", "attrs l"}, report.SetAttr, report.Copy, report.Replace)
}

// TestKeepDirlinks has a link to a directory in the destination where the source has a directory.
func TestKeepDirlinks(t *testing.T) {
	const (
		src = "d/f 644 @2001-01-01T00:00:00Z x\nd/sub/f 644 @2001-01-01T00:00:00Z x\n"
		dst = "d -> real\nreal/gone 644 x\nreal/tree/f 644 x\nreal/sub/gone 644 x\nreal/sub/deep/f 644 x\n"
	)
	for _, threads := range []int{1, 16} {
		for _, limit := range []*plan.Limit{nil, {N: 100}} {
			for _, open := range []int{1, 0} {
				t.Run(fmt.Sprintf("%d threads, limit %v, %d open", threads, limit != nil, open), func(t *testing.T) {
					b := newMirror(t, src, dst)
					b.job.Rules = paths{protected: []string{"real"}}
					b.job.Threads, b.job.OpenDirs = threads, open
					b.job.Links.KeepDirlinks = true
					b.job.Delete.Max = limit
					b.mustRun(t)
					b.wantTree(t, "d -> real\nreal/ 755\nreal/f 644 x\nreal/sub/ 755\nreal/sub/f 644 x\n")
					b.wantEvents(t, []string{"delete d/gone", "delete d/sub/deep", "delete d/sub/deep/f", "delete d/sub/gone", "delete d/tree", "delete d/tree/f"}, report.Delete)
					b.mustRun(t)
					if got := b.record.all(); got != nil {
						t.Errorf("the second run reports %q", got)
					}
				})
			}
		}
	}
}

// TestDirlinksAreReplacedUnlessKept is the same without the option.
func TestDirlinksAreReplacedUnlessKept(t *testing.T) {
	for _, sync := range []bool{true, false} {
		b := newSync(t, "d/f 644 x\n", "d -> real\nreal/f 644 old\n")
		b.job.Policy.Sync = sync
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if sync {
			b.wantTree(t, "d/ 755\nd/f 644 x\nreal/ 755\nreal/f 644 old\n")
		} else {
			b.wantTree(t, "d -> real\nreal/ 755\nreal/f 644 old\n")
			b.wantEvents(t, []string{"fail DST/d"}, report.Fail)
		}
	}
}

// TestKeptDirlinksAreNotFollowedWhenTheyGo has a link to a directory in an extraneous tree: the link is removed, and
// its target stays.
func TestKeptDirlinksAreNotFollowedWhenTheyGo(t *testing.T) {
	b := newMirror(t, "real/f 644 @2001-01-01T00:00:00Z x\n", "real/f 644 @2001-01-01T00:00:00Z x\ngone/l -> ../real\nl -> real\n")
	b.job.Links.KeepDirlinks = true
	b.mustRun(t)
	b.wantTree(t, "real/ 755\nreal/f 644 x\n")
}

func TestKeepDirlinksReplacesOtherLinks(t *testing.T) {
	b := newSync(t, "a/f 644 x\nb/f 644 x\n", "a -> nowhere\nb -> file\nfile 644 x\n")
	b.job.Links.KeepDirlinks = true
	b.mustRun(t)
	b.wantTree(t, "a/ 755\na/f 644 x\nb/ 755\nb/f 644 x\nfile 644 x\n")
}

func TestPrunedDirectories(t *testing.T) {
	const src = "full/f 644 x\nfull/empty/ 755\nempty/ 755\nnested/a/b/ 755\nhidden/f 644 x\nlink/l -> x\n"
	b := newMirror(t, src, "empty/old 644 x\nfull/ 755\n")
	b.job.Prune = true
	b.job.Rules = paths{hidden: []string{"hidden/f"}}
	b.mustRun(t)
	b.wantTree(t, "full/ 755\nfull/f 644 x\nlink/ 755\nlink/l -> x\n")
}

// TestPruneOfALoopEnds looks through links to find out whether a directory is empty.
func TestPruneOfALoopEnds(t *testing.T) {
	b := newSync(t, "d/l -> .\ne/l -> ../d\nf 644 x\n", "")
	b.job.Prune, b.job.Links.Copy = true, true
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, dst := b.trees(t); !strings.Contains(dst, "f 644 x\n") {
		t.Errorf("destination:\n%s", dst)
	}
}

func TestOneFileSystem(t *testing.T) {
	for _, one := range []bool{true, false} {
		b := newMirror(t, "d/mnt/f 644 x\nd/f 644 x\n", "d/mnt/old 644 x\n")
		b.job.Sources[0].Dir = elsewhere{b.job.Sources[0].Dir, "mnt"}
		b.job.OneFileSystem = one
		b.mustRun(t)
		if one {
			b.wantTree(t, "d/ 755\nd/f 644 x\nd/mnt/ 755\nd/mnt/old 644 x\n")
		} else {
			b.wantTree(t, "d/ 755\nd/f 644 x\nd/mnt/ 755\nd/mnt/f 644 x\n")
		}
	}
}

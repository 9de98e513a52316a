package engine

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"testing"

	"psync/internal/engine/backup"
	"psync/internal/engine/source"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
)

// newMirror returns a sync that deletes.
func newMirror(t testing.TB, src, dst string) *testbed {
	t.Helper()
	b := newSync(t, src, dst)
	b.job.Delete.On = true
	return b
}

// paths are rules that name whole paths.
type paths struct{ hidden, protected []string }

func (p paths) Hidden(path string, _ bool) bool    { return slices.Contains(p.hidden, path) }
func (p paths) Protected(path string, _ bool) bool { return slices.Contains(p.protected, path) }

// partlyListed is a directory of which the one called name, or itself for "", can only be listed in part.
type partlyListed struct {
	vfs.Dir
	name string
	err  error
}

func (d partlyListed) OpenDir(name string, how vfs.Resolve) (vfs.Dir, error) {
	sub, err := d.Dir.OpenDir(name, how)
	if err != nil {
		return nil, err
	}
	rest, inside := strings.CutPrefix(d.name, name)
	if !inside || rest != "" && rest[0] != '/' {
		return sub, nil
	}
	return partlyListed{sub, strings.TrimPrefix(rest, "/"), d.err}, nil
}

// ReadDir fails after the first chunk.
func (d partlyListed) ReadDir(yield func([]vfs.Entry) error) error {
	if d.name != "" {
		return d.Dir.ReadDir(yield)
	}
	chunks := 0
	return d.Dir.ReadDir(func(entries []vfs.Entry) error {
		if chunks++; chunks > 1 {
			return &fs.PathError{Op: "readdir", Path: ".", Err: d.err}
		}
		return yield(entries)
	})
}

// many returns lines for n files in dir.
func many(dir string, n int) string {
	var tree strings.Builder
	for i := range n {
		fmt.Fprintf(&tree, "%s/f%03d 644 @2001-01-01T00:00:00Z x\n", dir, i)
	}
	return tree.String()
}

func TestNothingIsRemovedUnlessAskedFor(t *testing.T) {
	for _, sync := range []bool{false, true} {
		b := newSync(t, "a/f 644 x\n", "a/gone 644 x\ngone/f 644 x\nl -> x\n")
		b.job.Policy.Sync = sync
		b.mustRun(t)
		b.wantTree(t, "a/ 755\na/f 644 x\na/gone 644 x\ngone/ 755\ngone/f 644 x\nl -> x\n")
	}
}

func TestRemovesWhatTheSourceLacks(t *testing.T) {
	for _, sync := range []bool{false, true} {
		for _, threads := range []int{1, 16} {
			b := newMirror(t, sample, "a/b/c/gone 644 x\ngone/a/b/c/f 644 x\ngone/l -> x\nempty/gone/ 755\na/f 644 old\nl -> x\nread-only/sub/gone/ 755\n./ 750\n")
			fstest.Fill(t, b.job.Dest, "fifo 644 (fifo)")
			b.job.Policy.Sync, b.job.Threads = sync, threads
			b.mustRun(t)
			b.wantEqual(t)
			b.wantEvents(t, []string{
				"delete a/b/c/gone", "delete empty/gone", "delete fifo", "delete gone", "delete gone/a", "delete gone/a/b",
				"delete gone/a/b/c", "delete gone/a/b/c/f", "delete gone/l", "delete l", "delete read-only/sub/gone",
			}, report.Delete)
			got := b.job.Stats.Totals()
			want := report.Totals{report.FilesDeleted: 2, report.DirsDeleted: 6, report.LinksDeleted: 2, report.SpecialsDeleted: 1}
			for _, c := range []report.Count{report.FilesDeleted, report.DirsDeleted, report.LinksDeleted, report.SpecialsDeleted} {
				if got[c] != want[c] {
					t.Errorf("count %d is %d, want %d", c, got[c], want[c])
				}
			}
		}
	}
}

func TestDirectoriesAreReportedAfterTheirContents(t *testing.T) {
	b := newMirror(t, "f 644 x\n", "gone/a/b/f 644 x\ngone/f 644 x\n")
	b.job.Threads = 16
	b.mustRun(t)
	place := make(map[string]int)
	for i, e := range b.record.events {
		if e.Kind == report.Delete {
			place[e.Path()] = i
		}
	}
	for _, path := range []string{"gone/a/b/f", "gone/a/b", "gone/a", "gone/f"} {
		up, _ := parent(path)
		if place[path] > place[up] {
			t.Errorf("%s was reported before %s", up, path)
		}
	}
}

// TestIncompleteListingRemovesNothing aborts the listing of a source directory midway. Nothing is removed from its
// counterpart, while removals continue next to it and below it.
func TestIncompleteListingRemovesNothing(t *testing.T) {
	const extraneous = "gone 644 x\npartial/gone/f 644 x\npartial/sub/gone 644 x\nwhole/gone 644 x\n"
	tests := []struct {
		at, fill, reported string
		deleted            []string
	}{
		{"", ".", "fail SRC", []string{"delete partial/gone", "delete partial/gone/f", "delete partial/sub/gone", "delete whole/gone"}},
		{"partial", "partial", "fail SRC/partial", []string{"delete gone", "delete partial/sub/gone", "delete whole/gone"}},
		{"partial/sub", "partial/sub", "fail SRC/partial/sub", []string{"delete gone", "delete partial/gone", "delete partial/gone/f", "delete whole/gone"}},
	}
	for _, tt := range tests {
		for _, limit := range []*plan.Limit{nil, {N: 1000}} {
			t.Run(fmt.Sprintf("%q, limit %v", tt.at, limit != nil), func(t *testing.T) {
				// The listing goes from the last name to the first: destination entries with the first names would
				// look extraneous.
				files := strings.ReplaceAll(many(tt.fill, 150), "./", "")
				b := newMirror(t, files+"partial/sub/zf 644 x\nwhole/f 644 x\n", files+extraneous)
				b.job.Delete.Max = limit
				b.job.Sources[0].Dir = partlyListed{b.job.Sources[0].Dir, tt.at, syscall.EIO}
				if err := b.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				b.wantEvents(t, []string{tt.reported}, report.Fail)
				b.wantEvents(t, tt.deleted, report.Delete)
			})
		}
	}
}

func TestListingThatFailsAtOnceRemovesNothing(t *testing.T) {
	for _, op := range []string{"readdir .", "opendir d", "lstat ."} {
		b := newMirror(t, "d/f 644 x\n", "d/f 644 x\nd/gone 644 x\n")
		b.job.Sources[0].Dir = faultfs.New(b.job.Sources[0].Dir, fails(map[string]error{op: syscall.EACCES}))
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.wantEvents(t, nil, report.Delete)
		if n := len(b.record.lines(report.Fail)); n != 1 {
			t.Errorf("%s: reported %q, want one failure", op, b.record.lines(report.Fail))
		}
	}
}

func TestIgnoreErrorsRemovesAllTheSame(t *testing.T) {
	b := newMirror(t, many("partial", 150), "partial/gone 644 x\npartial/f149 644 @2001-01-01T00:00:00Z x\n")
	b.job.Delete.IgnoreErrors = true
	b.job.Sources[0].Dir = partlyListed{b.job.Sources[0].Dir, "partial", syscall.EIO}
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.wantEvents(t, []string{"delete partial/gone"}, report.Delete)
	b.wantEvents(t, []string{"fail SRC/partial"}, report.Fail)
}

func TestEmptySource(t *testing.T) {
	tests := []struct {
		name     string
		src      string
		names    []string
		force    bool
		reported []string
		deleted  []string
	}{
		{"empty root", "", nil, false, []string{"fail SRC"}, nil},
		{"empty root, forced", "", nil, true, nil, []string{"delete d", "delete d/f", "delete e", "delete e/f"}},
		{"empty operand among several", "d/ 755\ne/f 644 x\n", []string{"d", "e"}, false, []string{"fail SRC/d"}, nil},
		{"empty operand, forced", "d/ 755\ne/f 644 x\n", []string{"d", "e"}, true, nil, []string{"delete d/f"}},
		{"empty below the root", "d/ 755\ne/f 644 x\n", nil, false, nil, []string{"delete d/f"}},
		{"empty below an operand", "e/d/ 755\n", []string{"e"}, false, nil, []string{"delete e/f"}},
	}
	for _, tt := range tests {
		for _, limit := range []*plan.Limit{nil, {N: 100}} {
			t.Run(fmt.Sprintf("%s, limit %v", tt.name, limit != nil), func(t *testing.T) {
				b := newMirror(t, tt.src, "d/f 644 x\ne/f 644 x\n")
				b.job.Sources[0].Names = tt.names
				b.job.Delete.EmptySource, b.job.Delete.Max = tt.force, limit
				if err := b.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				b.wantEvents(t, tt.reported, report.Fail)
				b.wantEvents(t, tt.deleted, report.Delete)
			})
		}
	}
}

func TestEmptySourceAndDestination(t *testing.T) {
	b := newMirror(t, "", "")
	b.mustRun(t) // nothing would be removed, so this is not an error
}

// TestOnlyOperandsAreMirrored copies single entries: whatever lies next to them in the destination is left alone.
func TestOnlyOperandsAreMirrored(t *testing.T) {
	b := newMirror(t, "a/f 644 x\nb/f 644 x\nf 644 x\n", "a/gone 644 x\nb/stays 644 x\nstays 644 x\nelse/f 644 x\n")
	b.job.Sources[0].Names = []string{"a", "f"}
	b.mustRun(t)
	b.wantEvents(t, []string{"delete a/gone"}, report.Delete)
}

func TestRulesProtect(t *testing.T) {
	const (
		src = "d/f 644 x\nd/hidden 644 x\n"
		dst = "d/gone 644 x\nd/hidden 644 old\nd/kept 644 x\ntree/sub/kept 644 x\ntree/sub/f 644 x\ntree/other/f 644 x\nkept/f 644 x\n"
	)
	rules := paths{hidden: []string{"d/hidden"}, protected: []string{"d/hidden", "d/kept", "tree/sub/kept", "kept"}}
	tests := []struct {
		name  string
		rules source.Rules
		max   *plan.Limit
		want  string
	}{
		{"protected", rules, nil, "d/ 755\nd/f 644 x\nd/hidden 644 old\nd/kept 644 x\nkept/ 755\nkept/f 644 x\ntree/ 755\ntree/sub/ 755\ntree/sub/kept 644 x\n"},
		{"protected, counted", rules, &plan.Limit{N: 100}, "d/ 755\nd/f 644 x\nd/hidden 644 old\nd/kept 644 x\nkept/ 755\nkept/f 644 x\ntree/ 755\ntree/sub/ 755\ntree/sub/kept 644 x\n"},
		{"hidden, not protected", paths{hidden: []string{"d/hidden"}}, nil, "d/ 755\nd/f 644 x\n"},
		{"no rules", nil, nil, "d/ 755\nd/f 644 x\nd/hidden 644 x\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newMirror(t, src, dst)
			b.job.Rules, b.job.Delete.Max = tt.rules, tt.max
			b.mustRun(t)
			b.wantTree(t, tt.want)
			b.mustRun(t)
			b.wantEvents(t, nil, report.Delete, report.Copy, report.Replace, report.Mkdir)
		})
	}
}

// TestProtectedEntriesInTheWay replaces a directory by a file only if nothing in it is protected.
func TestProtectedEntriesInTheWay(t *testing.T) {
	b := newMirror(t, "d 644 x\n", "d/sub/kept 644 x\n")
	b.job.Rules = paths{protected: []string{"d/sub/kept"}}
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.wantTree(t, "d/ 755\nd/sub/ 755\nd/sub/kept 644 x\n")
	b.wantEvents(t, []string{"fail DST/d"}, report.Fail)
}

func TestHiddenSourceIsNoEmptySource(t *testing.T) {
	b := newMirror(t, "hidden 644 x\n", "hidden 644 x\ngone 644 x\n")
	b.job.Rules = paths{hidden: []string{"hidden"}, protected: []string{"hidden"}}
	b.mustRun(t)
	b.wantTree(t, "hidden 644 x\n")
}

// rich and stale are a pair of trees that makes a sync do everything it can do.
const (
	rich = `
		./ 755 @2001-01-01T00:00:00Z
		same/ 755 @2001-01-01T00:00:00Z
		same/f 644 @2001-01-01T00:00:00Z equal
		same/l @2001-01-01T00:00:00Z -> equal
		same/sub/ 700 @2001-01-01T00:00:00Z
		same/sub/f 600 @2001-01-01T00:00:00Z equal
		attrs/ 750 @2001-01-01T00:00:00Z
		attrs/f 640 @2001-01-01T00:00:00Z equal
		attrs/l @2001-01-01T00:00:00Z -> equal
		changed/ 755 @2001-01-01T00:00:00Z
		changed/longer 644 @2001-01-01T00:00:00Z "contents"*9
		changed/newer 644 @2001-01-01T00:00:00Z src
		changed/target @2001-01-01T00:00:00Z -> src
		new/ 755 @2001-01-01T00:00:00Z
		new/f 644 @2001-01-01T00:00:00Z x
		new/sub/ 555 @2001-01-01T00:00:00Z
		new/sub/f 444 @2001-01-01T00:00:00Z x
		new/l @2001-01-01T00:00:00Z -> x
		types/ 755 @2001-01-01T00:00:00Z
		types/file-over-dir 644 @2001-01-01T00:00:00Z x
		types/file-over-full-dir 644 @2001-01-01T00:00:00Z x
		types/file-over-link 644 @2001-01-01T00:00:00Z x
		types/link-over-full-dir @2001-01-01T00:00:00Z -> x
		types/link-over-file @2001-01-01T00:00:00Z -> x
		types/dir-over-file/ 755 @2001-01-01T00:00:00Z
		types/dir-over-file/f 644 @2001-01-01T00:00:00Z x
		types/dir-over-link/ 755 @2001-01-01T00:00:00Z
		types/dir-over-link/f 644 @2001-01-01T00:00:00Z x
		closed/ 555 @2001-01-01T00:00:00Z
		closed/f 444 @2001-01-01T00:00:00Z src
	`
	stale = `
		./ 755 @2001-01-01T00:00:00Z
		same/ 755 @2001-01-01T00:00:00Z
		same/f 644 @2001-01-01T00:00:00Z equal
		same/l @2001-01-01T00:00:00Z -> equal
		same/sub/ 700 @2001-01-01T00:00:00Z
		same/sub/f 600 @2001-01-01T00:00:00Z equal
		attrs/ 700 @2001-01-01T00:00:00Z
		attrs/f 600 @2001-01-01T00:00:00Z equal
		attrs/l @2002-01-01T00:00:00Z -> equal
		changed/ 755 @2001-01-01T00:00:00Z
		changed/longer 644 @2001-01-01T00:00:00Z "old contents"
		changed/newer 644 @2002-01-01T00:00:00Z old
		changed/target @2001-01-01T00:00:00Z -> old
		types/ 755 @2002-01-01T00:00:00Z
		types/file-over-dir/ 755
		types/file-over-full-dir/sub/f 644 "old in the way"
		types/file-over-link -> old
		types/link-over-full-dir/f 644 "old below a link"
		types/link-over-file 644 "old under a link"
		types/dir-over-file 644 "old under a directory"
		types/dir-over-link -> old
		gone/ 755
		gone/f 644 "old and gone"
		gone/l -> old
		gone/sub/sub/f 644 "old and deep"
		gone/closed/ 555
		gone/closed/f 444 "old and closed"
		same/gone 644 "old and extraneous"
		closed/ 555 @2001-01-01T00:00:00Z
		closed/f 444 @2001-01-01T00:00:00Z older
		closed/gone/f 444 "old and closed in"
	`
)

func TestRichMirror(t *testing.T) {
	for _, threads := range []int{1, 16} {
		b := newMirror(t, rich, stale)
		b.job.Threads = threads
		b.mustRun(t)
		b.wantEqual(t)
	}
}

func TestDryRunOfAMirrorReportsTheSame(t *testing.T) {
	tests := []struct {
		name string
		set  func(*Options)
	}{
		{"sync", func(*Options) {}},
		{"plain copy", func(o *Options) { o.Policy.Sync = false; o.Keep.Modes = false }},
		{"checksum", func(o *Options) { o.Policy.Checksum = true }},
		{"counted", func(o *Options) { o.Delete.Max = &plan.Limit{N: 1000} }},
		{"too many", func(o *Options) { o.Delete.Max = &plan.Limit{N: 1} }},
		{"backup", func(o *Options) { o.Backup = backup.Options{On: true, Suffix: "~"} }},
		{"in place", func(o *Options) { o.InPlace = true }},
		{"without removals", func(o *Options) { o.Delete.On = false }},
		{"existing", func(o *Options) { o.Policy.Existing = true }},
		{"ignore existing", func(o *Options) { o.Policy.IgnoreExisting = true }},
		{"update", func(o *Options) { o.Policy.Update = true }},
		{"protected", func(o *Options) {
			o.Rules = paths{protected: []string{"gone/sub/sub/f", "types/file-over-full-dir/sub"}}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newMirror(t, rich, stale)
			tt.set(&b.job.Options)
			b.job.DryRun = true
			_, before := b.trees(t, fstest.WithMtimes, fstest.WithRoot)
			plannedErr := b.run(t.Context())
			if _, after := b.trees(t, fstest.WithMtimes, fstest.WithRoot); after != before {
				t.Errorf("the dry run changed the destination:\n%s\nwas:\n%s", after, before)
			}
			planned, counted := b.record.all(), b.job.Stats.Totals()

			b.job.DryRun = false
			err := b.run(t.Context())
			if (err == nil) != (plannedErr == nil) {
				t.Errorf("Run = %v, in the dry run %v", err, plannedErr)
			}
			done := b.record.all()
			for _, line := range planned {
				if i, found := slices.BinarySearch(done, line); found {
					done = slices.Delete(done, i, i+1)
				} else {
					t.Errorf("planned, but not done: %s", line)
				}
			}
			for _, line := range done {
				t.Errorf("done, but not planned: %s", line)
			}
			if totals := b.job.Stats.Totals(); totals != counted {
				t.Errorf("counted %v, then %v", counted, totals)
			}
		})
	}
}

func TestSupplantedAndReplacedEntriesWithoutDeletes(t *testing.T) {
	b := newSync(t, "d/f 644 x\nf 644 x\nl -> x\n", "d 644 old\nf/f 644 kept\nl/f 644 kept\n")
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.wantTree(t, "d/ 755\nd/f 644 x\nf/ 755\nf/f 644 kept\nl/ 755\nl/f 644 kept\n")
	b.wantEvents(t, []string{"fail DST/f", "fail DST/l"}, report.Fail)
}

func TestVanishedExtraneousEntryIsNoFailure(t *testing.T) {
	b := newMirror(t, "f 644 x\n", "gone 644 x\ntree/f 644 x\n")
	b.job.Threads = 1
	plain := b.job.Dest
	b.job.Dest = faultfs.New(plain, func(op, name string) error {
		if op == "remove" || op == "rmdir" {
			return fs.ErrNotExist
		}
		return nil
	})
	b.mustRun(t)
}

func TestDeletedSourceKeepsTheDestinationThatCannotBeListed(t *testing.T) {
	b := newMirror(t, "d/f 644 x\n", "d/f 644 x\nd/gone 644 x\n")
	b.job.Dest = faultfs.Inject(b.job.Dest, "(op readdir, err EIO)")
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.wantEvents(t, nil, report.Delete)
	if n := len(b.record.lines(report.Fail)); n != 2 {
		t.Errorf("reported %q, want both directories", b.record.lines(report.Fail))
	}
}

// TestOmittedEntriesAreNotExtraneous checks entries of the source that take no part in the copy.
func TestOmittedEntriesAreNotExtraneous(t *testing.T) {
	policies := map[string]plan.Policy{
		"too large": {Sync: true, MaxSize: 1, LimitSize: true},
		"too small": {Sync: true, MinSize: 100},
		"newer":     {Sync: true, Update: true},
		"existing":  {Sync: true, IgnoreExisting: true},
	}
	for name, policy := range policies {
		t.Run(name, func(t *testing.T) {
			b := newMirror(t, "f 644 @2001-01-01T00:00:00Z contents\n", "f 644 @2002-01-01T00:00:00Z old\ngone 644 x\n")
			policy.Delete = b.job.Delete
			b.job.Policy = policy
			b.mustRun(t)
			b.wantTree(t, "f 644 old\n")
		})
	}
}

func TestSpecialsOfTheSourceAreNotExtraneous(t *testing.T) {
	b := newMirror(t, "f 644 x\n", "fifo 644 x\nsocket/f 644 x\n")
	for _, name := range []string{"fifo", "socket"} {
		fstest.Fill(t, b.job.Sources[0].Dir, name+" 644 (fifo)")
	}
	b.mustRun(t)
	b.wantTree(t, "f 644 x\nfifo 644 x\nsocket/ 755\nsocket/f 644 x\n")
}

// TestEachSourceIsMirroredInItsPlace has several sources, one of which is copied
// into a directory of another name.
func TestEachSourceIsMirroredInItsPlace(t *testing.T) {
	for _, threads := range []int{1, 16} {
		for _, limit := range []*plan.Limit{nil, {N: 100}} {
			b := newMirror(t, "a/f 644 x\na/sub/f 644 x\nb/f 644 x\n", "taken/gone 644 x\ntaken/sub/tree/f 644 x\ntaken/tree/f 644 x\nb/gone/f 644 x\nstays/f 644 x\n")
			b.job.Threads, b.job.Delete.Max = threads, limit
			root := b.job.Sources[0].Dir
			a, err := root.OpenDir("a", vfs.NoFollow)
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			b.job.Sources = []source.Tree{{Dir: a, Label: "SRC/a", Into: "taken"}, {Dir: root, Label: "SRC", Names: []string{"b"}}}
			open := b.dst.Open()
			b.mustRun(t)
			if now := b.dst.Open(); now != open {
				t.Errorf("%d handles stay open", now-open)
			}
			b.wantTree(t, "b/ 755\nb/f 644 x\nstays/ 755\nstays/f 644 x\ntaken/ 755\ntaken/f 644 x\ntaken/sub/ 755\ntaken/sub/f 644 x\n")
			b.wantEvents(t, []string{"delete b/gone", "delete b/gone/f", "delete taken/gone", "delete taken/sub/tree", "delete taken/sub/tree/f", "delete taken/tree", "delete taken/tree/f"}, report.Delete)
		}
	}
}

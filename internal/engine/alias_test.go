package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"

	"psync/internal/engine/alias"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
	"psync/internal/engine/volume"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

const (
	stamp = " @2001-01-01T00:00:00Z "
	// colliding holds names that a destination which ignores case treats as one.
	colliding = "DIR/b 644" + stamp + "upper\ndir/a 644" + stamp + "lower\nFILE 644" + stamp + "UPPER\nfile 644" + stamp + "lower\nother 644" + stamp + "x\n" +
		"DIR/ 755" + stamp + "\ndir/ 755" + stamp + "\n./ 755" + stamp + "\n"
)

// inPieces is a directory that is listed one entry at a time if one is true, and otherwise in the order given or its
// reverse.
type inPieces struct {
	vfs.Dir
	one, reverse bool
}

func (p inPieces) ReadDir(yield func([]vfs.Entry) error) error {
	var all []vfs.Entry
	if err := p.Dir.ReadDir(func(es []vfs.Entry) error { all = append(all, es...); return nil }); err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b vfs.Entry) int { return strings.Compare(a.Name, b.Name) })
	if p.reverse {
		slices.Reverse(all)
	}
	if !p.one {
		return yield(all)
	}
	for _, e := range all {
		if err := yield([]vfs.Entry{e}); err != nil {
			return err
		}
	}
	return nil
}

// TestAliasesAreLeftOutOnEveryRun copies names that differ in case to a directory that ignores case without reporting
// it: the same names are errors each time, and nothing else changes.
func TestAliasesAreLeftOutOnEveryRun(t *testing.T) {
	const upper, lower = "DIR/ 755\nDIR/b 644 upper\nFILE 644 UPPER\nother 644 x\n", "dir/ 755\ndir/a 644 lower\nfile 644 lower\nother 644 x\n"
	upperStays, lowerStays := []string{"fail SRC/dir", "fail SRC/file"}, []string{"fail SRC/DIR", "fail SRC/FILE"}
	tests := []struct {
		name, dst string
		set       func(*Options)
		one       bool
		reverse   bool
		want      string
		fails     []string
	}{
		{"a new destination", "", nil, false, false, upper, upperStays},
		{"a new destination, listed the other way round", "", nil, false, true, upper, upperStays},
		{"a new destination, listed in pieces", "", nil, true, false, upper, upperStays},
		{"a new destination, listed in pieces the other way round", "", nil, true, true, lower, lowerStays},
		{"an empty destination", "gone 644 x\n", nil, false, false, upper, upperStays},
		{"listed the other way round", "gone 644 x\n", nil, false, true, upper, upperStays},
		{"what was copied before stays", "dir/a 644" + stamp + "lower\nfile 644" + stamp + "lower\n", nil, false, false, lower, lowerStays},
		{"what was merged before", "DIR/a 644 x\nDIR/b 644 x\nFILE 644 x\n", nil, false, false, upper, upperStays},
		{"in place", "FILE 644 x\n", func(o *Options) { o.InPlace = true }, false, false, upper, upperStays},
		{"under temporary names", "", func(o *Options) { o.Policy.SizeOnly = true }, false, false, upper, upperStays},
		{"counted first", "gone 644 x\nDIR/c 644 x\n", func(o *Options) { o.Delete.Max = &plan.Limit{N: 10} }, false, false, upper, upperStays},
		{"hard links", "", func(o *Options) { o.HardLinks = true }, false, false, upper, upperStays},
	}
	for _, tt := range tests {
		for _, shared := range []bool{false, true} {
			for _, sync := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, shared %v, sync %v", tt.name, shared, sync), func(t *testing.T) {
					shareAll(t, shared)
					b := newFolding(t, colliding, tt.dst)
					b.job.Sources[0].Dir = inPieces{b.job.Sources[0].Dir, tt.one, tt.reverse}
					b.job.DestIsNew, b.job.Threads = tt.dst == "", 4
					b.job.Policy.Sync, b.job.Delete.On = sync, tt.dst != ""
					if tt.set != nil {
						tt.set(&b.job.Options)
					}
					for run := range 3 {
						if err := b.run(t.Context()); err != nil {
							t.Fatal(err)
						}
						b.wantEvents(t, tt.fails, report.Fail)
						if _, dst := b.trees(t); dst != tt.want {
							t.Fatalf("run %d: the destination is\n%s\nwant\n%s", run, dst, tt.want)
						}
						if rest := b.record.lines(report.Copy, report.Mkdir, report.Delete, report.Replace, report.SetAttr); run > 0 && sync && rest != nil {
							t.Errorf("run %d did %q", run, rest)
						}
						b.job.DestIsNew, b.job.Delete.On = false, true
					}
				})
			}
		}
	}
}

// TestAliasesAreForeseen checks that dry runs and comparisons also report aliases.
func TestAliasesAreForeseen(t *testing.T) {
	tests := []struct {
		name, dst string
		compare   bool
		want      []string
	}{
		{"dry run, the names are there", "FILE 644 x\nDIR/ 755\n", false, []string{"fail SRC/dir", "fail SRC/file"}},
		{"dry run, another name is there", "x 644 x\n", false, []string{"fail SRC/dir", "fail SRC/file"}},
		{"dry run, nothing is there to show it", "", false, nil},
		{"comparison, the names are there", "FILE 644 x\nDIR/ 755\n", true, []string{"fail SRC/dir", "fail SRC/file"}},
		{"comparison, neither is there", "x 644 x\n", true, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newFolding(t, colliding+"sub/X 644 x\nsub/x 644 x\n", tt.dst)
			b.job.DryRun, b.job.Compare = true, tt.compare
			_, before := b.trees(t)
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			want := tt.want
			if want != nil && !tt.compare {
				want = append(want, "fail SRC/sub/x") // sub does not exist yet
			}
			b.wantEvents(t, want, report.Fail)
			if _, after := b.trees(t); after != before {
				t.Errorf("the destination became\n%s", after)
			}
		})
	}
}

// TestNamesThatDifferInCaseAreCopied has a destination that distinguishes case.
func TestNamesThatDifferInCaseAreCopied(t *testing.T) {
	for _, dst := range []string{"", "file 644 x\nFILE (= file)\n", "file 644 x\n", "dir/a 644 x\n"} {
		for _, one := range []bool{false, true} {
			b := newMirror(t, colliding, dst)
			b.job.DestIsNew = dst == ""
			b.job.Sources[0].Dir = inPieces{Dir: b.job.Sources[0].Dir, one: one}
			b.mustRun(t)
			b.wantEqual(t)
			b.wantNothing(t)
		}
	}
}

// TestNamesThatDifferOtherwise has names that some file systems treat as one for reasons other than case.
func TestNamesThatDifferOtherwise(t *testing.T) {
	trim := func(s string) string {
		if strings.Trim(s, ". ") == "" {
			return s
		}
		return strings.TrimRight(s, ". ")
	}
	decompose := func(s string) string { return strings.ReplaceAll(s, "\u00e9", "e\u0301") }
	tests := []struct {
		name, src, want string
		store           func(string) string
	}{
		{"dots at the end", "a 644 1\na. 644 2\n", "a 644 1\n", trim},
		{"spaces at the end", "a 644 1\n\"a \" 644 2\n", "a 644 1\n", trim},
		{"composition", "\u00e9 644 1\ne\u0301 644 2\n", "e\u0301 644 2\n", decompose},
		{"none", "a 644 1\na. 644 2\n\u00e9 644 1\ne\u0301 644 2\n", "a 644 1\na. 644 2\ne\u0301 644 2\n\u00e9 644 1\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newMirror(t, tt.src, "gone 644 x\n")
			if tt.store != nil {
				b.job.Dest = &changingNames{b.job.Dest, tt.store}
			}
			for range 2 {
				if err := b.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				b.wantTree(t, tt.want)
				if failed := b.record.lines(report.Fail); len(failed) > 0 != (tt.store != nil) {
					t.Errorf("failed: %q", failed)
				}
			}
		})
	}
}

// TestAliasOfWhatCannotBeCopied makes the first of two names fail: the other must not take its place, or the contents
// of the name would alternate from run to run.
func TestAliasOfWhatCannotBeCopied(t *testing.T) {
	for _, folds := range []bool{true, false} {
		b := newMirror(t, colliding, "x 644 x\n")
		if folds {
			b = newFolding(t, colliding, "x 644 x\n")
		}
		b.job.Sources[0].Dir = faultfs.Inject(b.job.Sources[0].Dir, `(op open, path "FILE", err EIO)`)
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		_, dst := b.trees(t)
		if got := strings.Contains(dst, "file "); got == folds {
			t.Errorf("folds %v: the destination is\n%s\nreported %q", folds, dst, b.record.all())
		}
		if strings.Contains(dst, tempPrefix) {
			t.Errorf("left behind:\n%s", dst)
		}
	}
}

// TestWhatTakesNoPartHasNoAliases has names that are not copied next to those that are.
func TestWhatTakesNoPartHasNoAliases(t *testing.T) {
	tests := []struct {
		name, src string
		set       func(*Options)
	}{
		{"a fifo", "FILE 644 (fifo)\nfile 644" + stamp + "x\n", nil},
		{"too large", "FILE 644 0123456789\nfile 644" + stamp + "x\n", func(o *Options) { o.Policy.LimitSize, o.Policy.MaxSize = true, 5 }},
		{"excluded", "FILE 644 y\nfile 644" + stamp + "x\n", func(o *Options) { o.Rules = paths{hidden: []string{"FILE"}} }},
	}
	for _, tt := range tests {
		for _, one := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, in pieces %v", tt.name, one), func(t *testing.T) {
				b := newFolding(t, tt.src, "x 644 x\n")
				b.job.Sources[0].Dir = inPieces{Dir: b.job.Sources[0].Dir, one: one}
				if tt.set != nil {
					tt.set(&b.job.Options)
				}
				for range 2 {
					b.mustRun(t)
					b.wantTree(t, "file 644 x\n")
				}
			})
		}
	}
}

// TestOperandsThatAreAliases copies several sources into one directory.
func TestOperandsThatAreAliases(t *testing.T) {
	for _, folds := range []bool{true, false} {
		for _, dst := range []string{"", "file 644 old\n"} {
			b := newMirror(t, "x/FILE 644 X\nx/DIR/b 644 x\ny/file 644 y\ny/dir/a 644 y\ny/other 644 y\n", dst)
			if folds {
				src := b.src
				b = newFolding(t, "", dst)
				b.src = src
			}
			b.job.Delete.On = false
			root := b.src.Root()
			defer root.Close()
			open := func(path string) vfs.Dir {
				d, err := pairs.Below(root, path, false)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { d.Close() })
				return d
			}
			b.job.Sources = []source.Tree{
				{Dir: open("x"), Label: "x/", Names: []string{"FILE"}},
				{Dir: open("x/DIR"), Label: "x/DIR", Into: "DIR"},
				{Dir: open("y"), Label: "y/", Names: []string{"file", "other"}},
				{Dir: open("y/dir"), Label: "y/dir", Into: "dir"},
			}
			for range 3 {
				if err := b.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				fails, want := []string{"fail y/dir", "fail y/file"}, "DIR/ 755\nDIR/b 644 x\nFILE 644 X\nother 644 y\n"
				switch {
				case !folds:
					fails, want = nil, "DIR/ 755\nDIR/b 644 x\nFILE 644 X\ndir/ 755\ndir/a 644 y\nfile 644 y\nother 644 y\n"
				case dst != "":
					fails, want = []string{"fail x/FILE", "fail y/dir"}, "DIR/ 755\nDIR/b 644 x\nfile 644 y\nother 644 y\n"
				}
				b.wantEvents(t, fails, report.Fail)
				b.wantTree(t, want)
			}
		}
	}
}

// TestAliasesSurviveEveryFault fails each operation that looks at either side: whichever it is, the contents of one
// name never become those of the other.
func TestAliasesSurviveEveryFault(t *testing.T) {
	const upper, lower = "DIR/b 644" + stamp + "upper\nFILE 644" + stamp + "UPPER\n", "dir/a 644" + stamp + "lower\nfile 644" + stamp + "lower\n"
	for _, side := range []string{"source", "destination"} {
		for _, there := range []string{upper, lower} {
			for _, one := range []bool{false, true} {
				if one && there == lower {
					continue // the first part of the listing counts
				}
				for n := 1; faultAmongAliases(t, side, there, one, n); n++ {
				}
			}
		}
	}
}

// faultAmongAliases fails the n-th look at one side, and reports whether there was one.
func faultAmongAliases(t *testing.T, side, there string, one bool, n int) bool {
	t.Helper()
	b := newFolding(t, colliding, there)
	b.job.Threads = 1
	seen, failed := 0, ""
	hook := func(op, name string) error {
		if faultfs.Changing(op) || op == "close" {
			return nil
		}
		if seen++; seen == n {
			failed = op + " " + name
			return syscall.EIO
		}
		return nil
	}
	b.job.Sources[0].Dir = inPieces{Dir: b.job.Sources[0].Dir, one: one}
	if side == "source" {
		b.job.Sources[0].Dir = faultfs.New(b.job.Sources[0].Dir, hook)
	} else {
		b.job.Dest = faultfs.New(b.job.Dest, hook)
	}
	err := b.run(t.Context())
	if failed == "" {
		return false
	}
	_, dst := b.trees(t)
	for line := range strings.Lines(strings.ReplaceAll(there, stamp, " ")) {
		if !strings.Contains(dst, line) {
			t.Errorf("%s, %s: the destination is\n%s\nreported %q", side, failed, dst, b.record.all())
		}
	}
	if err == nil && len(b.record.lines(report.Fail)) == 0 {
		t.Errorf("%s, %s: nothing was reported", side, failed)
	}
	return true
}

func TestAliasErrorIsACollision(t *testing.T) {
	if err := error(&alias.Error{First: "a"}); !errors.Is(err, alias.ErrCollision) {
		t.Error("is no collision")
	}
}

// TestManyAliasesAreListedFewTimes has a directory, listed in many parts, in which each name differs from another
// only in case.
func TestManyAliasesAreListedFewTimes(t *testing.T) {
	var src strings.Builder
	const pairs = 150
	for i := range pairs {
		fmt.Fprintf(&src, "d/F%03d 644"+stamp+"x\nd/f%03d 644"+stamp+"x\n", i, i)
	}
	for _, folds := range []bool{true, false} {
		for _, run := range []string{"first", "second"} {
			b := newMirror(t, src.String(), "x 644 x\n")
			if folds {
				b = newFolding(t, src.String(), "x 644 x\n")
			}
			if run == "second" {
				if err := b.run(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			lists := map[string]int{}
			count := func(side string) func(op, name string) error {
				return func(op, name string) error {
					if op == "readdir" {
						lists[side]++
					}
					return nil
				}
			}
			b.job.Threads = 1
			b.job.Sources[0].Dir = faultfs.New(b.job.Sources[0].Dir, count("source"))
			b.job.Dest = faultfs.New(b.job.Dest, count("destination"))
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			want := 0
			if folds {
				want = pairs
			}
			if n := len(b.record.lines(report.Fail)); n != want {
				t.Errorf("folds %v, %s run: %d collisions reported, want %d", folds, run, n, want)
			}
			for side, n := range lists { // of two directories
				if n > 10 {
					t.Errorf("folds %v, %s run: %s was listed %d times", folds, run, side, n)
				}
			}
		}
	}
}

// neverListed is a directory whose entries must not be listed.
type neverListed struct {
	vfs.Dir
	t *testing.T
}

func (d neverListed) ReadDir(func([]vfs.Entry) error) error {
	d.t.Error("the destination was listed")
	return nil
}

// TestFewNamesAreKept lists a small directory in chunks of one entry, as the system does when signals arrive.
func TestFewNamesAreKept(t *testing.T) {
	root := memfs.New().Root()
	defer root.Close()
	w := &worker{run: &run{}}
	d := &job.Dir{DstVolume: new(volume.Volume), Dst: neverListed{root, t}}
	for i := range 100 {
		w.deferAliases(d, []vfs.Entry{{Name: fmt.Sprint("Name-", i)}})
	}
	if n := w.aliases.Names(); n != 100 {
		t.Errorf("%d names are kept", n)
	}
}

// TestNamesAreNotKeptWhereCaseIsDistinguished lists a large directory for destinations of both kinds.
func TestNamesAreNotKeptWhereCaseIsDistinguished(t *testing.T) {
	for _, folds := range []bool{true, false} {
		mem := memfs.New()
		if folds {
			mem = memfs.NewFolding()
		}
		root := mem.Root()
		defer root.Close()
		fstest.Fill(t, root, "1 644 x\nthere 644 x\n")
		w := &worker{run: &run{}}
		d := &job.Dir{DstVolume: new(volume.Volume), Dst: root}
		const parts, each = 10, 600
		for i := range parts {
			var entries []vfs.Entry
			for j := range each {
				entries = append(entries, vfs.Entry{Name: fmt.Sprintf("Name-%d-%d", i, j)})
			}
			entries = append(entries, vfs.Entry{Name: fmt.Sprintf("n\u00e4me-%d", i)})
			if rest := w.deferAliases(d, entries); len(rest) != each+1 {
				t.Fatalf("%d entries left", len(rest))
			}
		}
		want := parts * (each + 1)
		if !folds {
			want = each + parts
		}
		if n := w.aliases.Names(); n > want {
			t.Errorf("folds %v: %d names are kept, want %d", folds, n, want)
		}
	}
}

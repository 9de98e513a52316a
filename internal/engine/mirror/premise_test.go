package mirror

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
	"psync/internal/plan"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// A rules value hides names; those that end with a slash hide only directories.
type rules []string

func (r rules) Hidden(path string, isDir bool) bool {
	return slices.ContainsFunc(r, func(name string) bool {
		name, dirsOnly := strings.CutSuffix(name, "/")
		return (isDir || !dirsOnly) && strings.HasSuffix(path, name)
	})
}
func (r rules) Protected(string, bool) bool { return false }

func TestPremise(t *testing.T) {
	tests := []struct {
		what    string
		source  string // when an entry called n is about to be removed
		name    string
		replace bool
		prune   bool
		follow  bool // links are followed
		unsafe  bool // links that lead out of the tree are followed
		alias   bool // the destination may not distinguish names
		want    bool
	}{
		{what: "it still lacks it", source: "f 644 x\n", want: true},
		{what: "it has got a file", source: "n 644 x\n", want: false},
		{what: "it has got a directory", source: "n/ 755\n", want: false},
		{what: "what it has got is excluded", source: "hidden 644 x\n", name: "hidden", want: true},
		{what: "what it has got leads to an excluded directory", source: "dirs -> d\nd/ 755\n", name: "dirs", follow: true, want: true},
		{what: "what it has got leads to a directory that may not be followed", source: "dirs -> d\nd/ 755\n", name: "dirs", want: false},
		{what: "what it has got leads nowhere", source: "dirs -> nowhere\n", name: "dirs", follow: true, want: false},
		{what: "what it has got is left out", source: "n/sub/ 755\n", prune: true, want: true},
		{what: "what it has got is not left out", source: "n/sub/f 644 x\n", prune: true, want: false},
		{what: "it has got an alias", source: "N 644 x\n", alias: true, want: false},
		{what: "it has got another name", source: "M 644 x\n", alias: true, want: true},
		{what: "the file is still there", source: "n 644 x\n", replace: true, want: true},
		{what: "the file is gone", source: "f 644 x\n", replace: true, want: false},
		{what: "the file has become a directory", source: "n/ 755\n", replace: true, want: false},
		{what: "the link that is copied leads to a directory", source: "n -> d\nd/ 755\n", replace: true, unsafe: true, want: true},
		{what: "the link that is copied leads nowhere", source: "n -> nowhere\n", replace: true, unsafe: true, want: true},
		{what: "the link that is followed leads to a directory now", source: "n -> d\nd/ 755\n", replace: true, follow: true, want: false},
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			root := memfs.New().Root()
			defer root.Close()
			fstest.Fill(t, root, "./ 755 @2001-01-01T00:00:00Z\n")
			listed, err := vfs.Lstat(root, ".")
			if err != nil {
				t.Fatal(err)
			}
			fstest.Fill(t, root, tt.source)
			links := plan.Links{Copy: tt.follow, CopyUnsafe: tt.unsafe}
			r := &job.Run{Selector: source.NewSelector(source.Selection{Rules: rules{"hidden", "dirs/"}, Prune: tt.prune}, links, nil)}
			r.Job.Links, r.Job.Sources = links, make([]source.Tree, 1)
			d := &job.Dir{Attr: listed}
			if tt.alias {
				d.Relisting = new(job.Relisting)
			}
			p := &Premise{Name: tt.name, Replaces: tt.replace}
			if p.Name == "" {
				p.Name = "n"
			}
			if got, err := p.Holds(r, d, root); got != tt.want || err != nil {
				t.Errorf("Holds = %v, %v, want %v", got, err, tt.want)
			}
			if p.IsKnown() != (tt.prune && tt.want) {
				t.Errorf("IsKnown = %v", p.IsKnown())
			}
		})
	}
}

// TestPremiseOfADirectoryThatWasReplaced replaces the source directory, which stays open, with another one.
func TestPremiseOfADirectoryThatWasReplaced(t *testing.T) {
	root := memfs.New().Root()
	defer root.Close()
	fstest.Fill(t, root, "d/f 644 x\n")
	dir, err := root.OpenDir("d", vfs.NoFollow)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	listed, err := vfs.Lstat(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	if err := root.Rename("d", nil, "was", nil); err != nil {
		t.Fatal(err)
	}
	fstest.Fill(t, root, "d/n 644 x\n")
	listed.Ctime-- // as if it had moved
	r := &job.Run{Selector: source.NewSelector(source.Selection{}, plan.Links{}, nil)}
	r.Job.Sources = make([]source.Tree, 1)
	r.Roots = job.Roots{new(pairs.Cache).Root(pairs.Pair{Src: root}, nil)}
	d := &job.Dir{Task: job.Task{Path: "d"}, Attr: listed}
	if got, err := (&Premise{Name: "n"}).Holds(r, d, dir); got || !errors.Is(err, source.ErrSwapped) {
		t.Errorf("Holds = %v, %v, want %v", got, err, source.ErrSwapped)
	}
}

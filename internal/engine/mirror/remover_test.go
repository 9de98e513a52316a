package mirror

import (
	"fmt"
	"slices"
	"testing"

	"psync/internal/engine/attrs"
	"psync/internal/engine/backup"
	"psync/internal/engine/source"
	"psync/internal/engine/sweep"
	"psync/internal/engine/volume"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// reports are the calls of a Reporter.
type reports []string

func (r *reports) add(d *Dir, did, name string) {
	*r = append(*r, fmt.Sprintf("%s %s", did, vfs.Join(d.Path(), name)))
}

func (r *reports) Deleting(*Dir, vfs.Entry)                     {}
func (r *reports) Deleted(d *Dir, e vfs.Entry)                  { r.add(d, "deleted", e.Name) }
func (r *reports) Failed(d *Dir, e vfs.Entry, _ error)          { r.add(d, "failed", e.Name) }
func (r *reports) Unknown(d *Dir, name string, _ bool, _ error) { r.add(d, "unknown", name) }
func (r *reports) Left(d *Dir, t sweep.Temporary)               { r.add(d, "left", t.Name) }

func TestClear(t *testing.T) {
	const tree = "dir/f 644 x\ndir/sub/g 644 x\n"
	tests := []struct {
		what   string
		source string // has a file where the destination has dir
		keeps  keeps
		broken bool // the source cannot be checked
		dryRun bool
		max    *plan.Limit
		want   []string // reports, sorted
		rest   string
	}{
		{
			what: "all goes", source: "dir 644 x\n",
			want: []string{"deleted in/dir/f", "deleted in/dir/sub", "deleted in/dir/sub/g"}, rest: "dir/ 755\n",
		},
		{
			what: "an entry is protected", source: "dir 644 x\n", keeps: "in/dir/sub/g",
			want: []string{"deleted in/dir/f"}, rest: "dir/ 755\ndir/sub/ 755\ndir/sub/g 644 x\n",
		},
		{what: "the source has lost the file", source: "./ 755\n", rest: "dir/ 755\ndir/f 644 x\ndir/sub/ 755\ndir/sub/g 644 x\n"},
		{
			what: "the source cannot be asked", source: "dir 644 x\n", broken: true,
			want: []string{"unknown in/dir"}, rest: "dir/ 755\ndir/f 644 x\ndir/sub/ 755\ndir/sub/g 644 x\n",
		},
		{
			what: "a dry run", source: "dir 644 x\n", dryRun: true,
			want: []string{"deleted in/dir/f", "deleted in/dir/sub", "deleted in/dir/sub/g"},
			rest: "dir/ 755\ndir/f 644 x\ndir/sub/ 755\ndir/sub/g 644 x\n",
		},
		{what: "nothing may be removed", source: "dir 644 x\n", max: new(plan.Limit), rest: "dir/ 755\ndir/f 644 x\ndir/sub/ 755\ndir/sub/g 644 x\n"},
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			src, dst := memfs.New().Root(), memfs.New().Root()
			defer src.Close()
			defer dst.Close()
			fstest.Fill(t, src, tt.source)
			fstest.Fill(t, dst, tree)
			listed, err := src.Lstat(".")
			if err != nil {
				t.Fatal(err)
			}
			attr, err := dst.Lstat(".")
			if err != nil {
				t.Fatal(err)
			}
			var selection source.Selection
			if tt.keeps != "" {
				selection.Rules = tt.keeps
			}
			selector := source.NewSelector(selection, plan.Links{}, metadata.Native())
			var got reports
			stopped := false
			r := &Remover{
				Config: &Config{
					Guard:   Guard{Delete: plan.Delete{On: true}, Selector: selector, InUse: func(vfs.ID) bool { return false }},
					Budget:  Budget{Max: tt.max},
					DryRun:  tt.dryRun,
					Lifter:  attrs.NewLifter(&attrs.Policy{Source: metadata.Native(), Dest: metadata.Native()}, new(volume.Table)),
					Backups: new(backup.Store),
					Stop:    func(error) { stopped = true },
				},
				Reporter: &got,
				Activity: new(report.Activity).AddWorker(),
			}
			c := &Counterpart{Dir: source.Dir{Dir: src}, Listed: listed, IsRoot: true, Selector: selector}
			if tt.broken {
				c.Dir.Dir, c.Open = nil, func() (vfs.Dir, func(), bool, error) { return nil, nil, true, vfs.ErrMount }
			}
			d := &Dir{Dir: dst, Into: "in", Attr: attr, Counterpart: c, Src: src}
			all := len(tt.want) == 3
			if empty := r.Clear(t.Context(), d, "dir"); empty != all {
				t.Errorf("Clear = %v, want %v", empty, all)
			}
			slices.Sort(got)
			if !slices.Equal(got, tt.want) {
				t.Errorf("reported %q, want %q", got, tt.want)
			}
			if rest := fstest.Tree(t, dst); rest != tt.rest {
				t.Errorf("%q is left, want %q", rest, tt.rest)
			}
			if stopped != (tt.max != nil) {
				t.Errorf("stopped: %v", stopped)
			}
		})
	}
}

package mirror

import (
	"fmt"
	"slices"
	"syscall"
	"testing"

	"psync/internal/engine/attrs"
	"psync/internal/engine/backup"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// reports are what a run reported.
type reports []string

func (r *reports) Event(e report.Event) {
	did := "failed"
	if e.Kind == report.Delete {
		did = "deleted"
	}
	*r = append(*r, fmt.Sprintf("%s %s", did, vfs.Join(e.Dir, e.Name)))
}

// newWorker returns a worker of a run that removes what its source lacks, and reports to sink. change changes the run.
func newWorker(sink report.Sink, change func(*job.Run)) *job.Worker {
	policy := &attrs.Policy{Source: metadata.Native(), Dest: metadata.Native()}
	r := &job.Run{
		Job:     job.Job{Sources: make([]source.Tree, 1), Sink: sink, Stats: new(report.Stats), Activity: new(report.Activity)},
		Backups: new(backup.Store), Selector: source.NewSelector(source.Selection{}, plan.Links{}, nil),
	}
	r.Job.Delete.On = true
	r.Lifter = attrs.NewLifter(policy, &r.Volumes)
	change(r)
	return r.NewWorker()
}

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
			want: []string{"failed dir"}, rest: "dir/ 755\ndir/f 644 x\ndir/sub/ 755\ndir/sub/g 644 x\n",
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
			listed, err := vfs.Lstat(src, ".")
			if err != nil {
				t.Fatal(err)
			}
			attr, err := vfs.Lstat(dst, ".")
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
			j := newWorker(&got, func(r *job.Run) {
				r.Job.DryRun, r.Budget.Max, r.Selector = tt.dryRun, tt.max, selector
				r.Stop = func(error) { stopped = true }
			})
			info := &job.Dir{Into: "in", Attr: listed, DestAttr: attr}
			d := info.Open(pairs.Pair{Src: src, Dst: dst})
			if tt.broken {
				d.Src = faultfs.New(src, func(string, string) error { return syscall.EIO })
			}
			all := len(tt.want) == 3
			if empty := Clear(t.Context(), j, d, &Premise{Name: "dir", Replaces: true, In: d, Src: d.Src}, "dir"); empty != all {
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

package mirror

import (
	"errors"
	"io/fs"
	"slices"
	"testing"

	"psync/internal/engine/backup"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
	"psync/internal/engine/sweep"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/tempname"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// protected are the paths that rules protect.
type protected []string

func (p protected) Hidden(string, bool) bool           { return false }
func (p protected) Protected(path string, _ bool) bool { return slices.Contains(p, path) }

// fails is a sink that must not get failures.
type fails struct{ t *testing.T }

func (f fails) Event(e report.Event) { f.t.Errorf("reported %+v", e) }

func TestCount(t *testing.T) {
	process := tempname.Process{Host: 9, Boot: 9, PID: 99, Run: 1}
	tests := []struct {
		what   string
		tree   string // with the directory d/x, which will be removed
		rules  protected
		backup backup.Options
		inUse  string
		want   int64
		goes   bool
	}{
		{what: "all goes", tree: "d/x/y/f 644 x\nd/x/g 644 x\n", want: 4, goes: true},
		{what: "a file is protected", tree: "d/x/y/f 644 x\nd/x/g 644 x\n", rules: protected{"d/x/y/f"}, want: 1},
		{what: "a directory is protected", tree: "d/x/y/f 644 x\nd/x/g 644 x\n", rules: protected{"d/x/y"}, want: 1},
		{what: "a file is a backup", tree: "d/x/f~ 644 x\nd/x/y/g 644 x\n", backup: backup.Options{On: true, Suffix: "~"}, want: 1},
		{what: "a directory is in use", tree: "d/x/y/f 644 x\nd/x/g 644 x\n", inUse: "d/x/y", want: 1},
		{what: "a temporary is in use", tree: "d/x/y/" + process.Namer()() + " 644 x\nd/x/g 644 x\n", want: 1},
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			root := memfs.New().Root()
			defer root.Close()
			fstest.Fill(t, root, tt.tree)
			var inUse vfs.ID
			if tt.inUse != "" {
				dir, err := vfs.Descend(root, tt.inUse, vfs.NoFollow.OpenDir)
				if err != nil {
					t.Fatal(err)
				}
				defer dir.Close()
				attr, err := vfs.Lstat(dir, ".")
				if err != nil {
					t.Fatal(err)
				}
				inUse = attr.ID()
			}
			d, err := root.OpenDir("d", vfs.NoFollow)
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			attr, err := vfs.Lstat(d, ".")
			if err != nil {
				t.Fatal(err)
			}
			var selection source.Selection
			if tt.rules != nil {
				selection.Rules = tt.rules
			}
			j := newWorker(fails{t}, func(r *job.Run) {
				r.Job.Backup, r.Selector = tt.backup, source.NewSelector(selection, plan.Links{}, nil)
				r.Sweeper = &sweep.Sweeper{Process: func() tempname.Process { return process }, Volumes: &r.Volumes}
				r.InUse.Add(inUse)
				r.Budget.Max = new(plan.Limit)
			})
			at := (&job.Dir{Task: job.Task{Path: "d"}, DestAttr: attr}).Open(pairs.Pair{Dst: d})
			goes := Count(t.Context(), j, at, vfs.Entry{Name: "x", Type: fs.ModeDir})
			want := job.LimitError{Extraneous: tt.want}
			if over, ok := errors.AsType[*job.LimitError](j.Run.Budget.Approve()); goes != tt.goes || !ok || *over != want {
				t.Errorf("Count = %v, and counts %+v, want %v, %+v", goes, over, tt.goes, want)
			}
		})
	}
}

package mirror

import (
	"io/fs"
	"slices"
	"testing"

	"psync/internal/engine/backup"
	"psync/internal/engine/source"
	"psync/internal/engine/sweep"
	"psync/internal/engine/volume"
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

// fails is a Reporter that must not be called.
type fails struct {
	Reporter
	t *testing.T
}

func (f fails) Failed(_ *Dir, e vfs.Entry, err error) { f.t.Errorf("%s: %v", e.Name, err) }
func (f fails) Left(_ *Dir, t sweep.Temporary)        { f.t.Errorf("%s is reported", t.Name) }

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
				attr, err := dir.Lstat(".")
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
			attr, err := d.Lstat(".")
			if err != nil {
				t.Fatal(err)
			}
			var selection source.Selection
			if tt.rules != nil {
				selection.Rules = tt.rules
			}
			r := Remover{
				Config: &Config{Guard: Guard{
					Backup:   tt.backup,
					Selector: source.NewSelector(selection, plan.Links{}, nil),
					Sweeper:  &sweep.Sweeper{Process: process, Volumes: new(volume.Table)},
					InUse:    func(id vfs.ID) bool { return id == inUse },
				}},
				Reporter: fails{t: t},
			}
			b := &r.Budget
			at := &Dir{Dir: d, Attr: attr, At: report.Position{Dir: "d"}}
			goes := r.Count(t.Context(), at, vfs.Entry{Name: "x", Type: fs.ModeDir})
			if n := b.extraneous.Load(); goes != tt.goes || n != tt.want || b.uncounted.Load() {
				t.Errorf("Count = %v, and counts %d, want %v, %d", goes, n, tt.goes, tt.want)
			}
		})
	}
}

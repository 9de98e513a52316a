package attrs

import (
	"io/fs"
	"testing"

	"psync/internal/engine/volume"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A hastyDir is on a volume whose client shows modes as they were set until it queries the server, as the Linux
// client for SMB does. The server has stored a different mode.
type hastyDir struct {
	vfs.Dir
	stored fs.FileMode
	set    *fs.FileMode
}

func (d hastyDir) Statfs() (vfs.Volume, error)   { return vfs.Volume{Network: true}, nil }
func (d hastyDir) Caps() vfs.Caps                { return vfs.CanNode }
func (d hastyDir) Node(string) (vfs.Node, error) { return hastyNode{dir: d}, nil }

func (d hastyDir) Statx(string, vfs.StatxWant) (vfs.Attr, error) {
	return vfs.Attr{Mode: *d.set}, nil
}

func (d hastyDir) Set(_ string, changes []vfs.Change) []error {
	return vfs.SetEach(changes, func(c *vfs.Change) error {
		*d.set = c.Mode
		return nil
	})
}

type hastyNode struct {
	vfs.Node
	dir hastyDir
}

func (n hastyNode) Statx(vfs.StatxWant) (vfs.Attr, error) {
	return vfs.Attr{Mode: n.dir.stored}, nil
}

func (n hastyNode) Set(c []vfs.Change) []error { return n.dir.Set("", c) }
func (n hastyNode) Close() error               { return nil }

// TestModesAreNotBelievedTooEarly sets a mode where the client shows it at once, whatever the server has stored.
func TestModesAreNotBelievedTooEarly(t *testing.T) {
	for _, tt := range []struct {
		name   string
		stored fs.FileMode
		kept   bool
	}{
		{"kept", 0o640, true},
		{"another one", 0o744, false},
	} {
		dir := hastyDir{stored: tt.stored, set: new(fs.FileMode)}
		v := new(volume.Table).Of(dir, vfs.Attr{})
		ops := []metadata.Op{{Class: metadata.Mode, Mode: 0o640, Attr: report.Mode, Diff: report.DiffPerms}}
		s := Setter{Policy: &Policy{Keep: metadata.Keep{Asked: report.Mode}, Source: metadata.Native(), Dest: metadata.Native()}}
		notes, err := s.ApplyDeferred(v, metadata.Entry{Dir: dir, Name: "f"}, ops)
		if err != nil || (len(notes) == 0) != tt.kept || v.Keeps(ops) != tt.kept || (ops[0].Diff != 0) != tt.kept {
			t.Errorf("%s: notes %v, %v; modes are believed %v, reported as set %v; want %v", tt.name, notes, err, v.Keeps(ops), ops[0].Diff != 0, tt.kept)
		}
	}
}

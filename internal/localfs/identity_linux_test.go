package localfs

import (
	"testing"

	"psync/internal/vfs"
)

func TestIdentityIsThatOfStat(t *testing.T) {
	d, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	f, err := d.OpenFile("f", vfs.Create, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	attr, err := vfs.Stat(f)
	if err != nil {
		t.Fatal(err)
	}
	byFile, err := f.Statx(vfs.StatxID)
	if err != nil || byFile.ID() != attr.ID() {
		t.Errorf("ID of the file = %v, %v, want %v", byFile.ID(), err, attr.ID())
	}
	byName, err := d.Statx("f", vfs.StatxID)
	if err != nil || byName.ID() != attr.ID() {
		t.Errorf("ID of the name = %v, %v, want %v", byName.ID(), err, attr.ID())
	}
	if _, err := d.Statx("missing", vfs.StatxID); err == nil {
		t.Error("a missing name has an identity")
	}
	if _, err := d.Statx("..", vfs.StatxID); err == nil {
		t.Error("the parent has an identity")
	}
}

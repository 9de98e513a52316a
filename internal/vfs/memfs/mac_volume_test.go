package memfs_test

import (
	"io/fs"
	"syscall"
	"testing"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

func TestMacVolume(t *testing.T) {
	for _, tt := range []struct {
		mac  memfs.Mac
		want vfs.Volume
	}{
		{memfs.Mac{}, vfs.Volume{}},
		{memfs.Mac{Folds: true}, vfs.Volume{Folds: true}},
		{memfs.Mac{Decomposes: true}, vfs.Volume{Folds: true}},
		{memfs.Mac{FAT: true, Tick: 10 * time.Millisecond}, vfs.Volume{LacksACLs: true, DOSFlags: true, Granularity: 10 * time.Millisecond}},
		{memfs.Mac{OwnersIgnored: true}, vfs.Volume{OwnersIgnored: true}},
		{memfs.Mac{Share: true}, vfs.Volume{Network: true, ServerACLs: true, DOSFlags: true, Granularity: 100 * time.Nanosecond}},
		{memfs.Mac{FAT: true, AppleDouble: true}, vfs.Volume{AppleDouble: true, Granularity: 2 * time.Second, LacksACLs: true, DOSFlags: true}},
	} {
		d, _ := newMac(t, tt.mac, "")
		root, err := vfs.Lstat(d, ".")
		if err != nil {
			t.Fatal(err)
		}
		tt.want.RootIno = root.Ino
		if got, err := d.Statfs(); got != tt.want || err != nil {
			t.Errorf("%+v: %+v, %v; want %+v", tt.mac, got, err, tt.want)
		}
	}
}

func TestMacNames(t *testing.T) {
	apfs := with(func(m *memfs.Mac) { m.Folds = true })
	hfs := with(func(m *memfs.Mac) { m.Decomposes = true })
	const composed, decomposed = "M\u00fcller", "Mu\u0308ller"
	remove := func(name string) func(vfs.Dir) error { return func(d vfs.Dir) error { return d.Remove(name, nil) } }
	rename := func(from, to string) func(vfs.Dir) error {
		return func(d vfs.Dir) error { return d.Rename(from, nil, to, nil) }
	}
	createName := func(name string) func(vfs.Dir) error {
		return func(d vfs.Dir) error { return closeFile(d.OpenFile(name, vfs.Create, 0o644)) }
	}
	checkRules(t, []rule{
		{"cases are distinguished", user, "File 644", remove("file"), fs.ErrNotExist, ""},
		{"compositions are distinguished", user, composed + " 644", remove(decomposed), fs.ErrNotExist, ""},
		{"not by APFS: case", apfs, "File 644", createName("fILE"), fs.ErrExist, "File 644\n"},
		{"not by APFS: case beyond ASCII", apfs, "\u00c9 644", createName("e\u0301"), fs.ErrExist, ""},
		{"not by APFS: composition", apfs, composed + " 644\nx 644", remove(decomposed), nil, "x 644\n"},
		{"which keeps the form", apfs, composed + " 644", createName("x"), nil, composed + " 644\nx 644\n"},
		{"HFS+ does not", hfs, composed + " 644", createName("x"), nil, decomposed + " 644\nx 644\n"},
		{"but finds both", hfs, composed + " 644\nx 644", remove(composed), nil, "x 644\n"},
		{"a rename to another case", apfs, "File 644 text", rename("File", "fILE"), nil, "fILE 644 text\n"},
		{"a rename to another composition", apfs, composed + " 644 text", rename(composed, decomposed), nil, decomposed + " 644 text\n"},
		{"a rename onto another case", apfs, "File 644 old\nnew 644 text", rename("new", "fILE"), nil, "fILE 644 text\n"},
		{"a name that is not UTF-8", user, "", createName("\xff"), syscall.EILSEQ, ""},
	})
}

func TestMacPrivacy(t *testing.T) {
	m := memfs.Mac{Private: []string{"Mail"}}
	checkRules(t, []rule{
		{"opening", m, "Mail/f 644", func(d vfs.Dir) error { return closeDir(d.OpenDir("Mail", vfs.NoFollow)) }, syscall.EPERM, "Mail/ 755\nMail/f 644\n"},
		{"following", m, "Mail/\nlink -> Mail", func(d vfs.Dir) error { return closeDir(d.OpenDir("link", vfs.Follow)) }, syscall.EPERM, ""},
		{"asking", m, "Mail/", func(d vfs.Dir) error { _, err := vfs.Lstat(d, "Mail"); return err }, nil, ""},
		{"opening others", m, "Mai/", func(d vfs.Dir) error { return closeDir(d.OpenDir("Mai", vfs.NoFollow)) }, nil, ""},
	})
}

func TestMacAppleDouble(t *testing.T) {
	m := with(func(m *memfs.Mac) { m.FAT, m.AppleDouble = true, true })
	const shown = "(4096 bytes, sha256 8543b7c1c25e)"
	checkRules(t, []rule{
		{"without attributes", m, "f 644 x", touch, nil, "f 644 x\n"},
		{"with one", m, "f 644 x", set("a", "x"), nil, "._f 644 " + shown + "\nf 644 @a=x x\n"},
		{"of a directory", m, "f/", set("a", "x"), nil, "._f 644 " + shown + "\nf/ 755 @a=x\n"},
		{"which is removed", m, "f 644 @a=x x", unset("a"), nil, "f 644 x\n"},
		{"removing the AppleDouble file", m, "f 644 @a=x x", func(d vfs.Dir) error { return d.Remove("._f", nil) }, nil, "f 644 x\n"},
		{"removing the file", m, "f 644 @a=x x\ng 644", remove, nil, "g 644\n"},
		{"renaming the file", m, "f 644 @a=x x", rename, nil, "._g 644 " + shown + "\ng 644 @a=x x\n"},
		{"renaming the AppleDouble file", m, "f 644 @a=x x", func(d vfs.Dir) error { return d.Rename("._f", nil, "g", nil) }, nil, "f 644 x\ng 644 " + shown + "\n"},
		{"making what is there", m, "f 644 @a=x x", func(d vfs.Dir) error { return closeFile(d.OpenFile("._f", vfs.Create, 0o644)) }, fs.ErrExist, ""},
		{"an orphan", m, "._g 644 x", touchName("._g"), nil, "._g 644 x\n"},
		{"no entry of a directory", m, "d/f 644 @a=x x", in("d", remove), nil, "d/ 755\n"},
	}, fstest.WithXattrs)
}

func touchName(name string) func(vfs.Dir) error {
	return func(d vfs.Dir) error { return vfs.Chtimes(vfs.In(d, name), long, long) }
}

func TestPlantOfAPlainMem(t *testing.T) {
	m := memfs.New()
	d, plant := m.TestRoot(t), m.Plant()
	defer plant.Close()
	fstest.Fill(t, plant, "f 644 x")
	if got, want := fstest.Tree(t, d), "f 644 x\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

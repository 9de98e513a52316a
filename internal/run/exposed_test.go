package run

import (
	"io/fs"
	"testing"

	"psync/internal/operand"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

func TestChangeableByOthers(t *testing.T) {
	for _, tt := range []struct {
		name   string
		attr   vfs.Attr
		uid    int
		unless fs.FileMode
		want   bool
	}{
		{"mine", vfs.Attr{Mode: fs.ModeDir | 0o755, UID: 7}, 7, 0, false},
		{"root's", vfs.Attr{Mode: fs.ModeDir | 0o755}, 7, 0, false},
		{"another's", vfs.Attr{Mode: fs.ModeDir | 0o755, UID: 8}, 7, 0, true},
		{"another's, for root", vfs.Attr{Mode: fs.ModeDir | 0o755, UID: 8}, 0, 0, true},
		{"for the group", vfs.Attr{Mode: fs.ModeDir | 0o775, UID: 7}, 7, fs.ModeSticky, true},
		{"for all", vfs.Attr{Mode: fs.ModeDir | 0o757, UID: 7}, 7, fs.ModeSticky, true},
		{"for all, but sticky, on the way", vfs.Attr{Mode: fs.ModeDir | fs.ModeSticky | 0o777}, 7, fs.ModeSticky, false},
		{"for all, but sticky, at the end", vfs.Attr{Mode: fs.ModeDir | fs.ModeSticky | 0o777}, 7, 0, true},
		{"a link of mine", vfs.Attr{Mode: fs.ModeSymlink | 0o777, UID: 7}, 7, 0, false},
		{"a link of another", vfs.Attr{Mode: fs.ModeSymlink | 0o777, UID: 8}, 7, 0, true},
	} {
		if got := changeableByOthers(tt.attr, tt.uid, tt.unless); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestExposed(t *testing.T) {
	m := memfs.New()
	root := m.TestRoot(t)
	fstest.Fill(t, root, "home/ 755\nhome/dst/sub/ 755\nhome/open/ 777\nhome/open/mine/ 755\ntmp/ 1777\ntmp/mine/ 755\ntmp/mine/f 644\ntmp/others 644\ntmp/link -> mine\n")
	tmp, err := root.OpenDir("tmp", vfs.NoFollow)
	if err != nil {
		t.Fatal(err)
	}
	defer tmp.Close()
	if err := vfs.Chown(vfs.In(tmp, "others"), 9, 9); err != nil {
		t.Fatal(err)
	}
	host := operand.Host{Host: &memfs.Host{FS: m}}
	for _, tt := range []struct {
		path                 string
		asDest, asWhatIsToGo bool
	}{
		{"/home/dst", false, false},
		{"/home/dst/sub", false, false},
		{"/home/open", true, true},
		{"/home/open/mine", true, true},
		{"/tmp", true, true},
		{"/tmp/mine", false, false},
		{"/tmp/mine/f", false, false},
		{"/tmp/others", true, true},
		{"/tmp/link", false, false},
		{"/missing", true, true},
	} {
		if got := newExposureChecker(host).destExposed(tt.path); got != tt.asDest {
			t.Errorf("%s as DST: %v, want %v", tt.path, got, tt.asDest)
		}
		if got := newExposureChecker(host).operandsExposed([]string{"/home/dst", tt.path}); got != tt.asWhatIsToGo {
			t.Errorf("%s is to go: %v, want %v", tt.path, got, tt.asWhatIsToGo)
		}
	}
}

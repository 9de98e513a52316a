package localfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"psync/internal/vfs"
)

func identify(d vfs.Dir, err error) (vfs.ID, error) {
	if err != nil {
		return vfs.ID{}, err
	}
	defer d.Close()
	attr, err := vfs.Lstat(d, ".")
	return attr.ID(), err
}

func TestOpenerMakes(t *testing.T) {
	t.Chdir(t.TempDir())
	mustDo(t, os.Mkdir("there", 0o755), os.Symlink("there", "link"), os.Symlink("nowhere", "dangling"))
	tests := []struct {
		path  string
		w     vfs.OpenOptions
		err   error
		makes string
	}{
		{"new", vfs.OpenOptions{Trusted: true}, fs.ErrNotExist, ""},
		{"new", vfs.OpenOptions{Trusted: true, Mkdir: true}, nil, "new"},
		{"one/two", vfs.OpenOptions{Trusted: true, Mkdir: true}, fs.ErrNotExist, ""},
		{"one/two/", vfs.OpenOptions{Trusted: true, MkdirAll: true}, nil, "one/two"},
		{"link/new", vfs.OpenOptions{Trusted: true, Mkdir: true}, nil, "there/new"},
		{"dangling", vfs.OpenOptions{Trusted: true, MkdirAll: true}, fs.ErrNotExist, ""},
		{"link/../new2/../new2/x", vfs.OpenOptions{Trusted: true, MkdirAll: true}, nil, "new2/x"},
	}
	for _, tt := range tests {
		tt.w.Perm = 0o700
		_, err := identify(Host{}.Open(tt.path, tt.w))
		if !errors.Is(err, tt.err) {
			t.Errorf("%s, %+v: %v, want %v", tt.path, tt.w, err, tt.err)
		}
		if tt.makes == "" {
			continue
		}
		if info, err := os.Stat(tt.makes); err != nil || info.Mode() != fs.ModeDir|0o700 {
			t.Errorf("%s: %v, %v", tt.makes, info, err)
		}
	}
	if _, err := os.Lstat("nowhere"); err == nil {
		t.Error("made what a link leads to")
	}
}

// TestPlantedLinks needs root, who alone can give links to others.
func TestPlantedLinks(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give links away")
	}
	const other = 65534
	t.Chdir(t.TempDir())
	mustDo(t, os.Chmod(".", 0o755), os.MkdirAll("home/real", 0o755), os.Mkdir("away", 0o755),
		os.Symlink("../away", "home/planted"), os.Symlink("real", "home/inside"), os.Symlink("home/planted", "mine"),
		os.Symlink("away", "given"), os.Symlink("../away", "home/roots"))
	for _, path := range []string{"home", "home/planted", "home/inside", "given"} {
		if err := os.Lchown(path, other, other); err != nil {
			t.Skip(err) // not in every container
		}
	}
	tests := []struct {
		path    string
		refused bool
	}{
		{"home", false},
		{"home/planted", true},
		{"home/planted/", true},
		{"home/planted/..", true},
		{"home/inside", true},
		{"mine", true}, // leads to a planted one
		{"home/roots", false},
		{"given", false},
	}
	for _, tt := range tests {
		_, err := identify(Host{}.Open(tt.path, vfs.OpenOptions{Trusted: true, Mkdir: true, Perm: 0o755}))
		if refused := errors.As(err, new(*vfs.UntrustedLinkError)); refused != tt.refused || !refused && err != nil {
			t.Errorf("%s: %v; want it refused: %v", tt.path, err, tt.refused)
		}
		if _, err := identify(Host{}.Open(tt.path, vfs.OpenOptions{Trusted: true, Insecure: true})); err != nil {
			t.Errorf("%s, insecure: %v", tt.path, err)
		}
	}

	// A directory that a walker has opened, and those opened from it, go by the same rule.
	d, err := Host{}.Open("home", vfs.OpenOptions{Trusted: true})
	mustDo(t, err)
	defer d.Close()
	for name, refused := range map[string]bool{"planted": true, "inside": true, "roots": false, "real": false} {
		_, err := identify(d.OpenDir(name, vfs.Follow))
		if got := errors.As(err, new(*vfs.UntrustedLinkError)); got != refused || !refused && err != nil {
			t.Errorf("OpenDir(%s, Follow): %v", name, err)
		}
	}
	mustDo(t, os.Symlink("../planted", "home/real/up"))
	sub, err := d.OpenDir("real", vfs.NoFollow)
	mustDo(t, err)
	defer sub.Close()
	if _, err := identify(sub.OpenDir("up", vfs.Follow)); !errors.As(err, new(*vfs.UntrustedLinkError)) {
		t.Errorf("OpenDir(up, Follow): %v", err)
	}
	free, err := Host{}.Open(filepath.Join(".", "home"), vfs.OpenOptions{Trusted: true, Insecure: true})
	mustDo(t, err)
	defer free.Close()
	if _, err := identify(free.OpenDir("planted", vfs.Follow)); err != nil {
		t.Error(err)
	}
}

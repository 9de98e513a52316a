package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// volumes are directories on file systems of several kinds, which are mounted on demand.
type volumes map[string]string

// get returns a directory on a new file system, or on the usual one. It skips the test if that kind is not
// available.
func (v volumes) get(t *testing.T, kind string) string {
	t.Helper()
	dir, known := v[kind]
	if !known {
		t.Fatalf("no file system %s", kind)
	}
	if dir == "" {
		t.Skipf("%s cannot be mounted here", kind)
	}
	return dir
}

// mountVolumes mounts file systems of these kinds for the duration of a test.
func mountVolumes(t *testing.T, kinds ...string) volumes {
	t.Helper()
	v := volumes{"here": openTempDir(t)}
	for _, kind := range kinds {
		dir := openTempDir(t)
		if err := mountVolume(t, kind, dir); err != nil {
			t.Logf("%s: %v", kind, err)
			dir = ""
		}
		v[kind] = dir
	}
	return v
}

// openTempDir returns a temporary directory that ordinary users can also use.
func openTempDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := errors.Join(os.Chmod(filepath.Dir(dir), 0o755), os.Chmod(dir, 0o1777)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func mountVolume(t *testing.T, kind, dir string) error {
	t.Helper()
	if !canMount() {
		return errors.New("nothing can be mounted")
	}
	if kind == "tmpfs" {
		if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=1g"); err != nil {
			return err
		}
	} else {
		image := filepath.Join(t.TempDir(), "image")
		f, err := os.Create(image)
		if err != nil {
			return err
		}
		if err := errors.Join(f.Truncate(600<<20), f.Close()); err != nil {
			return err
		}
		for _, args := range [][]string{{"mkfs." + kind, "-q", image}, {"mount", "-t", kind, "-o", "loop", image, dir}} {
			if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
				return errors.Join(err, errors.New(string(out)))
			}
		}
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, 0); err != nil {
			t.Error(errors.Join(err, unix.Unmount(dir, unix.MNT_DETACH)))
		}
	})
	return os.Chmod(dir, 0o1777)
}

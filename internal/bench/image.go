package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"

	"psync/internal/bench/tree"
)

// An image is a kind of file system that is made in a file and mounted.
type image struct {
	name    string // empty: no image, runs use the work directory
	mkfs    []string
	options string // of mount
}

func images() []image {
	return []image{
		// Its inode tables would be written in the background of the first runs.
		{"ext4", []string{"mkfs.ext4", "-q", "-F"}, "loop,noinit_itable"},
		{"xfs", []string{"mkfs.xfs", "-q", "-f"}, "loop"},
		{"btrfs", []string{"mkfs.btrfs", "-q", "-f"}, "loop"},
	}
}

// imageNamed returns the image of a file system's name.
func imageNamed(name string) (image, error) {
	i := slices.IndexFunc(images(), func(m image) bool { return m.name == name })
	if i < 0 {
		return image{}, fmt.Errorf("no image of %q; there are ext4, xfs and btrfs", name)
	}
	return images()[i], nil
}

// usable returns an error if this process cannot make and mount the image.
func (m image) usable() error {
	if m.name == "" {
		return nil
	}
	if os.Geteuid() != 0 {
		return errors.New("-image needs root, who may mount")
	}
	for _, program := range []string{m.mkfs[0], "mount", "umount"} {
		if _, err := exec.LookPath(program); err != nil {
			return fmt.Errorf("-image: %w", err)
		}
	}
	return nil
}

// size returns the size of an image for a tree, in bytes. The file is sparse, so the size is generous; ext4
// makes one inode for each 16 KiB.
func (m image) size(c tree.Census) int64 {
	return 1<<30 + 2*c.Bytes + int64(c.Entries())*32<<10
}

// mount makes the file system in a new file and mounts it at the directory point. It leaves no mount if it
// fails or is interrupted. The caller removes the file.
func (m image) mount(ctx context.Context, file, point string, size int64) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Truncate(size), f.Close()); err != nil {
		return err
	}
	if _, err := execute(ctx, append(slices.Clone(m.mkfs), file)); err != nil {
		return fmt.Errorf("%s: %w", m.mkfs[0], err)
	}
	// Without the cancellation of ctx, because a killed mount may already have mounted.
	if _, err := execute(context.WithoutCancel(ctx), []string{"mount", "-o", m.options, file, point}); err != nil {
		return fmt.Errorf("mount %s: %w", m.name, err)
	}
	return nil
}

// unmountImage unmounts the file system at point. If a child of a killed tool still uses it, unmountImage
// waits for the child.
func unmountImage(point string) error {
	if _, err := execute(context.Background(), []string{"umount", point}); err == nil {
		return nil
	}
	if _, err := execute(context.Background(), []string{"umount", "-l", point}); err != nil {
		return fmt.Errorf("umount %s: %w", point, err)
	}
	return nil
}

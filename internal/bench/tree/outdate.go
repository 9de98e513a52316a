package tree

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// Outdate makes one regular file in a hundred of the copy at root, but at least one, look like an older
// version: a byte longer and an hour older. It changes the copy because the source may belong to the user.
// Equal seeds choose the same files.
func Outdate(ctx context.Context, root string, seed uint64) error {
	files, err := regularFiles(ctx, root)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return errors.New("a tree without files has none to be changed")
	}
	random := rand.New(rand.NewPCG(seed, 0))
	for _, i := range random.Perm(len(files))[:max(1, len(files)/100)] {
		if err := age(files[i]); err != nil {
			return err
		}
	}
	return nil
}

func age(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	// Only root can write to a read-only file.
	if err := os.Chmod(path, info.Mode()|0o200); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.Write([]byte{'\n'})
	older := info.ModTime().Add(-time.Hour)
	return errors.Join(err, f.Close(), os.Chmod(path, info.Mode()), os.Chtimes(path, older, older))
}

// regularFiles returns the paths of the regular files below root, sorted.
func regularFiles(ctx context.Context, root string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err == nil && d.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	return files, err
}

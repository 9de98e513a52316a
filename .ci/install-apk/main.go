// Command install-apk installs a package of Alpine Linux in a root of its own, by the Go program apko, because Debian has
// no apk.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"chainguard.dev/apko/pkg/apk/apk"
	apkfs "chainguard.dev/apko/pkg/apk/fs"
)

// A file is a package in a file of this machine.
type file struct{ name, path string }

func (f file) PackageName() string    { return f.name }
func (f file) URL() string            { return f.path }
func (f file) ChecksumString() string { return "" }

func main() {
	if err := install(context.Background(), os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "install-apk:", err)
		os.Exit(1)
	}
}

// install installs the package of the given name, which is in a file, below root.
func install(ctx context.Context, name, path, root string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	a, err := apk.New(ctx, apk.WithFS(apkfs.DirFS(ctx, root, apkfs.WithCreateDir())), apk.WithIgnoreMknodErrors(true))
	if err != nil {
		return err
	}
	if err := a.InitDB(ctx); err != nil {
		return err
	}
	if _, err := a.InstallPackages(ctx, new(time.Time), []apk.InstallablePackage{file{name, path}}); err != nil {
		return err
	}
	installed, err := a.GetInstalled()
	for _, p := range installed {
		fmt.Println(p.Name, p.Version, len(p.Files), "files")
	}
	return err
}

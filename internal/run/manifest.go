package run

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"psync/internal/localfs"
	"psync/internal/manifest"
	"psync/internal/manifest/check"
	"psync/internal/vfs"
)

// A ManifestCheck compares the files of a directory with a manifest.
type ManifestCheck struct {
	Label string // what the directory is called in messages

	job check.Job
}

// OpenManifestCheck opens the only source, a directory, to compare its files with the manifest o.Output.Manifest, which open
// opens. The caller closes it.
func OpenManifestCheck(ctx context.Context, o Options, open func(name string) (io.ReadCloser, error)) (*ManifestCheck, error) {
	o.complete()
	var j check.Job
	var err error
	if j.List, j.Self, err = readManifest(open, o.Output.Manifest, localfs.Host{}); err != nil {
		return nil, err
	}
	paths, host, err := o.connectOne(ctx, o.Sources)
	if err != nil {
		return nil, err
	}
	wait := roundTrip(host)
	if j.Dir, err = host.Open(paths[0], vfs.OpenOptions{Noatime: true}); err != nil {
		return nil, err
	}
	v, err := j.Dir.Statfs()
	j.Workers = o.Threads.size(err == nil && v.Network, wait)
	return &ManifestCheck{host.Prefix + paths[0], j}, nil
}

// Do calls found with what differs, and returns the error that has ended the comparison early.
func (c *ManifestCheck) Do(ctx context.Context, found func(check.Finding)) error {
	j := c.job
	j.Found = found
	return check.Run(ctx, j)
}

// Close closes the directory.
func (c *ManifestCheck) Close() { c.job.Dir.Close() }

// readManifest reads a manifest, and returns the identity of its file, or zero for that of another host.
func readManifest(open func(string) (io.ReadCloser, error), name string, on vfs.Host) (list map[string]manifest.Sum, self vfs.ID, err error) {
	in, err := open(name)
	if err != nil {
		return nil, self, fmt.Errorf("--manifest: %w", err)
	}
	list, err = manifest.Read(in)
	if err = cmp.Or(err, in.Close()); err != nil {
		return nil, self, fmt.Errorf("--manifest=%s: %w", name, err)
	}
	if attr, err := on.Stat(name, vfs.Follow); err == nil && name != "-" {
		self = attr.ID()
	}
	return list, self, nil
}

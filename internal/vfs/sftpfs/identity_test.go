package sftpfs

import (
	"errors"
	"io/fs"
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
)

// TestLinkOfAnEarlierSession replaces a name of a file by a link to it that was made before the connection was lost: rename(2)
// then leaves both names.
func TestLinkOfAnEarlierSession(t *testing.T) {
	for _, s := range servers(t) {
		t.Run(s.name, func(t *testing.T) {
			path := s.tempDir(t)
			h := newHost(t, s, Options{})
			d := open(t, h, path)
			fstest.Fill(t, d, "f 644 text\n")
			must(t, d.Link(d, "f", "g"))
			must(t, d.Link(d, "f", "temp"))
			d = open(t, newHost(t, s, Options{Before: h}), path)
			must(t, d.Rename("temp", nil, "g", nil))
			if _, err := vfs.Lstat(d, "temp"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the other name: %v", err)
			}
			if _, err := vfs.Lstat(d, "g"); err != nil {
				t.Error(err)
			}
		})
	}
}

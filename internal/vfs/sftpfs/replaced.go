package sftpfs

import (
	"errors"
	"io/fs"
	"maps"
	"sync"

	"github.com/pkg/sftp"
)

// replaced are the entries that renameOver is replacing. If the connection is lost meanwhile, the next session puts back
// those that nothing has replaced.
type replaced struct {
	mu      sync.Mutex        // guards what follows
	backups map[string]string // the paths that they are kept at, and their own
}

// begin records that the entry at path is about to be kept at backup, until done is called.
func (r *replaced) begin(path, backup string) (done func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.backups[backup] = path
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.backups, backup)
	}
}

// putBack renames the backups that earlier sessions have left to where they were, or removes them if they were replaced. The
// error is that of a session that is lost, too.
func (s *session) putBack() error {
	s.replaced.mu.Lock()
	backups := maps.Clone(s.replaced.backups)
	s.replaced.mu.Unlock()
	for backup, path := range backups {
		_, err := s.lstat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			_ = s.do(func(c *sftp.Client) error { return c.Rename(backup, path) }) // it may not be there
		case err == nil:
			_ = s.do(func(c *sftp.Client) error { return c.Remove(backup) }) // as above
		}
		if err := s.failure(); err != nil {
			return err
		}
		s.replaced.mu.Lock()
		delete(s.replaced.backups, backup)
		s.replaced.mu.Unlock()
	}
	return nil
}

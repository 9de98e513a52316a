package remotefs

import (
	"psync/internal/vfs"
	"psync/internal/vfs/remotefs/session"
)

// A base is the directory that a file was opened in, as far as the file needs it.
type base struct {
	s      *client
	handle *session.Directory
	caps   func() vfs.Caps
	touch  func(name string) // records that this session changes an entry
}

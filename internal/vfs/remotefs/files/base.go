package files

import (
	"psync/internal/vfs"
	"psync/internal/vfs/remotefs/session"
)

// A Base is the directory that a file was opened in, as far as the file needs it.
type Base struct {
	Client *Client
	Handle *session.Directory
	Caps   func() vfs.Caps
	Touch  func(name string) // records that this session changes an entry
}

// Added are the operations that every server of this protocol offers.
const Added = vfs.CanCreateLate | vfs.CanMkdirLate | vfs.CanSum | vfs.CanCount

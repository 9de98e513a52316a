package remotefs

import (
	"sync/atomic"

	"psync/internal/vfs"
	"psync/internal/vfs/remotefs/session"
)

// A client is a session, with what the directories and files of a Host share.
type client struct {
	*session.Session
	asked  atomic.Pointer[vfs.Preparation] // what comes with entries unasked; nil before Prepare
	unread atomic.Int64                    // bytes of files that were requested ahead and are not read
	usual  atomic.Int64                    // bytes that came with the file that was opened last, as an estimate for the next
	made   atomic.Int64                    // directories that were made and not entered yet
}

// prepared returns what comes with every entry.
func (s *client) prepared() vfs.Preparation {
	if p := s.asked.Load(); p != nil {
		return *p
	}
	return vfs.Preparation{}
}

// Package files reads and writes the files of a psync on another host, and the metadata of its entries.
//
// The contents of a small file come with opening it, and those of a new one are sent when it is complete, so that it
// takes one request in either direction. A large one is read ahead, and written without waiting for answers.
package files

import (
	"sync/atomic"

	"psync/internal/vfs"
	"psync/internal/vfs/remotefs/session"
	"psync/internal/wire"
)

// A Client is a session, with what the files of a host share.
type Client struct {
	*session.Session
	Asked  atomic.Pointer[vfs.Preparation] // what comes with entries unasked; nil before Prepare
	unread atomic.Int64                    // bytes of files that were requested ahead and are not read
	usual  atomic.Int64                    // bytes that came with the file that was opened last, as an estimate for the next
}

// Prepared returns what comes with every entry.
func (s *Client) Prepared() vfs.Preparation {
	if p := s.Asked.Load(); p != nil {
		return *p
	}
	return vfs.Preparation{}
}

// A Base is the directory that a file was opened in, as far as the file needs it.
type Base struct {
	Client *Client
	Handle *session.Directory
	Caps   func() vfs.Caps
	Touch  func(name string) // records that this session changes an entry
}

// ProtocolCaps are the operations that every server of this protocol offers.
const ProtocolCaps = vfs.CanCreateAsync | vfs.CanMkdirAsync | vfs.CanSum | vfs.CanCountTree

// changed returns the errors of changes. err is a *vfs.LostError.
func (s *Client) changed(name string, changes []vfs.Change, a *wire.SetAnswer) (errs []error, err error) {
	if len(a.Errors) > len(changes) {
		return nil, s.Reject("the outcome of what was not asked for")
	}
	if len(a.Errors) == 0 {
		return nil, nil
	}
	errs = make([]error, len(a.Errors))
	for i, e := range a.Errors {
		errs[i] = session.PathError(changes[i].Kind.String(), name, e.Err())
	}
	return errs, nil
}

package session

import (
	"io"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/wire"
)

// Options say how Dial starts a session.
type Options struct {
	Number uint8  // of the host, as [vfs.HostDev] takes it
	Host   string // its name in errors, such as "user@host"
	// Compress says what is compressed in both directions.
	Compress wire.Compression
	// Questions are sent at once, and the file system uses the answers when it is asked later. They may be nil.
	Questions *vfs.Questions
	// Durations records how long requests take to be answered. It may be nil.
	Durations *report.Durations
	// OpenChannel opens another channel, to a socket on the host. It is called when one channel seems too slow, and not
	// again if the first of these calls fails. If it is nil, the session uses one channel.
	OpenChannel func(socket string) (io.ReadWriteCloser, error)
	// Timeout is how long the server may be silent before the caller ends the session; 0: any time. The session pings
	// the server often enough for that.
	Timeout time.Duration
	// Replaces is a session whose connection was lost, or nil. Its server has ended when the new one does anything.
	Replaces *Session
}

// A Dialer connects to a server and returns the channel to it, which carries what follows [wire.Magic]. It sends first,
// which holds encoded frames, ahead of everything else.
type Dialer func(first []byte) (io.ReadWriteCloser, error)

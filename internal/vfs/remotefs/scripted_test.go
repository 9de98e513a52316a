package remotefs

import (
	"bytes"
	"io/fs"
	"net"
	"testing"

	"psync/internal/blocksum"
	"psync/internal/vfs"
	"psync/internal/wire"
	"psync/internal/wire/link"
)

const (
	small = 256 << 10 // bytes of the longest file that comes, or is sent, with one request
	piece = 256 << 10 // bytes that a request reads or writes of a larger one
)

// A script is a server that answers each request with the messages that it returns. If these are nil, it answers what
// begins a session, and opens directories, as a server would, and nothing else.
type script func(m wire.Message) []wire.Message

// These messages are sent in special ways by a script.
type (
	// unasked is the answer to a request that was not sent.
	unasked struct{ wire.Message }
	// replaced is an answer in whose frame some bytes are replaced.
	replaced struct {
		wire.Message
		old, new string
	}
	// raw is what is sent instead of a frame.
	raw struct {
		wire.Message
		bytes string
	}
	// closed is the end of the connection.
	closed struct{ wire.Message }
	// many are most answers, or any number if that is 0, each of which next returns.
	many struct {
		wire.Message
		most int
		next func(i int) wire.Message
	}
)

// dirInfo is that of every directory that opening gives by default.
var dirInfo = wire.DirInfo{Attr: vfs.Attr{Mode: fs.ModeDir | 0o755, Dev: 1, Ino: 1}}

// newScripted returns a Host whose server follows a script.
func newScripted(t *testing.T, answer script) *Host {
	t.Helper()
	h, err := dialScripted(t, answer)
	must(t, err)
	return h
}

// dialScripted is newScripted for servers that may spoil the beginning.
func dialScripted(t testing.TB, answer script) (*Host, error) {
	return dialScriptedWith(t, Options{Number: 1, Host: "box"}, answer)
}

func dialScriptedWith(t testing.TB, o Options, answer script) (*Host, error) {
	near, far := net.Pipe()
	var l *link.Link
	l = link.New(link.Options{Receive: func(f wire.Frame) error {
		answers := answer(f.Message)
		if answers == nil {
			switch f.Message.(type) {
			case *wire.Hello, *wire.OpenPath, *wire.OpenDir:
				answers = []wire.Message{rightAnswer(f.Message)}
			}
		}
		if f.ID == 0 {
			return nil // no answer is expected
		}
		for _, m := range answers {
			if send(l, far, f.ID, m) != nil {
				break // the client has ended the session
			}
		}
		return nil
	}})
	l.Add(far)
	h, err := Dial(t.Context(), dialed(near), o)
	t.Cleanup(func() {
		if h != nil {
			_ = h.Close()
		}
		<-l.Done()
	})
	return h, err
}

// send sends an answer to the request id over a channel of a link, or in its special way.
func send(l *link.Link, channel net.Conn, id uint64, m wire.Message) error {
	switch m := m.(type) {
	case unasked:
		return l.Send(wire.Frame{ID: id + 1<<32, Message: m.Message})
	case replaced:
		frame, err := wire.Append(nil, wire.Frame{ID: id, Message: m.Message})
		if err == nil {
			_, err = channel.Write(bytes.Replace(frame, []byte(m.old), []byte(m.new), 1))
		}
		return err
	case raw:
		_, err := channel.Write([]byte(m.bytes))
		return err
	case closed:
		return channel.Close()
	case many:
		for i := 0; m.most == 0 || i < m.most; i++ {
			if err := l.Send(wire.Frame{ID: id, Message: m.next(i)}); err != nil {
				return err
			}
		}
		return nil
	}
	return l.Send(wire.Frame{ID: id, Message: m})
}

// rightAnswer answers a request as a server may.
func rightAnswer(m wire.Message) wire.Message {
	switch m := m.(type) {
	case *wire.Hello:
		return &wire.Welcome{Hello: wire.Hello{Major: wire.Major}}
	case *wire.OpenPath, *wire.OpenDir, *wire.Mkdir:
		return &wire.Opened{DirInfo: dirInfo}
	case *wire.List:
		return &wire.Listing{First: true, Last: true, End: true, Entries: []wire.Entry{listed("sub", fs.ModeDir|0o755), listed("f", 0o644)}}
	case *wire.PathQuery:
		return rightPathAnswer(m)
	case *wire.Account:
		return &wire.Account{Account: vfs.Account{ID: 7, Name: "seven"}}
	case *wire.Lstat, *wire.Create:
		return &wire.AttrAnswer{Attr: vfs.Attr{Mode: 0o644, Dev: 1, Ino: 3}}
	case *wire.Readlink:
		return &wire.Paths{Paths: []string{"target"}}
	case *wire.Get:
		return &wire.Got{Attr: vfs.Attr{Mode: 0o644, Size: 100 * piece, Dev: 1, Ino: 3}}
	case *wire.Read:
		return &wire.Data{Data: make([]byte, m.N)}
	case *wire.NextData:
		return &wire.Range{Start: m.Off, End: m.Off + 1}
	case *wire.Sums:
		blocks := (m.N + int64(m.Block) - 1) / int64(m.Block)
		return &wire.Data{Data: make([]byte, int(blocks)*blocksum.Size(m.Key))}
	case *wire.Copy:
		return &wire.Number{N: max(m.N, 0)}
	case *wire.Finish:
		return changedAll(m.Changes)
	case *wire.Put:
		return changedAll(m.Changes)
	case *wire.Set:
		return changedAll(m.Changes)
	case *wire.Xattrs:
		return &wire.Names{Names: []string{"user.a"}}
	case *wire.ReadXattr:
		return &wire.Data{Data: []byte("x"), EOF: true}
	case *wire.XattrSize:
		return &wire.Number{N: 1}
	case *wire.Flags:
		return &wire.Number{}
	}
	return &wire.Done{}
}

func rightPathAnswer(q *wire.PathQuery) wire.Message {
	switch q.Query {
	case wire.QueryStat, wire.QueryLstat:
		return &wire.AttrAnswer{Attr: dirInfo.Attr}
	case wire.QueryInside:
		return &wire.Paths{}
	}
	return &wire.Paths{Paths: []string{q.Path}}
}

func changedAll(changes []vfs.Change) wire.Message {
	return &wire.SetAnswer{Errors: make([]*wire.Error, len(changes))}
}

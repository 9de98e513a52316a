package agent

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// dial opens a further channel, which begins with a message.
func (c *client) dial(first wire.Message) net.Conn {
	c.t.Helper()
	conn, err := net.Dial("unix", c.welcome.Socket)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { _ = conn.Close() })
	frame, err := wire.Append(nil, wire.Frame{Message: first})
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := conn.Write(frame); err != nil {
		c.t.Fatal(err)
	}
	return conn
}

func TestFurtherChannels(t *testing.T) {
	dir := t.TempDir()
	c := connect(t, Options{Socket: true})
	socketDir := filepath.Dir(c.welcome.Socket)
	if info, err := os.Stat(socketDir); err != nil || info.Mode() != os.ModeDir|0o700 {
		t.Errorf("the directory of the socket has %v, %v", info.Mode(), err)
	}
	for _, m := range []wire.Message{
		&wire.Join{Token: []byte("another")},
		&wire.Join{},
		&wire.Hello{Major: wire.Major},
		&wire.Join{Token: make([]byte, 4<<10)},
	} {
		if n, err := c.dial(m).Read(make([]byte, 1)); err == nil {
			t.Errorf("%+v is answered by %d bytes", m, n)
		}
	}
	first := c.conn
	defer func() { _ = first.Close() }()
	second := c.dial(&wire.Join{Token: c.welcome.Token})
	c.read(second)
	mustBe[wire.Done](c, <-c.queue(0))
	c.conn = second
	put := c.send(&wire.Put{Dir: 1, Name: "f", Perm: 0o600})
	c.conn = first
	c.open(1, dir)
	mustBe[wire.SetAnswer](c, <-put)

	_ = second.Close() // a client that loses one channel has lost them all
	if err := <-c.served; err != nil && err != io.EOF {
		t.Error(err)
	}
	if _, err := os.Stat(socketDir); !os.IsNotExist(err) {
		t.Errorf("the directory of the socket stays: %v", err)
	}
}

// TestServerIsReplaced has a client that was cut off start another server, while the one that it had, which does not know that,
// is still at work. The other one does nothing before that has ended, and removed what is unfinished, but for a long file.
func TestServerIsReplaced(t *testing.T) {
	dir := t.TempDir()
	busy, goOn := make(chan struct{}), make(chan struct{})
	wait := sync.OnceFunc(func() {
		close(busy)
		<-goOn
	})
	slow := func(_, name string) error {
		if name == "slow" {
			wait()
		}
		return nil
	}
	c := connect(t, Options{Socket: true}, func(s *server) { s.paths = faulty{before: slow} })
	c.open(1, dir)
	must[wire.AttrAnswer](c, &wire.Create{New: 2, Dir: 1, Name: "f", Perm: 0o600, Unfinished: true, Mode: vfs.Create})
	must[wire.AttrAnswer](c, &wire.Create{New: 3, Dir: 1, Name: "long", Perm: 0o600, Unfinished: true, Mode: vfs.Create})
	must[wire.Done](c, &wire.Resize{File: 3, How: wire.Truncate, N: keptFrom})
	put := c.send(&wire.Put{Dir: 1, Name: "slow", Perm: 0o600})
	<-busy
	first, err := wire.Append(nil, wire.Frame{Message: &wire.Replace{Session: filepath.Base(filepath.Dir(c.welcome.Socket)), Token: c.welcome.Token}})
	if err != nil {
		t.Fatal(err)
	}
	type outcome struct {
		rest []byte
		err  error
	}
	replaced := make(chan outcome)
	go func() {
		rest, err := replace(append(first, "rest"...))
		replaced <- outcome{rest, err}
	}()
	if m, answered := <-put; answered { // the server knows that it is to end
		t.Errorf("it was answered by %T", m)
	}
	select {
	case <-replaced:
		t.Error("the server is still at work")
	default:
	}
	close(goOn)
	if r := <-replaced; string(r.rest) != "rest" || r.err != nil {
		t.Errorf("what follows is %q, %v", r.rest, r.err)
	}
	wantFiles(t, dir, "long", "slow")
	if err := <-c.served; err != nil {
		t.Errorf("Serve returned %v", err)
	}
	if rest, err := replace(first); len(rest) > 0 || err != nil {
		t.Errorf("where it has ended: %q, %v", rest, err)
	}
}

// TestStrangersReplaceNothing has someone without the token try to.
func TestStrangersReplaceNothing(t *testing.T) {
	c := connect(t, Options{Socket: true})
	if n, err := c.dial(&wire.Replace{Session: "psync-1", Token: []byte("another")}).Read(make([]byte, 1)); err == nil {
		t.Errorf("%d bytes", n)
	}
	must[wire.Done](c, &wire.Ping{})
}

// TestStuckChannels has channels that say nothing, or read nothing, while the server ends.
func TestStuckChannels(t *testing.T) {
	c := connect(t, Options{Socket: true})
	c.dial(&wire.Join{Token: c.welcome.Token})
	conn, err := net.Dial("unix", c.welcome.Socket)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if err := c.end(); err != nil {
		t.Error(err)
	}
}

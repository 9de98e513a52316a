package agent

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"

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

// TestManyLostChannels has a client come back that has lost eight channels a few hundred times.
func TestManyLostChannels(t *testing.T) {
	c := connect(t, Options{Socket: true})
	const lost = 8 * 300
	resume := &wire.Resume{Session: "s", Token: c.welcome.Token, Channel: lost + 1}
	for i := range uint32(lost) {
		resume.Received = append(resume.Received, wire.Received{Channel: i + 1})
	}
	conn := c.dial(resume)
	head := make([]byte, wire.LengthSize)
	if _, err := io.ReadFull(conn, head); err != nil {
		t.Fatalf("Resume is not answered: %v", err)
	}
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

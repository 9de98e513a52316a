package farhost

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"testing"
	"time"
)

// TestCommand runs a command on the host, by the ssh of this machine.
func TestCommand(t *testing.T) {
	if _, err := exec.LookPath("ssh"); err != nil {
		t.Skip("no ssh")
	}
	dir := t.TempDir()
	h, err := Start(t.Context(), dir)
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("no sshd")
	}
	if err != nil {
		t.Skip("sshd does not work here: ", err)
	}
	// A user without a home directory gets a message on standard error.
	out, err := exec.CommandContext(t.Context(), "ssh", "-F", h.Config(), Name, "echo", "hello").Output()
	if closed := h.Close(); closed != nil {
		t.Error(closed)
	}
	if err != nil && os.Geteuid() != 0 {
		t.Skip("sshd does not let this user in: ", err)
	}
	if string(out) != "hello\n" || err != nil {
		t.Errorf("%q, %v", out, err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestProxy wants bytes to arrive unchanged, and not before their time.
func TestProxy(t *testing.T) {
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Close() }()
	go func() {
		c, err := server.Accept()
		if err != nil {
			return
		}
		_, _ = io.CopyN(c, c, 5)
		_ = c.Close()
	}()
	p, err := listen(context.Background(), server.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	const roundTrip = 30 * time.Millisecond
	p.roundTrip.Store(int64(roundTrip))
	start := time.Now()
	c, err := net.Dial("tcp", p.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(c, "hello"); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(c)
	if took := time.Since(start); string(got) != "hello" || err != nil || took < 2*roundTrip {
		t.Errorf("%q, %v after %v, want hello after at least %v: to connect, and for the answer", got, err, took, 2*roundTrip)
	}
	if err := errors.Join(c.Close(), p.Close()); err != nil {
		t.Error(err)
	}
}

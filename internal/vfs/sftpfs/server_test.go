package sftpfs

import (
	"encoding/binary"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"

	"github.com/pkg/sftp"
)

// opensshServers are the paths at which systems keep the server of OpenSSH.
var opensshServers = []string{"/usr/lib/openssh/sftp-server", "/usr/libexec/openssh/sftp-server", "/usr/libexec/sftp-server", "/usr/lib/ssh/sftp-server"}

// A server is something that channels can be opened to.
type server struct {
	name string
	open func(testing.TB) io.ReadWriteCloser
	user uint32 // it runs as, if that is not this user
}

// nobodyUID is the user that a server runs as if root starts it.
const nobodyUID = 65534

// servers returns the servers that are available.
func servers(t testing.TB) []server {
	all := []server{{"package sftp", inProcess, 0}}
	i := slices.IndexFunc(opensshServers, func(path string) bool { _, err := os.Stat(path); return err == nil })
	if i < 0 {
		t.Log("OpenSSH's sftp-server is missing")
		return all
	}
	run := func(attr *syscall.SysProcAttr) func(testing.TB) io.ReadWriteCloser {
		return func(t testing.TB) io.ReadWriteCloser {
			cmd := exec.Command(opensshServers[i])
			cmd.SysProcAttr = attr
			return start(t, cmd)
		}
	}
	all = append(all, server{"OpenSSH", run(nil), 0})
	if os.Geteuid() == 0 {
		attr := &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobodyUID, Gid: nobodyUID}}
		all = append(all, server{"OpenSSH as nobody", run(attr), nobodyUID})
	}
	return all
}

// tempDir returns a directory of the user that the server runs as.
func (s server) tempDir(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if s.user == 0 {
		return dir
	}
	for up := dir; len(up) > len(os.TempDir()); up = filepath.Dir(up) {
		must(t, os.Chmod(up, 0o755))
	}
	must(t, os.Chown(dir, int(s.user), int(s.user)))
	return dir
}

// inProcess serves with package sftp.
func inProcess(t testing.TB) io.ReadWriteCloser {
	t.Helper()
	here, there := net.Pipe()
	s, err := sftp.NewServer(there)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.Serve()
		_ = s.Close()
	}()
	t.Cleanup(func() {
		_ = here.Close()
		<-done
	})
	return here
}

// A process is the channel to a program.
type process struct {
	io.ReadCloser
	io.WriteCloser
}

func (p process) Close() error { return p.WriteCloser.Close() }

// start serves with a program until the test ends.
func start(t testing.TB, cmd *exec.Cmd) io.ReadWriteCloser {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait()
	})
	return process{out, in}
}

// newHost starts a session with a server until the test ends.
func newHost(t testing.TB, s server, o Options) *Host {
	t.Helper()
	o.Number = 1
	h, err := NewHost(s.open(t), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return h
}

// A requestCounter counts the requests of a channel by their types.
type requestCounter struct {
	io.ReadWriteCloser

	mu    sync.Mutex // guards what follows
	buf   []byte
	n     map[string]int
	order []string
}

func newRequestCounter(rwc io.ReadWriteCloser) *requestCounter {
	return &requestCounter{ReadWriteCloser: rwc, n: make(map[string]int)}
}

var requestNames = map[byte]string{
	1: "init", 3: "open", 4: "close", 5: "read", 6: "write", 7: "lstat", 8: "fstat", 9: "setstat", 10: "fsetstat",
	11: "opendir", 12: "readdir", 13: "remove", 14: "mkdir", 15: "rmdir", 16: "realpath", 17: "stat", 18: "rename",
	19: "readlink", 20: "symlink", 200: "extended",
}

func (c *requestCounter) Write(p []byte) (int, error) {
	c.mu.Lock()
	c.buf = append(c.buf, p...)
	for len(c.buf) > 4 {
		size := int(binary.BigEndian.Uint32(c.buf)) + 4
		if len(c.buf) < size {
			break
		}
		request := requestNames[c.buf[4]]
		c.n[request]++
		c.order = append(c.order, request)
		c.buf = c.buf[size:]
	}
	c.mu.Unlock()
	return c.ReadWriteCloser.Write(p)
}

// take returns the counts since the last call.
func (c *requestCounter) take() (map[string]int, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, total := c.n, len(c.order)
	c.n, c.order = make(map[string]int), nil
	return n, total
}

// A hostile server answers requests as its table says.
type hostile struct {
	answers map[byte]func(id uint32, body []byte) []byte // by type of request
}

// open serves a channel.
func (s hostile) open(t testing.TB) io.ReadWriteCloser {
	here, there := net.Pipe()
	go func() {
		for {
			var head [5]byte
			if _, err := io.ReadFull(there, head[:]); err != nil {
				return
			}
			body := make([]byte, binary.BigEndian.Uint32(head[:])-1)
			if _, err := io.ReadFull(there, body); err != nil {
				return
			}
			var id uint32
			if head[4] != 1 {
				id, body = binary.BigEndian.Uint32(body), body[4:]
			}
			answer := status(id, 8, "no such request")
			if f := s.answers[head[4]]; f != nil {
				answer = f(id, body)
			} else if head[4] == 1 {
				answer = append([]byte{2}, u32(3)...)
			}
			if answer == nil {
				_ = there.Close()
				return
			}
			if _, err := there.Write(append(u32(uint32(len(answer))), answer...)); err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() { _, _ = here.Close(), there.Close() })
	return here
}

func u32(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }

func str(s string) []byte { return append(u32(uint32(len(s))), s...) }

func cat(parts ...[]byte) (all []byte) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

func status(id, code uint32, text string) []byte {
	return cat([]byte{101}, u32(id), u32(code), str(text), str("en"))
}

// attributes encodes the attributes of an entry with a mode and size.
func attributes(mode uint32, size uint64) []byte {
	return cat(u32(0xf), binary.BigEndian.AppendUint64(nil, size), u32(7), u32(7), u32(mode), u32(1e9), u32(1e9))
}

// names encodes an answer with entries of a listing.
func names(id uint32, entries ...[]byte) []byte {
	return cat([]byte{104}, u32(id), u32(uint32(len(entries))), cat(entries...))
}

func entry(name string, mode uint32, size uint64) []byte {
	return cat(str(name), str("long "+name), attributes(mode, size))
}

// newHostile returns a server whose working directory is a tree with one listing.
func newHostile(entries ...[]byte) hostile {
	listed := false
	return hostile{map[byte]func(uint32, []byte) []byte{
		16: func(id uint32, _ []byte) []byte { return names(id, entry("/home", 0, 0)) },
		7:  func(id uint32, _ []byte) []byte { return cat([]byte{105}, u32(id), attributes(0o040755, 0)) },
		11: func(id uint32, _ []byte) []byte { listed = false; return cat([]byte{102}, u32(id), str("handle")) },
		4:  func(id uint32, _ []byte) []byte { return status(id, 0, "") },
		12: func(id uint32, _ []byte) []byte {
			if listed {
				return status(id, 1, "end")
			}
			listed = true
			return names(id, entries...)
		},
	}}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

package metrics

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"
)

// timeout is how long a client may take to send a request and receive the response.
const timeout = 10 * time.Second

// maxConnections is the maximum number of concurrent connections.
const maxConnections = 8

// A Server answers HTTP requests for /metrics. It does not use net/http, which would make psync 2 MB larger: a single
// read-only path needs little of HTTP.
type Server struct {
	listener net.Listener
	write    func(io.Writer) error
	slots    chan struct{} // one for each connection

	wait sync.WaitGroup
	mu   sync.Mutex // guards conns
	open map[net.Conn]bool
}

// Address completes an address. The default host is the loopback interface, so that metrics are not exposed to
// others by accident. It is a numeric address, because a resolver may map localhost to another one.
func Address(addr string) (string, error) {
	if !strings.Contains(addr, ":") {
		addr = ":" + addr
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "", err
	}
	if port == "" {
		return "", errors.New("the port is missing")
	}
	return net.JoinHostPort(cmp.Or(host, "127.0.0.1"), port), nil
}

// Listen listens on an address, which [Address] completes. The caller must call Close.
func Listen(addr string) (*Server, error) {
	addr, err := Address(addr)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	return &Server{listener: l, slots: make(chan struct{}, maxConnections), open: make(map[net.Conn]bool)}, nil
}

// Serve starts serving the output of write.
func (s *Server) Serve(write func(io.Writer) error) {
	s.write = write
	s.wait.Go(s.serve)
}

// Addr returns the address that the server listens on.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Close stops the server and closes all connections.
func (s *Server) Close() {
	_ = s.listener.Close()
	s.mu.Lock()
	for c := range s.open {
		_ = c.Close()
	}
	s.open = nil
	s.mu.Unlock()
	s.wait.Wait()
}

func (s *Server) serve() {
	for {
		s.slots <- struct{}{}
		c, err := s.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // too many open files, for example
			time.Sleep(100 * time.Millisecond)
			<-s.slots
			continue
		}
		s.mu.Lock()
		if s.open == nil {
			_ = c.Close()
		} else {
			s.open[c] = true
		}
		s.mu.Unlock()
		s.wait.Go(func() {
			s.answer(c)
			s.mu.Lock()
			delete(s.open, c)
			s.mu.Unlock()
			<-s.slots
		})
	}
}

// answer answers one request.
func (s *Server) answer(c net.Conn) {
	defer func() { _ = c.Close() }()
	if c.SetDeadline(time.Now().Add(timeout)) != nil {
		return
	}
	status, body := s.respond(c)
	_, _ = fmt.Fprintf(c, "HTTP/1.1 %s\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
		status, len(body), body) // an error cannot be reported
}

// respond reads a request and returns the status and body of the response.
func (s *Server) respond(r io.Reader) (status string, body []byte) {
	const maxHeader = 16 << 10 // bytes
	in := bufio.NewReader(io.LimitReader(r, maxHeader))
	line, err := in.ReadString('\n')
	for header := line; err == nil && strings.TrimRight(header, "\r\n") != ""; {
		header, err = in.ReadString('\n')
	}
	method, rest, _ := strings.Cut(line, " ")
	target, version, _ := strings.Cut(rest, " ")
	path, _, _ := strings.Cut(target, "?")
	switch {
	case err != nil, !strings.HasPrefix(version, "HTTP/1."):
		return "400 Bad Request", []byte("this is no HTTP request\n")
	case path != "/metrics":
		return "404 Not Found", []byte("only /metrics is here\n")
	case method != "GET":
		return "405 Method Not Allowed", []byte("only GET is answered\n")
	}
	var b bytes.Buffer
	if err := s.write(&b); err != nil {
		return "500 Internal Server Error", []byte(err.Error() + "\n")
	}
	return "200 OK", b.Bytes()
}

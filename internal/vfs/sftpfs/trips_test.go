package sftpfs

import (
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/vfs"
)

// A delayedChannel delays what is written to another one by a second, and so each round trip.
type delayedChannel struct {
	io.ReadWriteCloser
	sent chan delayed
	end  func() // closes sent
}

type delayed struct {
	at    time.Time
	bytes []byte
}

func delay(rwc io.ReadWriteCloser) *delayedChannel {
	sent := make(chan delayed, 1<<16)
	d := &delayedChannel{rwc, sent, sync.OnceFunc(func() { close(sent) })}
	go func() {
		for s := range d.sent {
			time.Sleep(time.Until(s.at))
			if _, err := rwc.Write(s.bytes); err != nil {
				return
			}
		}
	}()
	return d
}

func (d *delayedChannel) Write(p []byte) (int, error) {
	d.sent <- delayed{time.Now().Add(time.Second), append([]byte(nil), p...)}
	return len(p), nil
}

func (d *delayedChannel) Close() error {
	d.end()
	return d.ReadWriteCloser.Close()
}

// TestRoundTrips counts how many round trips operations take one after the other, and their requests.
func TestRoundTrips(t *testing.T) {
	path := t.TempDir()
	for _, tt := range []struct {
		name            string
		trips, requests int
		do              func(d vfs.Dir) error
	}{
		{"a small file", 2, 4, func(d vfs.Dir) error {
			return makeFile(d, "small", "contents")
		}},
		{"a file of several packets", 3, 6, func(d vfs.Dir) error {
			return makeFile(d, "large", string(make([]byte, 3*packet)))
		}},
	} {
		synctest.Test(t, func(t *testing.T) {
			counted := newRequestCounter(delay(inProcess(t)))
			h, err := NewHost(counted, Options{Number: 1})
			must(t, err)
			defer h.Close()
			d, err := h.Open(path, vfs.OpenOptions{})
			must(t, err)
			counted.take()
			start := time.Now()
			must(t, tt.do(d))
			trips := int(time.Since(start) / time.Second)
			if requests, n := counted.take(); trips > tt.trips || n > tt.requests {
				t.Errorf("%s: %d round trips with %d requests, want %d with %d: %v", tt.name, trips, n, tt.trips, tt.requests, requests)
			}
		})
	}
}

func makeFile(d vfs.Dir, name, contents string) error {
	f, err := d.OpenFile(name, vfs.Create, 0o640)
	if err != nil {
		return err
	}
	_, err = f.WriteAt([]byte(contents), 0)
	return vfs.JoinErrors(err, f.Close())
}

// TestNewFileOfALostSession makes a file when the channel ends before an answer.
func TestNewFileOfALostSession(t *testing.T) {
	for _, request := range []byte{3, 6, 4} {
		s := newHostile()
		s.answers[3] = func(id uint32, _ []byte) []byte { return cat([]byte{102}, u32(id), str("file")) }
		s.answers[10] = s.answers[4]
		s.answers[6] = s.answers[4]
		s.answers[request] = func(uint32, []byte) []byte { return nil }
		d, err := newHostileHost(t, s).Open("/home", vfs.OpenOptions{})
		must(t, err)
		if err := makeFile(d, "f", "contents"); !isLost(err) {
			t.Errorf("request %d: got %v, want that the session is lost", request, err)
		}
	}
}

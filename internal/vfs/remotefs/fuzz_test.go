package remotefs

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"io"
	"net"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"psync/internal/engine"
	"psync/internal/engine/enginetest"
	"psync/internal/metadata"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
	"psync/internal/wire"
)

const (
	insideTree  = "inside/f 644 old\ninside/out -> ../outside\ninside/sub/g 644 old"
	outsideTree = "f 644 old\nsub/f 644 old"
)

// syncWith makes a tree in memory like the directory, or the directory like that. Whatever fails, nothing outside the
// tree changes.
func syncWith(t testing.TB, d vfs.Dir, pull bool) {
	m := memfs.New()
	root := m.TestRoot(t)
	fstest.Fill(t, root, insideTree)
	outside, err := mkdir(root, "outside")
	must(t, err)
	fstest.Fill(t, outside, outsideTree)
	before := fstest.Tree(t, outside, fstest.WithMtimes)
	inside, err := root.OpenDir("inside", vfs.NoFollow)
	must(t, err)
	from, to := inside, d
	if pull {
		from, to = d, inside
	}
	events := new(enginetest.Events)
	// One worker: more workers would wait for mutexes, which synctest.Wait does not count as durably blocked.
	o := engine.Options{Threads: 1, Keep: metadata.Keep{
		Modes: true, Perms: true, Mtime: true, Owner: true, Group: true, Xattrs: true, ACLs: true,
	}}
	_ = engine.Run(context.Background(), enginetest.NewJob(from, to, o, events)) // whatever a hostile server makes of it
	must(t, inside.Close())
	if after := fstest.Tree(t, outside, fstest.WithMtimes); after != before {
		t.Errorf("outside is\n%s\nand was\n%s", after, before)
	}
	must(t, outside.Close())
}

func mkdir(d vfs.Dir, name string) (vfs.Dir, error) {
	if err := vfs.Mkdir(d, name, 0o755); err != nil {
		return nil, err
	}
	return d.OpenDir(name, vfs.NoFollow)
}

// fuzzed are the operations of FuzzClient.
func fuzzed(t testing.TB) []operation {
	return slices.Concat(operations, []operation{
		{"pull", nil, func(_ *Host, d vfs.Dir) error { syncWith(t, d, true); return nil }},
		{"push", nil, func(_ *Host, d vfs.Dir) error { syncWith(t, d, false); return nil }},
		{"list names", nil, func(_ *Host, d vfs.Dir) error {
			return d.ReadDir(func(e []vfs.Entry) error { return checkNames(t, e) })
		}},
	})
}

func checkNames(t testing.TB, entries []vfs.Entry) error {
	for _, e := range entries {
		if err := wire.CheckName(e.Name); err != nil {
			t.Errorf("a listing has an entry that %v", err)
		}
	}
	return nil
}

// recorded returns what a server sends that answers an operation rightly, without the identifiers of requests.
func recorded(t testing.TB, o operation) []byte {
	var mu sync.Mutex
	var sent []byte
	lists := 0
	h, err := dialScripted(t, func(m wire.Message) []wire.Message {
		answer := rightAnswer(m)
		mu.Lock()
		defer mu.Unlock()
		if _, ok := m.(*wire.List); ok {
			if lists++; lists > 1 {
				answer.(*wire.Listing).Entries = nil // of directories below
			}
		}
		if _, reads := m.(*wire.Read); reads {
			data := answer.(*wire.Data)
			data.Data = data.Data[:min(len(data.Data), 100)] // mutations of more would test nothing new
		}
		if get, ok := m.(*wire.Get); ok && get.Max > 0 && o.request == nil {
			got := answer.(*wire.Got)
			got.Whole, got.Data, got.Attr.Size = true, []byte("new"), 3
			got.After = got.Attr
		}
		frame, err := wire.Append(nil, wire.Frame{Message: answer})
		if err != nil {
			t.Error(err)
		}
		if _, closes := m.(*wire.Close); !closes {
			sent = append(sent, frame...)
		}
		return []wire.Message{answer}
	})
	must(t, err)
	d, err := h.Open("/", vfs.OpenOptions{})
	must(t, err)
	_ = o.do(h, d) // which may find a file shorter than it should be
	must(t, h.Close())
	mu.Lock()
	defer mu.Unlock()
	return sent
}

// FuzzClient has a server send any frames to a client that does some operations, and end the connection. Each operation
// ends, and no more memory is taken than there should be. A frame without an identifier answers the
// first request that none has answered so.
func FuzzClient(f *testing.F) {
	for i, o := range fuzzed(f) {
		f.Add([]byte{byte(i)}, recorded(f, o))
	}
	f.Fuzz(func(t *testing.T, does, sent []byte) {
		synctest.Test(t, func(t *testing.T) { fuzzClient(t, does, sent) })
		if t.Failed() {
			t.Logf("%v, %s", does, base64.StdEncoding.EncodeToString(sent))
		}
	})
}

func fuzzClient(t *testing.T, does, sent []byte) {
	before := heapInUse()
	near, far := net.Pipe()
	requests := new(requestIDs)
	go requests.read(far)
	done := make(chan struct{})
	go func() {
		defer close(done)
		h, err := Dial(context.Background(), dialed(near), Options{Number: 1, Host: "box"})
		if err != nil {
			return
		}
		defer func() { _ = h.Close() }()
		d, err := h.Open("/", vfs.OpenOptions{})
		if err != nil {
			return
		}
		operations := fuzzed(t)
		for _, b := range does[:min(len(does), 8)] {
			_ = operations[int(b)%len(operations)].do(h, d) // whatever the server answers
		}
		_ = d.Close()
	}()
	for {
		synctest.Wait() // for all that the client does until it is answered
		var frame []byte
		if frame, sent = cutFrame(sent); frame == nil || isDone(done) {
			break
		}
		if _, err := far.Write(requests.address(frame)); err != nil {
			break // the client has ended the session
		}
		wantLittleMemory(t, before)
	}
	_ = far.Close()
	<-done
	synctest.Wait()
	wantLittleMemory(t, before)
}

func isDone(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// cutFrame returns the first frame of what is to be sent, or what is left of one, and the rest.
func cutFrame(sent []byte) (frame, rest []byte) {
	if len(sent) < wire.LengthSize {
		return nil, nil
	}
	n := int64(binary.BigEndian.Uint32(sent)) + wire.LengthSize
	if n > int64(len(sent)) {
		n = int64(len(sent))
	}
	return sent[:n], sent[n:]
}

// requestIDs are the IDs of the requests that have no answer, in order.
type requestIDs struct {
	mu  sync.Mutex // guards what follows
	ids []uint64
}

// read reads requests until the channel ends.
func (r *requestIDs) read(channel io.Reader) {
	for {
		frame := make([]byte, wire.LengthSize)
		if _, err := io.ReadFull(channel, frame); err != nil {
			return
		}
		frame = make([]byte, binary.BigEndian.Uint32(frame))
		if _, err := io.ReadFull(channel, frame); err != nil {
			return
		}
		if f, err := wire.Decode(frame); err == nil && f.ID != 0 {
			r.mu.Lock()
			r.ids = append(r.ids, f.ID)
			r.mu.Unlock()
		}
	}
}

// address makes a frame without an identifier the answer to the first request that has none.
func (r *requestIDs) address(frame []byte) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(frame) < wire.LengthSize+2 || len(r.ids) == 0 {
		return frame
	}
	f, err := wire.Decode(frame[wire.LengthSize:])
	if err != nil || f.ID != 0 {
		return frame
	}
	f.ID = r.ids[0]
	if list, ok := f.Message.(*wire.Listing); !ok || list.End {
		r.ids = r.ids[1:]
	}
	if frame, err = wire.Append(nil, f); err != nil {
		panic(err) // it was decoded
	}
	return frame
}

package listing

import (
	"fmt"
	"io"
	"io/fs"
	"net"
	"strings"
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/remotefs/session"
	"psync/internal/wire"
	"psync/internal/wire/link"
)

// newSession returns a session with a server that answers requests for listings.
func newSession(t *testing.T, answer func(*wire.List) *wire.Listing) *session.Session {
	t.Helper()
	near, far := net.Pipe()
	var l *link.Link
	l = link.New(link.Options{Receive: func(f wire.Frame) error {
		switch m := f.Message.(type) {
		case *wire.Hello:
			return l.Send(wire.Frame{ID: f.ID, Message: &wire.Welcome{Hello: wire.Hello{Major: wire.Major}}})
		case *wire.List:
			return l.Send(wire.Frame{ID: f.ID, Message: answer(m)})
		}
		return nil
	}})
	l.Add(far)
	s, err := session.Dial(t.Context(), func(first []byte) (io.ReadWriteCloser, error) {
		_, err := near.Write(first)
		return near, err
	}, session.Options{Host: "box"}, func(*session.Session) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = s.Close()
		<-l.Done()
	})
	return s
}

func entry(name string, mode fs.FileMode) wire.Entry {
	return wire.Entry{Name: name, Attr: vfs.Attr{Mode: mode, Nlink: 1}}
}

// TestWhatIsReadIsNotKept reads a directory whose listing never ends.
func TestWhatIsReadIsNotKept(t *testing.T) {
	lists := 0
	s := newSession(t, func(*wire.List) *wire.Listing {
		lists++
		entries := []wire.Entry{entry(fmt.Sprint("dir", lists), fs.ModeDir|0o755)}
		for i := range 1000 {
			entries = append(entries, entry(fmt.Sprint(strings.Repeat("x", 100), lists, "-", i), 0o644))
		}
		return &wire.Listing{First: true, Last: true, More: true, End: true, Entries: entries}
	})
	in := session.Opened(s, s.NewHandle())
	var tr Tree
	n := 0
	read := func(l *Listing) {
		t.Helper()
		if complete, err := l.Result(); !complete || !l.HasMore() {
			t.Fatalf("complete %v, %v", complete, err)
		}
		_ = l.Each(vfs.Preparation{}, func(entries []vfs.Entry) error {
			n += len(entries)
			return nil
		})
	}
	first := New()
	tr.Ask(s, in, first)()
	<-first.Done()
	read(first)
	tr.Read(first)
	const kept = entryOverhead + len("dir1")
	for range 100 {
		if tr.used != kept {
			t.Errorf("%d bytes of what was read are kept, want %d", tr.used, kept)
		}
		page := tr.Continue(s, in, first)
		read(page)
		if tr.used > 1<<20 {
			t.Errorf("%d bytes are used", tr.used)
		}
		tr.Release(page)
	}
	tr.Release(first)
	if n != 101*1001 || tr.used != 0 || tr.ahead != 0 || tr.expected != 0 || tr.promised != 0 {
		t.Errorf("after %d entries: %d bytes are used, %d are ahead, %d expected, %d promised", n, tr.used, tr.ahead, tr.expected, tr.promised)
	}
}

// TestMissingListingsAreAskedForTogether has a listing of three directories come without those of the directories.
func TestMissingListingsAreAskedForTogether(t *testing.T) {
	dirs := []wire.Entry{entry("a", fs.ModeDir|0o755), entry("b", fs.ModeDir|0o755), entry("c", fs.ModeDir|0o755), entry("d", fs.ModeDir|0o755)}
	var asked [][]string
	s := newSession(t, func(m *wire.List) *wire.Listing {
		asked = append(asked, m.Below)
		if m.Below == nil {
			return &wire.Listing{First: true, Last: true, End: true, Entries: dirs}
		}
		if m.Below[0] == "d" {
			return &wire.Listing{Path: "d", First: true, Last: true, More: true, End: true}
		}
		return &wire.Listing{Path: "b", First: true, Last: true, End: true}
	})
	in := session.Opened(s, s.NewHandle())
	var tr Tree
	root := New()
	tr.Ask(s, in, root)()
	<-root.Done()
	for _, tt := range []struct {
		name     string
		asks     int // for how many directories
		complete bool
	}{{"a", 4 + 3, false}, {"b", 0, true}, {"d", 2, false}, {"d", 0, false}, {"c", 1, false}, {"b", 0, false}} {
		before := len(asked)
		below, listed, send := tr.TakeBelow(s, in, root, tt.name)
		if send != nil {
			send()
			<-below.Done()
		}
		n := 0
		for _, names := range asked[before:] {
			n += len(names)
		}
		if complete := below != nil && below.complete; !listed || n != tt.asks || complete != tt.complete {
			t.Errorf("%s: listed %v, asked for %d directories, complete %v", tt.name, listed, n, complete)
		}
	}
}

// TestBytesAhead checks that bytes that will never be asked for are no longer counted.
func TestBytesAhead(t *testing.T) {
	dirs := []wire.Entry{entry("a", fs.ModeDir|0o755), entry("b", fs.ModeDir|0o755)}
	for name, during := range map[string]func(tr *Tree, root, a *Listing){
		"taken and closed while it comes": func(tr *Tree, _, a *Listing) { a.dropped = true; tr.dropBelow(a) },
		"all closed":                      func(tr *Tree, root, _ *Listing) { tr.Release(root) },
		"the session ends":                func(tr *Tree, root, _ *Listing) { tr.dropBelow(root) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t, func(*wire.List) *wire.Listing { return nil })
			tr := new(Tree)
			root := newListing()
			root.taken = true
			l := &lister{s: s, tree: tr, root: root, ahead: 1000, early: make(map[uint32]*wire.Listing), wait: map[string]expected{"": {Listing: root}}}
			l.of = session.Opened(s, s.NewHandle())
			tr.promised = l.ahead
			l.receive(&wire.Listing{First: true, Last: true, Entries: dirs}, nil)
			if len(root.below) != 2 {
				t.Fatalf("%d directories below", len(root.below))
			}
			a, listed, _ := tr.TakeBelow(nil, nil, root, "a")
			if !listed {
				t.Fatal("not listed")
			}
			during(tr, root, a)
			if name == "the session ends" {
				l.receive(nil, fs.ErrClosed)
			} else {
				l.receive(&wire.Listing{Path: "a", Seq: 1, First: true, Last: true, Entries: dirs}, nil)
				l.receive(&wire.Listing{Path: "b", Seq: 2, First: true, Last: true, End: true}, nil)
			}
			tr.dropBelow(root)
			tr.dropBelow(a)
			if tr.ahead != 0 || tr.promised != 0 {
				t.Errorf("%d bytes ahead, %d promised", tr.ahead, tr.promised)
			}
			<-a.finished
		})
	}
}

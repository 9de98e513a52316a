package remotefs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"psync/internal/blocksum"
	"psync/internal/vfs"
	"psync/internal/wire"
)

// An operation is something that a client does, and the last request that it needs for it.
type operation struct {
	name    string
	request wire.Message
	do      func(h *Host, d vfs.Dir) error
}

// operations has one for each request, at least.
var operations = []operation{
	{"path", &wire.PathQuery{}, func(h *Host, _ vfs.Dir) error { return failure(h.Stat("/x", vfs.Follow)) }},
	{"resolve", &wire.PathQuery{}, func(h *Host, _ vfs.Dir) error { return failure(h.Resolve("/x")) }},
	{"inside", &wire.PathQuery{}, func(h *Host, _ vfs.Dir) error { _, _, err := h.Inside("/x", "/"); return err }},
	{"account", &wire.Account{}, func(h *Host, _ vfs.Dir) error { return failure(h.Account(vfs.Account{ID: 7})) }},
	{"open path", &wire.OpenPath{}, func(h *Host, _ vfs.Dir) error { return opens(h.Open("/x", vfs.OpenOptions{})) }},
	{"open parent", &wire.OpenDir{}, func(_ *Host, d vfs.Dir) error { return opens(d.(*Dir).OpenDir("..", vfs.Parent)) }},
	{"follow", &wire.OpenDir{}, func(_ *Host, d vfs.Dir) error { return opens(d.OpenDir("sub", vfs.Follow)) }},
	{"open listed", &wire.OpenDir{}, openListed},
	{"list", &wire.List{}, func(_ *Host, d vfs.Dir) error { return readDir(d) }},
	{"stat", &wire.Lstat{}, func(_ *Host, d vfs.Dir) error { return failure(d.Statx("f", vfs.StatxFollow)) }},
	{"lstat", &wire.Lstat{}, func(_ *Host, d vfs.Dir) error { return failure(vfs.Lstat(d, "f")) }},
	{"readlink", &wire.Readlink{}, func(_ *Host, d vfs.Dir) error { return failure(d.Readlink("l")) }},
	{"symlink", &wire.Symlink{}, func(_ *Host, d vfs.Dir) error { return vfs.Symlink(d, "to", "l") }},
	{"link", &wire.Link{}, func(_ *Host, d vfs.Dir) error { return d.Link(d, "f", "g") }},
	{"mknod", &wire.Mknod{}, func(_ *Host, d vfs.Dir) error { return vfs.Mknod(d, "p", 0o600, 0) }},
	{"rename", &wire.Rename{}, func(_ *Host, d vfs.Dir) error { return d.Rename("f", nil, "g", nil) }},
	{"remove", &wire.Remove{}, func(_ *Host, d vfs.Dir) error { return d.Remove("f", nil) }},
	{"sync volume", &wire.Sync{}, func(_ *Host, d vfs.Dir) error { return d.SyncVolume() }},
	{"mkdir", &wire.Mkdir{}, func(_ *Host, d vfs.Dir) error { return vfs.Mkdir(d, "new", 0o700) }},
	{"mkdir late", &wire.Mkdir{}, makeAsync},
	{"open", &wire.Get{}, func(_ *Host, d vfs.Dir) error { return reads(d, func(vfs.File) error { return nil }) }},
	{"read", &wire.Read{}, func(_ *Host, d vfs.Dir) error { return reads(d, readTwoPieces) }},
	{"read in order", &wire.Read{}, func(_ *Host, d vfs.Dir) error { return reads(d, readInOrder) }},
	{"next data", &wire.NextData{}, func(_ *Host, d vfs.Dir) error { return reads(d, nextDataOf) }},
	{"sums", &wire.Sums{}, func(_ *Host, d vfs.Dir) error { return reads(d, sumsOf) }},
	{"stat file", &wire.Lstat{}, func(_ *Host, d vfs.Dir) error {
		return reads(d, func(f vfs.File) error { return failure(f.Statx(vfs.StatxChange)) })
	}},
	{"xattrs", &wire.Xattrs{}, func(_ *Host, d vfs.Dir) error {
		return reads(d, func(f vfs.File) error { return failure(f.Xattrs(true)) })
	}},
	{"xattr", &wire.ReadXattr{}, func(_ *Host, d vfs.Dir) error {
		return reads(d, func(f vfs.File) error { return failure(f.Xattr("user.a")) })
	}},
	{"read xattr", &wire.ReadXattr{}, func(_ *Host, d vfs.Dir) error { return reads(d, readXattr) }},
	{"xattr size", &wire.XattrSize{}, func(_ *Host, d vfs.Dir) error {
		return reads(d, func(f vfs.File) error { return failure(vfs.XattrSize(f, "user.a")) })
	}},
	{"flags", &wire.Flags{}, func(_ *Host, d vfs.Dir) error { return reads(d, func(f vfs.File) error { return failure(f.Flags()) }) }},
	{"carry", &wire.Set{}, func(_ *Host, d vfs.Dir) error { return vfs.Chmod(vfs.In(d, "f"), 0o600) }},
	{"create", &wire.Create{}, func(_ *Host, d vfs.Dir) error { return writes(d, func(vfs.File) error { return nil }) }},
	{"write", &wire.Write{}, func(_ *Host, d vfs.Dir) error {
		return writes(d, func(f vfs.File) error { return failure(f.WriteAt([]byte("x"), 0)) })
	}},
	{"truncate", &wire.Resize{}, func(_ *Host, d vfs.Dir) error { return writes(d, func(f vfs.File) error { return f.Truncate(1) }) }},
	{"sync", &wire.Sync{}, func(_ *Host, d vfs.Dir) error { return writes(d, vfs.File.Sync) }},
	{"finish", &wire.Finish{}, func(_ *Host, d vfs.Dir) error { return writes(d, func(vfs.File) error { return nil }) }},
	{"copy", &wire.Copy{}, copyBetween},
	{"put", &wire.Put{}, putSmall},
	{"discard", &wire.Close{}, discard},
}

// failure returns the error of a call that returns something else as well.
func failure[T any](_ T, err error) error { return err }

func opens(d vfs.Dir, err error) error {
	if err == nil {
		err = d.Close()
	}
	return err
}

func readDir(d vfs.Dir) error { return d.ReadDir(func([]vfs.Entry) error { return nil }) }

func openListed(_ *Host, d vfs.Dir) error {
	if err := readDir(d); err != nil {
		return err
	}
	sub, err := d.OpenDir("sub", vfs.NoFollow)
	if err != nil {
		return err
	}
	return errors.Join(failure(sub.Statfs()), sub.Close())
}

func makeAsync(_ *Host, d vfs.Dir) error {
	if err := d.(*Dir).Make("new", vfs.Spec{Mode: fs.ModeDir | 0o700, Async: true}); err != nil {
		return err
	}
	sub, err := d.OpenDir("new", vfs.NoFollow)
	if err != nil {
		return err
	}
	return errors.Join(failure(vfs.Lstat(sub, ".")), sub.Close())
}

// reads opens a file and does something with it.
func reads(d vfs.Dir, do func(vfs.File) error) error {
	f, err := d.OpenFile("f", vfs.ReadOnly, 0)
	if err != nil {
		return err
	}
	return errors.Join(do(f), f.Close())
}

func readTwoPieces(f vfs.File) error { return failure(f.ReadAt(make([]byte, 2*piece), 0)) }

func readInOrder(f vfs.File) error {
	if err := f.Advise(vfs.Sequential); err != nil {
		return err
	}
	for i := range int64(10) {
		if _, err := f.ReadAt(make([]byte, piece), i*piece); err != nil {
			return err
		}
	}
	return nil
}

func nextDataOf(f vfs.File) error {
	_, _, err := f.NextData(10)
	return err
}

func sumsOf(f vfs.File) error { return failure(f.Sums(0, 4*piece, piece, nil)) }

func readXattr(f vfs.File) error {
	_, err := f.ReadXattrAt("user.a", make([]byte, 10), 0)
	if err == io.EOF {
		err = nil
	}
	return err
}

// writes makes a file and does something with it.
func writes(d vfs.Dir, do func(vfs.File) error) error {
	f, err := d.OpenFile("new", vfs.Create, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(do(f), f.Close())
}

func copyBetween(_ *Host, d vfs.Dir) error {
	return reads(d, func(from vfs.File) error {
		return writes(d, func(to vfs.File) error { return failure(to.CopyRange(from, 0, 10)) })
	})
}

func putSmall(_ *Host, d vfs.Dir) error {
	f, err := d.(*Dir).OpenFile("new", vfs.CreateAsync, 0o600)
	if err == nil {
		_, err = f.WriteAt([]byte("x"), 0)
	}
	if err != nil {
		return err
	}
	errs, err := f.Commit([]vfs.Change{{Kind: vfs.ModeChange, Mode: 0o600}}, false)
	return errors.Join(append(errs, err)...)
}

func discard(_ *Host, d vfs.Dir) error {
	f, err := d.(*Dir).OpenFile("new", vfs.CreateAsync, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(failure(vfs.Stat(f)), f.Close())
}

// attack does an operation with a server that answers its request by what wrong returns, and other ones rightly. All of
// the session is over when it returns.
func attack(t *testing.T, o operation, wrong func(m wire.Message) []wire.Message) (h *Host, err error) {
	var armed atomic.Bool
	h, err = dialScripted(t, func(m wire.Message) []wire.Message {
		if armed.Load() && reflect.TypeOf(m) == reflect.TypeOf(o.request) {
			return wrong(m)
		}
		return []wire.Message{rightAnswer(m)}
	})
	must(t, err)
	d := openDir(t, h, "/")
	must(t, h.s.Do(&wire.Ping{})) // all before is answered
	armed.Store(true)
	return h, o.do(h, d)
}

// wantRefused checks that a session has ended because of what the server has sent.
func wantRefused(t *testing.T, h *Host) {
	t.Helper()
	<-h.Lost()
	if err := h.Err(); !errors.As(err, new(*vfs.LostError)) || !strings.HasPrefix(err.Error(), "box: ") || !strings.Contains(err.Error(), "the psync there sent ") {
		t.Errorf("the session has ended with %v", err)
	}
}

// TestOperationsWithARightServer does what the tests below do.
func TestOperationsWithARightServer(t *testing.T) {
	for _, o := range operations {
		t.Run(o.name, func(t *testing.T) {
			var asked atomic.Bool
			h, err := attack(t, o, func(m wire.Message) []wire.Message {
				asked.Store(true)
				return []wire.Message{rightAnswer(m)}
			})
			if err != nil || h.Err() != nil || !asked.Load() {
				t.Errorf("%v, %v; asked: %v", err, h.Err(), asked.Load())
			}
		})
	}
}

// TestWrongAnswers answers each request as no server would.
func TestWrongAnswers(t *testing.T) {
	for name, wrong := range map[string]func(m, right wire.Message) []wire.Message{
		"of another type": func(_, right wire.Message) []wire.Message {
			if _, ok := right.(*wire.Welcome); ok {
				return []wire.Message{&wire.Done{}}
			}
			return []wire.Message{&wire.Welcome{}}
		},
		"a request":              func(m, _ wire.Message) []wire.Message { return []wire.Message{m} },
		"twice":                  func(_, right wire.Message) []wire.Message { return []wire.Message{right, right} },
		"that was not asked for": func(_, right wire.Message) []wire.Message { return []wire.Message{unasked{right}} },
		"no frame":               func(m, _ wire.Message) []wire.Message { return []wire.Message{raw{m, "\x00\x00\x00\x02\x7f\x01"}} },
		"a long frame":           func(m, _ wire.Message) []wire.Message { return []wire.Message{raw{m, "\x7f\xff\xff\xff"}} },
		"an empty frame":         func(m, _ wire.Message) []wire.Message { return []wire.Message{raw{m, "\x00\x00\x00\x00"}} },
		"what is not compressed": func(m, _ wire.Message) []wire.Message {
			return []wire.Message{raw{m, "\x00\x00\x00\x04\x80\x05ab"}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, o := range operations {
				t.Run(o.name, func(t *testing.T) {
					if name == "a request" && reflect.TypeOf(o.request) == reflect.TypeOf(&wire.Account{}) {
						return // it is its own answer
					}
					h, err := attack(t, o, func(m wire.Message) []wire.Message { return wrong(m, rightAnswer(m)) })
					if name != "twice" && !errors.As(err, new(*vfs.LostError)) {
						t.Errorf("the operation returns %v", err)
					}
					wantRefused(t, h)
				})
			}
		})
	}
}

// TestEndInsteadOfAnAnswer ends the connection instead of answering.
func TestEndInsteadOfAnAnswer(t *testing.T) {
	for _, o := range operations {
		t.Run(o.name, func(t *testing.T) {
			h, err := attack(t, o, func(m wire.Message) []wire.Message { return []wire.Message{closed{m}} })
			if !errors.As(err, new(*vfs.LostError)) || h.Err() == nil {
				t.Errorf("%v, %v", err, h.Err())
			}
		})
	}
}

// TestWrongContents answers with messages of the right type that no server would send.
func TestWrongContents(t *testing.T) {
	for _, tt := range []struct {
		operation, name string
		answer          wire.Message
	}{
		{"resolve", "no path", &wire.Paths{}},
		{"resolve", "two paths", &wire.Paths{Paths: []string{"/a", "/b"}}},
		{"readlink", "no target", &wire.Paths{}},
		{"readlink", "two targets", &wire.Paths{Paths: []string{"a", "b"}}},
		{"open path", "a file", &wire.Opened{}},
		{"open parent", "a file", &wire.Opened{}},
		{"follow", "a file", &wire.Opened{}},
		{"open listed", "a file", &wire.Opened{}},
		{"mkdir late", "a file", &wire.Opened{}},
		{"list", "a name twice", &wire.Listing{First: true, Last: true, End: true, Entries: []wire.Entry{listed("a", 0), listed("a", 0)}}},
		{"open", "more than asked for", &wire.Got{Whole: true, Data: make([]byte, small+1)}},
		{"read", "a byte more", &wire.Data{Data: make([]byte, piece+1)}},
		{"read", "all that fits", &wire.Data{Data: make([]byte, wire.MaxData)}},
		{"read in order", "a byte more", &wire.Data{Data: make([]byte, piece+1)}},
		{"next data", "data before", &wire.Range{Start: 9, End: 20}},
		{"next data", "no data", &wire.Range{Start: 10, End: 10}},
		{"sums", "a piece of one", &wire.Data{Data: make([]byte, blocksum.Size(nil)+1)}},
		{"sums", "more", &wire.Data{Data: make([]byte, 5*blocksum.Size(nil))}},
		{"read xattr", "more", &wire.Data{Data: make([]byte, 11)}},
		{"carry", "more errors", &wire.SetAnswer{Errors: make([]*wire.Error, 2)}},
		{"put", "more errors", &wire.SetAnswer{Errors: make([]*wire.Error, 2)}},
		{"finish", "an error of nothing", &wire.SetAnswer{Errors: make([]*wire.Error, 1)}},
		{"copy", "more", &wire.Number{N: 11}},
		{"copy", "all there can be", &wire.Number{N: math.MaxInt64}},
	} {
		t.Run(tt.operation+", "+tt.name, func(t *testing.T) {
			o := operationCalled(t, tt.operation)
			h, err := attack(t, o, func(wire.Message) []wire.Message { return []wire.Message{tt.answer} })
			if !errors.As(err, new(*vfs.LostError)) {
				t.Errorf("the operation returns %v", err)
			}
			wantRefused(t, h)
		})
	}
}

// TestWholeFileInsteadOfOpening returns the contents of a file that is to be opened only.
func TestWholeFileInsteadOfOpening(t *testing.T) {
	whole := &wire.Got{Whole: true}
	h, err := attack(t, operation{"", &wire.Get{}, func(_ *Host, d vfs.Dir) error {
		return reads(d, func(f vfs.File) error {
			_, first := f.Statx(vfs.StatxChange) // which came with the contents
			return errors.Join(first, failure(f.Statx(vfs.StatxChange)))
		})
	}}, func(wire.Message) []wire.Message { return []wire.Message{whole} })
	if !errors.As(err, new(*vfs.LostError)) {
		t.Errorf("the operation returns %v", err)
	}
	wantRefused(t, h)
}

func operationCalled(t *testing.T, name string) operation {
	t.Helper()
	for _, o := range operations {
		if o.name == name {
			return o
		}
	}
	t.Fatalf("no operation is called %s", name)
	return operation{}
}

// TestWrongNames lists directories and entries by names that they cannot have.
func TestWrongNames(t *testing.T) {
	for _, name := range []string{"../", "a/b", "/ab", "ab/", "a\x00b", "..\x00", "\x00\x00\x00"} {
		for what, listing := range map[string]*wire.Listing{
			"entry":     {First: true, Last: true, End: true, Entries: []wire.Entry{listed("xyz", 0o644)}},
			"directory": {First: true, Last: true, End: true, Path: "xyz"},
		} {
			if what == "directory" && name == "a/b" {
				continue
			}
			t.Run(what, func(t *testing.T) {
				h, err := attack(t, operationCalled(t, "list"), func(wire.Message) []wire.Message {
					return []wire.Message{replaced{listing, "xyz", name}}
				})
				if !errors.As(err, new(*vfs.LostError)) {
					t.Errorf("%q: the operation returns %v", name, err)
				}
				wantRefused(t, h)
			})
		}
	}
	for _, name := range []string{"\x01.\x00", "\x02..", "\x00"} {
		h, err := attack(t, operationCalled(t, "list"), func(wire.Message) []wire.Message {
			long := "\x02xy"[:len(name)]
			return []wire.Message{replaced{&wire.Listing{First: true, Entries: []wire.Entry{listed("xy", 0o644)}}, long, name}}
		})
		if !errors.As(err, new(*vfs.LostError)) {
			t.Errorf("%q: the operation returns %v", name, err)
		}
		wantRefused(t, h)
	}
}

// TestOtherVersion uses a server with another version of the protocol, which the error must report.
func TestOtherVersion(t *testing.T) {
	ours := wire.Hello{Major: wire.Major + 1}
	for _, answer := range []wire.Message{&ours, &wire.Welcome{Hello: ours}} {
		_, err := dialScripted(t, func(wire.Message) []wire.Message { return []wire.Message{answer} })
		want := fmt.Sprintf("it speaks version %d of the protocol, while this one speaks %d", wire.Major+1, wire.Major)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%T: %v, want %q", answer, err, want)
		}
	}
}

// TestWrongBeginnings does not even begin as a server would.
func TestWrongBeginnings(t *testing.T) {
	for name, answer := range map[string]wire.Message{
		"another type":    &wire.Done{},
		"another version": &wire.Welcome{Hello: wire.Hello{Major: wire.Major + 1}},
		"an older one":    &wire.Welcome{},
		"a refusal":       &wire.Hello{Major: wire.Major + 1},
		"not asked for":   unasked{&wire.Done{}},
		"no frame":        raw{nil, "\xff\xff\xff\xff"},
	} {
		t.Run(name, func(t *testing.T) {
			h, err := dialScripted(t, func(wire.Message) []wire.Message { return []wire.Message{answer} })
			if h != nil || !errors.As(err, new(*vfs.LostError)) || !strings.Contains(err.Error(), "the psync there sent ") {
				t.Errorf("%v, %v", h, err)
			}
		})
	}
}

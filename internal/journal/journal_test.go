package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

var testJob = Job{Verb: "copy", Sources: []string{"/src"}, Dest: "/dst", Roots: []string{"/src"}, Settings: []string{"--links", "--filter=H latin\xe9"}}

func create1(t *testing.T) (*Writer, string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "journal")
	w, err := Create(os.OpenFile, name, testJob, Session{})
	if err != nil {
		t.Fatal(err)
	}
	return w, name
}

func (w *Writer) mustEnd(t *testing.T) {
	t.Helper()
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(End{}); err != nil {
		t.Fatal(err)
	}
}

func audit(t *testing.T, name string) *Audit {
	t.Helper()
	f, err := Read(name, "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	a, err := f.Audit()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// text describes an audit in short.
func (a *Audit) text() string {
	s := fmt.Sprintf("%d found, %d done, %d failed, %d missing", a.Found, a.Done, a.Failed, a.Missing)
	for _, o := range a.Open {
		s += fmt.Sprintf("; %d:%s %d", o.Root, o.Path, o.Failed)
	}
	return s
}

// do writes the record that op describes: "+path child..." for a directory, with ! if an entry failed, ~ if it waits, @
// if it has links, ^ for each empty directory in it, and * if it was recorded before; "=path" for a Completion, with !
// if it has a failure.
func (w *Writer) do(op string) {
	fields := strings.Fields(op)
	marks := fields[0][:strings.IndexFunc(fields[0], func(r rune) bool { return !strings.ContainsRune("+=!~*@^", r) })]
	failed := int64(strings.Count(marks, "!"))
	id := w.id(fields[0][len(marks):])
	if marks[0] == '=' {
		w.Completed(Completion{id, failed})
		return
	}
	w.Directory(&Directory{
		ID: id, Failed: failed, Children: fields[1:], Entries: int64(len(fields) - 1),
		Waits: strings.Contains(marks, "~"), Repeated: strings.Contains(marks, "*"), Empty: int64(strings.Count(marks, "^")), HasLinks: strings.Contains(marks, "@"),
	})
}

// id returns the identifier of a path; "." is the root.
func (w *Writer) id(path string) ID {
	id := w.Key.Root(0)
	for name := range strings.SplitSeq(path, "/") {
		if name != "." {
			id = w.Key.Child(id, name)
		}
	}
	return id
}

func TestAuditAndProgress(t *testing.T) {
	for _, test := range []struct{ records, audit, states string }{
		{"", "1 found, 0 done, 0 failed, 1 missing; 0: 0", ".=open"},
		{"+.", "1 found, 1 done, 0 failed, 0 missing", ".=done"},
		{"+^^. a,+^a", "5 found, 5 done, 0 failed, 0 missing", ".=done a=done"},
		{"+^^. a,+a,+*^.", "2 found, 2 done, 0 failed, 0 missing", ".=done"},
		{"+. a b,+a,+b c,+b/c", "4 found, 4 done, 0 failed, 0 missing", ".=done a=done b/c=done new=open"},
		{"+b/c,+b c,+a,+. a b", "4 found, 4 done, 0 failed, 0 missing", ".=done a=done b/c=done"},
		{"+. a b,+b c,+b/c", "4 found, 3 done, 0 failed, 1 missing; 0:a 0", ".=below:a a=open b=done b/c=done"},
		{"+. a b,+a,+b c d,+b/d", "5 found, 4 done, 0 failed, 1 missing; 0:b/c 0", ".=below:b a=done b=below:c b/c=open b/d=done"},
		{"+a,+b c,+b/c", "2 found, 1 done, 0 failed, 1 missing; 0: 0", ".=open a=done b=done b/c=done"},
		{"+. a,+!!a", "2 found, 1 done, 1 failed, 0 missing; 0:a 2", ".=below:a a=open"},
		{"+!. a,+a", "2 found, 1 done, 1 failed, 0 missing; 0: 1", ".=open a=done"},
		{"+. a,+~a", "2 found, 1 done, 0 failed, 1 missing; 0:a 0", ".=below:a a=open"},
		{"+. a,+~a,=a", "2 found, 2 done, 0 failed, 0 missing", ".=done a=done"},
		{"+. a,=a,+~a", "2 found, 1 done, 0 failed, 1 missing; 0:a 0", ".=below:a a=open"},
		{"+. a,+~a,=!a", "2 found, 1 done, 1 failed, 0 missing; 0:a 1", ".=below:a a=open"},
		{"+. a,+~!a,=a", "2 found, 1 done, 1 failed, 0 missing; 0:a 1", ".=below:a a=open"},
		{"+. a,+!a,+*a", "2 found, 2 done, 0 failed, 0 missing", ".=done a=done"},
		{"+. a,+a,+*!a", "2 found, 1 done, 1 failed, 0 missing; 0:a 1", ".=below:a a=open"},
		{"+. a,+~a,+*a", "2 found, 2 done, 0 failed, 0 missing", ".=done"},
		// Two workers had the same directory.
		{"+. a,+~a,+~a,=a", "2 found, 1 done, 0 failed, 1 missing; 0:a 0", ".=below:a a=open"},
		{"+. a,+~a,+a", "2 found, 1 done, 0 failed, 1 missing; 0:a 0", ".=below:a a=open"},
		{"+. a,+~a,+~a,=a,=a", "2 found, 2 done, 0 failed, 0 missing", ".=done a=done"},
		{"+. a,+!a,+a", "2 found, 1 done, 1 failed, 0 missing; 0:a 1", ".=below:a a=open"},
		{"+. a,+~a,+~a,=!a,=a", "2 found, 1 done, 1 failed, 0 missing; 0:a 1", ".=below:a a=open"},
		{"+. a,+~a,+~a,=!a,=a,+*a", "2 found, 2 done, 0 failed, 0 missing", ".=done a=done"},
		{"+. a,+~a,+~a,=!a,=a,+*~a,=a", "2 found, 2 done, 0 failed, 0 missing", ".=done a=done"},
		// What is above a/b is gone, and so is a/b, which was never done.
		{"+. a,+a b,+*.", "1 found, 1 done, 0 failed, 0 missing", ".=done"},
		{"+. a,+a b,+!a/b,+*.", "1 found, 1 done, 0 failed, 0 missing", ".=done"},
		{"+. a,+a b c,+a/c,+*!. a,+*a c,+*. a", "3 found, 3 done, 0 failed, 0 missing", ".=done a=done"},
		{"+. a,+@a b,+a/b", "3 found, 3 done, 0 failed, 0 missing", ".=below:a a=open a/b=done"},
	} {
		w, name := create1(t)
		for op := range strings.SplitSeq(test.records, ",") {
			if op != "" {
				w.do(op)
			}
		}
		w.mustEnd(t)
		if got := audit(t, name).text(); got != test.audit {
			t.Errorf("audit of %q:\n%s, want\n%s", test.records, got, test.audit)
		}
		again, p, cut, err := Resume(os.OpenFile, name, testJob, Session{}, true)
		if err != nil || cut != 0 {
			t.Fatal(err, cut)
		}
		again.mustEnd(t)
		for field := range strings.FieldsSeq(test.states) {
			path, want, _ := strings.Cut(field, "=")
			if got := p.describe(w.id(path)); got != want {
				t.Errorf("after %q, %s is %s, want %s", test.records, path, got, want)
			}
		}
	}
}

func (p *Progress) describe(id ID) string {
	switch p.State(id) {
	case OpenBelow:
		below := slices.Sorted(slices.Values(p.Below(id)))
		return "below:" + strings.Join(below, "+")
	case Done:
		return "done"
	}
	return "open"
}

// TestCutAnywhere truncates a journal at every byte, or changes that byte. The part that counts is always a prefix
// of the records, and the length of the rest is reported.
func TestCutAnywhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, name := create1(t)
		var texts []string // of audits, after each commit
		for _, op := range []string{"+a", "+. a b c", "+b x", "+c", "+b/x"} {
			texts = append(texts, audit(t, name).text())
			w.do(op)
			time.Sleep(2 * maxDelay) // in the time of the test, which does not wait
			synctest.Wait()
		}
		w.mustEnd(t)
		texts = append(texts, audit(t, name).text())
		whole, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		first := len(magic) + frameHeader + int(binary.LittleEndian.Uint32(whole[len(magic):])) // the end of the first frame
		damaged := filepath.Join(t.TempDir(), "damaged")
		check := func(b []byte, what string, at int) {
			if err := os.WriteFile(damaged, b, 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := Read(damaged, "")
			if err != nil {
				if foreign := what == "changed" && at < len(magic); !foreign && !errors.Is(err, errEmpty) || at >= first {
					t.Errorf("%s at %d: %v", what, at, err)
				}
				return
			}
			defer f.Close()
			a, err := f.Audit()
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Contains(texts, a.text()) {
				t.Errorf("%s at %d: audit says %s", what, at, a.text())
			}
			if sound := f.sound.offset; f.Untrusted != int64(len(b))-sound || sound > int64(at) {
				t.Errorf("%s at %d: sound up to %d, %d bytes are not trusted", what, at, sound, f.Untrusted)
			}
			again, _, cut, err := Resume(os.OpenFile, damaged, testJob, Session{}, true)
			if err != nil {
				t.Fatal(err)
			}
			again.mustEnd(t)
			if cut != f.Untrusted {
				t.Errorf("%s at %d: %d bytes cut, want %d", what, at, cut, f.Untrusted)
			}
			if got := audit(t, damaged).text(); got != a.text() {
				t.Errorf("%s at %d: audit says %s after going on, before %s", what, at, got, a.text())
			}
		}
		for i := range whole {
			check(whole[:i], "cut", i)
			b := bytes.Clone(whole)
			b[i] ^= 1 << (i % 8)
			check(b, "changed", i)
		}
	})
}

func TestFramesInAnotherOrder(t *testing.T) {
	w, name := create1(t)
	w.do("+. a")
	w.mustEnd(t)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	// The first frame once more at the end does not follow from what precedes it.
	f, err := Read(name, "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := int64(len(text))
	if err := os.WriteFile(name, append(text, text[len(magic):]...), 0o600); err != nil {
		t.Fatal(err)
	}
	g, err := Read(name, "")
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if g.sound.offset != n || g.Untrusted != n-int64(len(magic)) {
		t.Errorf("sound up to %d of %d, %d are not trusted", g.sound.offset, n, g.Untrusted)
	}
}

// TestCrash has the system crash: only what was synced counts then.
func TestCrash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		name := filepath.Join(t.TempDir(), "journal")
		w, err := Create(os.OpenFile, name, testJob, Session{Boot: "first"})
		if err != nil {
			t.Fatal(err)
		}
		syncs := 0
		w.SyncDest = func() bool { syncs++; return true }
		w.do("+. a b")
		time.Sleep(syncInterval)
		w.do("+a")
		time.Sleep(2 * maxDelay) // a is recorded, and then the sync begins
		synctest.Wait()
		w.do("+b")
		time.Sleep(2 * maxDelay)
		w.mustEnd(t)
		if syncs != 1 {
			t.Errorf("the destination was synced %d times", syncs)
		}
		for _, test := range []struct{ boot, want string }{
			{"first", "3 found, 3 done, 0 failed, 0 missing"},
			{"second", "3 found, 2 done, 0 failed, 1 missing; 0:b 0"},
		} {
			f, err := Read(name, test.boot)
			if err != nil {
				t.Fatal(err)
			}
			a, err := f.Audit()
			f.Close()
			if err != nil || a.text() != test.want {
				t.Errorf("at the %s boot: %s, %v, want %s", test.boot, a.text(), err, test.want)
			}
		}
		again, p, cut, err := Resume(os.OpenFile, name, testJob, Session{Boot: "second"}, false)
		if err != nil || cut == 0 {
			t.Fatal(err, cut)
		}
		if got := p.describe(w.id("b")); got != "open" {
			t.Errorf("b is %s", got)
		}
		again.mustEnd(t)
		third, p, _, err := Resume(os.OpenFile, name, testJob, Session{Boot: "third"}, false)
		if err != nil {
			t.Fatal(err)
		}
		third.mustEnd(t)
		if p.describe(w.id("a")) != "done" {
			t.Error("what had survived one crash does not count after another")
		}
	})
}

func TestRefusals(t *testing.T) {
	w, name := create1(t)
	if _, err := Create(os.OpenFile, name, testJob, Session{}); !errors.As(err, new(*ExistsError)) {
		t.Errorf("Create of what exists: %v", err)
	}
	if _, _, _, err := Resume(os.OpenFile, name, testJob, Session{}, false); !errors.As(err, new(*LockedError)) {
		t.Errorf("Resume of one that is in use: %v", err)
	}
	if f, err := Read(name, ""); err != nil || !f.Running {
		t.Errorf("Read of one that is in use: %v", err)
	} else {
		f.Close()
	}
	w.mustEnd(t)
	for _, change := range []func(*Job){
		func(j *Job) { j.Verb = "sync" },
		func(j *Job) { j.Sources = []string{"/other"} },
		func(j *Job) { j.Dest = "/other" },
		func(j *Job) { j.Settings = nil },
		func(j *Job) { j.Roots = nil },
		func(j *Job) { j.Settings = []string{j.Settings[1], j.Settings[0]} },
		func(j *Job) { j.Settings = []string{"--links", "--delete"} },
	} {
		j := testJob
		change(&j)
		if _, _, _, err := Resume(os.OpenFile, name, j, Session{}, false); !errors.As(err, new(*JobError)) {
			t.Errorf("Resume of %v: %v", j, err)
		}
	}
	if err := os.Truncate(name, int64(len(magic))+5); err != nil {
		t.Fatal(err)
	}
	if again, p, _, err := Resume(os.OpenFile, name, testJob, Session{}, false); err != nil || p != nil {
		t.Errorf("Resume of one in which nothing was yet: %v, %v", p, err)
	} else {
		again.do("+.")
		again.mustEnd(t)
		if got := audit(t, name).text(); got != "1 found, 1 done, 0 failed, 0 missing" {
			t.Error(got)
		}
	}
	other := filepath.Join(t.TempDir(), "other")
	if err := os.WriteFile(other, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(other, ""); !errors.As(err, new(*FormatError)) {
		t.Errorf("Read of something else: %v", err)
	}
}

// TestWriteFailure has the disk of the journal be full.
func TestWriteFailure(t *testing.T) {
	w, _ := create1(t)
	failed := make(chan error, 1)
	w.Failed = func(err error) { failed <- err }
	w.f.Close()
	w.do("+. a")
	if err := <-failed; !errors.Is(err, os.ErrClosed) {
		t.Errorf("the failure is %v", err)
	}
	w.do("+a")
	if err := w.Flush(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Flush = %v", err)
	}
}

// TestRandomTrees audits trees of many directories in several parts, some of which are left out.
func TestRandomTrees(t *testing.T) {
	const n = 3000
	w, name := create1(t)
	r := rand.New(rand.NewPCG(1, 2))
	dirs := []string{"."}
	children := make(map[string][]string)
	for i := 1; i < n; i++ {
		up := dirs[r.IntN(len(dirs))]
		child := fmt.Sprint("d", i)
		children[up] = append(children[up], child)
		dirs = append(dirs, strings.TrimPrefix(up+"/"+child, "./"))
	}
	r.Shuffle(n, func(i, j int) { dirs[i], dirs[j] = dirs[j], dirs[i] })
	left := make(map[string]bool) // out
	for i, d := range dirs {
		if i%100 == 99 {
			left[d] = true
		} else {
			w.do("+" + d + " " + strings.Join(children[d], " "))
		}
	}
	missing := 0
	var walk func(d string)
	walk = func(d string) {
		if left[d] {
			missing++ // the directories below it are unknown
			return
		}
		for _, c := range children[d] {
			walk(strings.TrimPrefix(d+"/"+c, "./"))
		}
	}
	walk(".")
	w.mustEnd(t)
	f, err := Read(name, "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	last, err := f.latest()
	if err != nil {
		t.Fatal(err)
	}
	var one *Audit
	for _, parts := range []uint64{1, 2, 7} {
		a, open := new(Audit), make(map[ID]int64)
		var p auditedPart
		for part := range parts {
			if err := p.audit(f, a, last, part, parts, open); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.nameOpen(a, last, open); err != nil {
			t.Fatal(err)
		}
		if one == nil {
			one = a
		}
		if a.text() != one.text() || a.Missing != int64(missing) || a.Complete() {
			t.Errorf("audit in %d parts: %s\nwant %d missing", parts, a.text(), missing)
		}
	}
}

func FuzzRead(f *testing.F) {
	name := filepath.Join(f.TempDir(), "journal")
	w, err := Create(os.OpenFile, name, testJob, Session{})
	if err != nil {
		f.Fatal(err)
	}
	for _, op := range []string{"+. a b", "+~a", "=a", "+!b"} {
		w.do(op)
	}
	if err := errors.Join(w.Flush(), w.Close(End{})); err != nil {
		f.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text[len(magic)+frameHeader:])
	f.Fuzz(func(t *testing.T, records []byte) {
		if len(records) == 0 {
			return
		}
		var dir Directory
		_ = visitRecords(records, &dir, visitor{directory: func(d *Directory) { _ = appendDirectory(nil, d) }})
	})
}

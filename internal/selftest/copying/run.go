package copying

import (
	"fmt"
	"slices"
	"sync"

	"psync/internal/content"
	"psync/internal/engine"
	"psync/internal/engine/source"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/selftest/check"
	"psync/internal/selftest/tree"
	"psync/internal/tempname"
)

// A run holds the events of a copy.
type run struct {
	t      *check.T
	mu     sync.Mutex // guards events
	events []report.Event
	err    error
}

// Event implements [report.Sink].
func (r *run) Event(e report.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
}

// everything keeps all attributes that the system can set, except access times, which change when they are
// read.
func everything(t *check.T) metadata.Keep {
	return metadata.Keep{
		Modes: true, Perms: true, Owner: true, Group: true, Mtime: true,
		Btime: t.Profile.SetsBtime, Flags: true, ACLs: true, ImpliedACLs: true, Xattrs: true, Asked: ^report.Attr(0),
	}
}

// copyTree copies src to dst with everything kept.
func copyTree(src, dst *check.T, changes ...func(*engine.Job)) *run {
	r := &run{t: dst}
	j := engine.Job{
		Options: engine.Options{
			Threads: 4,
			Policy:  plan.Policy{Sync: true, Devices: true, Specials: true},
			Keep:    everything(dst), User: dst.User, SourceProfile: dst.Profile, DestProfile: dst.Profile,
			HardLinks: true, Content: content.Options{Sparse: true},
		},
		Sources: []source.Tree{{Dir: src.Dir, Label: "src"}},
		Dest:    dst.Dir, DestLabel: "dst",
		Sink: r, Stats: new(report.Stats),
		// No other process copies to this directory.
		Process: func() tempname.Process {
			return tempname.Process{PID: 1, Alive: func(int, uint64) bool { return true }}
		},
	}
	for _, change := range changes {
		change(&j)
	}
	r.err = engine.Run(dst.Context(), j)
	return r
}

// Changes of a copy.
func deleting(j *engine.Job)   { j.Delete.On = true }
func notSparse(j *engine.Job)  { j.Content.Sparse = false }
func inPlace(j *engine.Job)    { j.InPlace, j.Content.Sparse = true, false }
func dryRun(j *engine.Job)     { j.DryRun = true }
func askingACLs(j *engine.Job) { j.Keep.ImpliedACLs = false }

// withoutFlags and withoutACLs do not lift locks and ACLs.
func withoutFlags(j *engine.Job) { j.Keep.Flags = false }
func withoutACLs(j *engine.Job)  { j.Keep.ACLs = false }

// wantComplete fails the check if the copy has lost anything.
func (r *run) wantComplete() {
	r.t.Must(r.err)
	if lost := r.lost(); len(lost) > 0 {
		r.t.Fatalf("%s", words(lost))
	}
}

// wantIdle fails the check if the copy has done anything.
func (r *run) wantIdle() {
	r.t.Must(r.err)
	if len(r.events) > 0 {
		r.t.Fatalf("the second run: %s", words(r.events))
	}
}

// wantOnlyLost fails the check unless the copy has reported one entry only, and continued.
func (r *run) wantOnlyLost(name string) {
	r.t.Must(r.err)
	lost := r.lost()
	if len(lost) == 0 || r.about(name, report.Fail) != len(lost) {
		r.t.Fatalf("instead of a failure of %s: %s", name, words(lost))
	}
	r.t.Logf("%s", words(lost))
}

// copyTwice copies, compares both sides, and copies again.
func copyTwice(src, dst *check.T) {
	copyTree(src, dst).wantComplete()
	tree.WantSame(src, dst)
	copyTree(src, dst).wantIdle()
	tree.WantSame(src, dst)
}

// lost returns the events about failures.
func (r *run) lost() []report.Event {
	return slices.DeleteFunc(slices.Clone(r.events), func(e report.Event) bool { return e.Kind < report.Skip })
}

// count returns the number of events of these kinds.
func (r *run) count(kinds ...report.Kind) (n int) {
	for _, e := range r.events {
		if slices.Contains(kinds, e.Kind) {
			n++
		}
	}
	return n
}

// about returns the number of events of a kind about entries called name.
func (r *run) about(name string, kind report.Kind) int {
	n := 0
	for _, e := range r.events {
		if e.Name == name && e.Kind == kind {
			n++
		}
	}
	return n
}

// words describes the first events.
func words(events []report.Event) string {
	s := ""
	for i, e := range events {
		if i == 5 {
			return fmt.Sprintf("%s and %d more", s, len(events)-i)
		}
		if i > 0 {
			s += "; "
		}
		s += fmt.Sprintf("%s %s", kindWords[e.Kind], e.Path())
		if e.Attr != 0 {
			s += " " + e.Attr.String()
		}
		if e.Diff != 0 {
			s += fmt.Sprintf(" (differences %#x)", uint16(e.Diff))
		}
		if e.Err != nil {
			s += ": " + e.Err.Error()
		}
	}
	return s
}

var kindWords = [...]string{
	report.Mkdir: "makes", report.Copy: "copies", report.Replace: "replaces", report.Symlink: "links",
	report.Link: "hard-links", report.SetAttr: "adjusts", report.Delete: "deletes", report.Skip: "skips",
	report.Vanish: "misses", report.Fail: "fails", report.Unkept: "cannot keep",
}

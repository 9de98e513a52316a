package selftest

import (
	"fmt"
	"slices"
	"sync"

	"psync/internal/engine"
	"psync/internal/engine/source"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
)

// A ran is what psync told about a copy.
type ran struct {
	mu     sync.Mutex // guards events
	events []report.Event
	err    error
}

// Event notes what is told.
func (r *ran) Event(e report.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
}

// everything keeps all that the system can set. Times of access are changed by looking.
func (x *box) everything() metadata.Keep {
	return metadata.Keep{
		Modes: true, Perms: true, Owner: true, Group: true, Mtime: true,
		Btime: x.Profile.SetsBtime, Flags: true, ACLs: true, ImpliedACLs: true, Xattrs: true, Asked: ^report.Attr(0),
	}
}

// copy lets psync make dst like src, with everything kept.
func (x *box) copy(src, dst *box, changes ...func(*engine.Job)) *ran {
	r := new(ran)
	j := engine.Job{
		Options: engine.Options{
			Threads: 4,
			Policy:  plan.Policy{Sync: true, Devices: true, Specials: true},
			Keep:    x.everything(), User: x.User, Profile: x.Profile,
			HardLinks: true, Sparse: true,
		},
		Sources: []source.Tree{{Dir: src.dir, Label: "src"}},
		Dest:    dst.dir, DestLabel: "dst",
		Sink: r, Stats: new(report.Stats),
		// Nobody else copies to this place.
		Temporaries: engine.Temporaries{PID: 1, Alive: func(int, uint64) bool { return true }},
	}
	for _, change := range changes {
		change(&j)
	}
	r.err = engine.Run(x.ctx, j)
	return r
}

// Changes of what a copy does.
func deleting(j *engine.Job)   { j.Delete.On = true }
func notSparse(j *engine.Job)  { j.Sparse = false }
func inPlace(j *engine.Job)    { j.InPlace, j.Sparse = true, false }
func dryRun(j *engine.Job)     { j.DryRun = true }
func askingACLs(j *engine.Job) { j.Keep.ImpliedACLs = false }

// withoutFlags and withoutACLs leave locks alone, and what ACLs deny.
func withoutFlags(j *engine.Job) { j.Keep.Flags = false }
func withoutACLs(j *engine.Job)  { j.Keep.ACLs = false }

// well wants a copy to have lost nothing.
func (x *box) well(r *ran) {
	x.must(r.err)
	if lost := r.lost(); len(lost) > 0 {
		x.failf("%s", words(lost))
	}
}

// idle wants a copy to have had nothing to do.
func (x *box) idle(r *ran) {
	x.must(r.err)
	if len(r.events) > 0 {
		x.failf("the second run: %s", words(r.events))
	}
}

// lost returns what could not be done.
func (r *ran) lost() []report.Event {
	return slices.DeleteFunc(slices.Clone(r.events), func(e report.Event) bool { return e.Kind < report.Skip })
}

// count returns how often something of these kinds was told.
func (r *ran) count(kinds ...report.Kind) (n int) {
	for _, e := range r.events {
		if slices.Contains(kinds, e.Kind) {
			n++
		}
	}
	return n
}

// about returns how often something of a kind was told of entries called name.
func (r *ran) about(name string, kind report.Kind) int {
	n := 0
	for _, e := range r.events {
		if e.Name == name && e.Kind == kind {
			n++
		}
	}
	return n
}

// words tells of a few events.
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

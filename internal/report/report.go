// Package report defines what a run reports: events as they happen, and
// statistics that can be read at any time without stopping a worker.
package report

import (
	"io/fs"
	"strings"
)

// A Kind is the kind of an event.
type Kind uint8

// The kinds of events. Those before [Skip] are steps of the plan: a dry run
// emits them exactly as a real run does.
const (
	Mkdir          Kind = iota // a directory is made
	Copy                       // a file is made
	Replace                    // an existing entry is replaced by a file, a symbolic link or a directory
	Symlink                    // a symbolic link is made
	Link                       // a hard link is made, to an entry of the destination (Target) or of another tree
	SetAttr                    // an entry that is otherwise current gets attributes
	Delete                     // an entry that the source lacks is removed
	Skip                       // an entry is left out: a fifo, socket or device, or what Err says
	Vanish                     // a source entry was removed before it could be copied
	Fail                       // an entry could not be copied
	Unkept                     // the entry is there, but an attribute could not be set
	VolumeFile                 // an entry that the system maintains in the root of a volume is left out
	Leave                      // a temporary file or directory is kept, because a process on another host may be using it
	Outage                     // the volume that Root is on does not answer; the run waits for it
	OutageEnd                  // the volume answers again
	Hang                       // a system call about an entry has not returned for a long time
	RemovedSource              // an entry of the source, which the destination has, was removed
	Deleting                   // an entry that is not a directory is about to be removed; if the sink wants [Wants].Announcements
	RemovingSource             // an entry of the source, which the destination has, is about to be removed; if the sink wants [Wants].Announcements
	Current                    // an entry of the destination is up to date; if the sink wants [Wants].Rest
	Omit                       // an entry of the source is left out for the reason Why; if the sink wants [Wants].Rest
	BackUp                     // an entry of the destination was kept as Target; if the sink wants [Wants].Rest
	Hide                       // a rule leaves out an entry of the source; if the sink wants [Wants].Rest
	Show                       // a rule includes an entry of the source; if the sink wants [Wants].Rest
	Protect                    // a rule keeps an entry of the destination from being removed; if the sink wants [Wants].Rest
	Risk                       // a rule allows that an entry of the destination is removed; if the sink wants [Wants].Rest
	Expect                     // there is work to do in the directory Dir of the destination; if the sink wants [Wants].Dirs
	Done                       // work that Expect has announced is done, but for what is left to the end of the run; likewise
)

// A Reason says why an entry is left out, where that is not an error.
type Reason uint8

// The reasons.
const (
	NotInDest Reason = iota + 1 // the destination lacks it, and --existing is given
	InDest                      // the destination has it, and --ignore-existing is given
	OlderThan                   // the destination has a newer file, and --update is given
	OverMax                     // it is larger than --max-size allows
	UnderMin                    // it is smaller than --min-size allows
	Unsafe                      // it is a link that leads out of the tree
)

// An Event describes what happened to one entry. Its path is joined only when
// [Event.Path] is called, so that events cost the workers nothing.
type Event struct {
	Kind   Kind
	Root   string      // for Skip and later kinds up to RemovingSource: the operand, as typed, that Dir is relative to
	Dir    string      // slash-separated directory; for other kinds relative to DEST
	Name   string      // last element, or "" for Dir itself
	IsDir  bool        // the entry is a directory
	Target string      // of a symbolic link; of a hard link the path below DEST of another name; for BackUp the path of the backup; for Hide and later kinds the pattern, or "" for one from a file
	Size   int64       // of a file, in bytes
	Diff   Diff        // for kinds before Skip: how the entry differs from the destination
	Attr   Attr        // for Unkept: one attribute
	Type   fs.FileMode // type bits of the entry, where the kind does not determine it
	Why    Reason      // for Omit; for Skip Unsafe or 0
	Asked  bool        // for Unkept: the user asked for the attribute by name, so this is a failure
	Basis  *Basis      // for new entries, if the sink wants [Wants].Bases: what another tree has of the entry; nil: nothing
	More   *Details    // for steps, if the sink wants some
	Err    error       // for Vanish, Fail and Unkept; for Skip the reason, or nil for a special file; for Outage and later kinds what is known
}

// Path returns Root, Dir and Name joined by slashes.
func (e Event) Path() string {
	parts := make([]string, 0, 3)
	for _, p := range []string{e.Root, e.Dir, e.Name} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	switch {
	case len(parts) < 2:
	case strings.HasSuffix(parts[0], "/"):
		parts[0] = strings.TrimRight(parts[0], "/") // "/" and "dir/" alike
	case strings.HasSuffix(parts[0], ":") && !strings.Contains(parts[0], "/"):
		parts = append([]string{parts[0] + parts[1]}, parts[2:]...) // a home directory: HOST:PATH
	}
	if len(parts) == 0 {
		return "."
	}
	return strings.Join(parts, "/")
}

// A Basis says what a tree of --link-dest or its like has of an entry.
type Basis struct {
	Diff   Diff // how that differs from the source
	Same   bool // contents need not come from the source
	Linked bool // it is what the destination has now
}

// SetSame sets Same, unless b is nil.
func (b *Basis) SetSame() {
	if b != nil {
		b.Same = true
	}
}

// A Sink receives events. Event is called by many workers at once.
type Sink interface {
	Event(Event)
}

// Wants says which events a Sink wants, in addition to those of what goes wrong.
type Wants struct {
	Steps         bool   // of steps that succeed; otherwise they need not be sent
	Announcements bool   // Deleting before Delete, and RemovingSource before RemovedSource, from the same worker
	Rest          bool   // of entries that are left as they are, of backups, and of rules: Current and later kinds
	Dirs          bool   // of work in directories: Expect and Done. That above a directory is done after Expect for those in it
	Bases         bool   // that the destination itself is made, and what other trees have of new entries
	Details       Detail // of the entries of steps
}

// A Chooser is a Sink that says what it wants.
type Chooser interface{ Wants() Wants }

// WantsOf returns what a Sink wants: the steps, unless it says otherwise.
func WantsOf(s Sink) Wants {
	if c, ok := s.(Chooser); ok {
		return c.Wants()
	}
	return Wants{Steps: true}
}

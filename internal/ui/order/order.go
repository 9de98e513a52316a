// Package order prints the lines of a run in the order in which rsync prints them, whatever the order in which workers
// report what they are about.
//
// rsync goes through a tree depth first: a directory, what is removed from it, its other entries by name, and then its
// subdirectories by name, each with what is below it. [Lines] keeps the lines of a directory until nothing more is reported
// of it, and then until those of all directories before it are printed. If that takes too much memory, it prints what it has,
// and from then on every line at once.
//
// What rsync copies, and what else it says of entries, come from different processes; see [Class].
package order

import (
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"psync/internal/output"
	"psync/internal/report"
)

// A Phase says when entries are removed that the source lacks.
type Phase uint8

// The phases.
const (
	During Phase = iota // with each directory
	Before              // before anything is copied
	After               // when everything is copied
)

// Config says how lines are printed.
type Config struct {
	Print   func([]byte) // prints lines; calls never overlap
	Removes Phase
	Limit   int // how many bytes of lines are kept; 0: 64 MiB
}

// defaultLimit is the default of [Config.Limit].
const defaultLimit = 64 << 20

// Lines puts lines in order.
type Lines struct {
	config Config
	out    *output.Output
	first  *output.Segment // holds up all others while removals that come first are not known

	mu     sync.Mutex // guards what follows
	dirs   map[string]*dir
	before []removal // what the segment first is to print
	after  []removal // what is printed after all directories
	late   []Line    // of directories that were done
	kept   int       // bytes of lines that are not printed
	over   bool      // no order is kept any more

	printing sync.Mutex // guards batch
	batch    batch
}

// New returns Lines that have the destination only.
func New(c Config) *Lines {
	if c.Limit == 0 {
		c.Limit = defaultLimit
	}
	l := &Lines{config: c, dirs: make(map[string]*dir), batch: batch{print: c.Print}}
	l.out, l.first = output.New(output.Config{})
	top := l.first.After()
	l.dirs[""] = &dir{segment: top}
	if c.Removes != Before {
		l.first.Finish()
	}
	return l
}

// Work says what an event says of the work in a directory.
func (l *Lines) Work(e report.Event) {
	if e.Kind == report.Expect {
		l.Expect(e.Dir)
	} else {
		l.Done(e.Dir)
	}
}

// Expect says that there is work to do in a directory, more than once if several workers do it for several sources. It must
// be called while the directory above is not done, except for the destination, and for that before any directory is done.
func (l *Lines) Expect(at string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		return
	}
	if d := l.dirLocked(at); d != nil {
		d.pending++
	}
}

// Done ends what Expect has begun: nothing more is reported of a directory.
func (l *Lines) Done(at string) {
	l.mu.Lock()
	d := l.dirs[at]
	if d == nil {
		l.mu.Unlock()
		return
	}
	var done []*dir
	if d.pending--; d.pending <= 0 {
		done = l.endLocked(nil, at, d)
	}
	l.mu.Unlock()
	l.print(done)
	if d.segment.Lone() {
		l.forget(d)
	}
}

// forget forgets a directory of which nothing is to be printed, nor of what is below it.
func (l *Lines) forget(d *dir) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if d.parent != nil {
		delete(d.parent.subdirs, d)
	}
}

// Add adds a line.
func (l *Lines) Add(line Line) {
	l.mu.Lock()
	if l.over {
		l.mu.Unlock()
		l.printNow(line)
		return
	}
	l.kept += line.size()
	if d, rel := l.placeLocked(line); d == nil {
		l.late = append(l.late, line)
	} else {
		d.lines = append(d.lines, entryLine{rel, line})
	}
	full := l.kept > l.config.Limit
	l.mu.Unlock()
	if full {
		l.endAll()
	}
}

// Flush prints all lines that are left. No order is kept after it.
func (l *Lines) Flush() {
	l.endAll()
	l.flush()
}

func (l *Lines) flush() {
	l.printing.Lock()
	defer l.printing.Unlock()
	l.batch.flush()
}

// dirLocked returns the directory at a path, and makes it, and those that lead to it. It returns nil if everything on the
// way is done.
func (l *Lines) dirLocked(at string) *dir {
	if d := l.dirs[at]; d != nil || at == "" {
		return d
	}
	up, name := path.Split(at)
	parent := l.dirLocked(strings.TrimSuffix(up, "/"))
	if parent == nil {
		return nil
	}
	d := &dir{segment: l.out.Detached(), name: name, parent: parent}
	l.dirs[at] = d
	if parent.subdirs == nil {
		parent.subdirs = make(map[*dir]struct{})
	}
	parent.subdirs[d] = struct{}{}
	return d
}

// placeLocked returns the directory that a line belongs to, and the path of its entry there. Lines about a directory are its
// own, except those about its removal, or those that no run prints in the order of copying. What is removed with a directory
// belongs to that which it was removed from.
func (l *Lines) placeLocked(line Line) (d *dir, rel string) {
	switch {
	case line.Removal, line.Backup, line.Rule:
	case line.IsDir && line.Class != Sender:
		return l.dirLocked(join(line.Dir, line.Name)), ""
	default:
		return l.dirLocked(line.Dir), line.Name
	}
	at, rel := line.Dir, line.Name
	for l.dirs[at] == nil {
		if at == "" {
			return nil, ""
		}
		up, name := path.Split(at)
		at, rel = strings.TrimSuffix(up, "/"), join(name, rel)
	}
	return l.dirs[at], rel
}

// endLocked ends a directory, and those below it in which there was nothing to do. It appends those whose lines are to be
// printed to done.
func (l *Lines) endLocked(done []*dir, at string, d *dir) []*dir {
	delete(l.dirs, at)
	d.at, d.ended = at, true
	subdirs := slices.SortedFunc(maps.Keys(d.subdirs), compareDirs)
	segments := make([]*output.Segment, len(subdirs))
	for i, sub := range subdirs {
		segments[i] = sub.segment
	}
	d.segment.Insert(segments...)
	done = append(done, d)
	for _, sub := range subdirs {
		if sub.pending == 0 && !sub.ended {
			done = l.endLocked(done, join(at, sub.name), sub)
		}
		sub.parent = nil
	}
	d.subdirs = nil
	switch l.config.Removes {
	case Before:
		l.before = append(l.before, d.takeExtraneous()...)
	case After:
		l.after = append(l.after, d.takeExtraneous()...)
	}
	return done
}

// print has the lines of directories printed in their turn.
func (l *Lines) print(done []*dir) {
	for _, d := range done {
		if len(d.lines) > 0 {
			text, size := d.text()
			inTurn := func(*output.Segment) { l.printText(text, size) }
			if !d.segment.Later(inTurn) {
				inTurn(nil)
			}
			d.lines = nil
		}
		d.segment.Finish()
	}
}

// printText prints lines of which the keeping takes size bytes.
func (l *Lines) printText(t text, size int) {
	l.printing.Lock()
	l.batch.add(t)
	l.printing.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept -= size
}

// printNow prints a line after all others.
func (l *Lines) printNow(line Line) {
	l.printing.Lock()
	defer l.printing.Unlock()
	l.batch.flush()
	l.config.Print(line.Text)
}

// endAll ends all directories, those that contain others first.
func (l *Lines) endAll() {
	l.mu.Lock()
	l.over = true
	var done []*dir
	paths := make([]string, 0, len(l.dirs))
	for at := range l.dirs {
		paths = append(paths, at)
	}
	slices.Sort(paths)
	for _, at := range paths {
		if d := l.dirs[at]; d != nil {
			done = l.endLocked(done, at, d)
		}
	}
	var last []text
	if l.config.Removes == Before {
		last = append(last, textOfRemovals(l.before))
	}
	l.before = nil
	late, after := l.late, l.after
	l.late, l.after = nil, nil
	l.mu.Unlock()
	if last != nil {
		l.printText(last[0], 0)
		l.first.Finish()
	}
	l.print(done)
	if len(after) > 0 {
		l.flush()
		l.printText(textOfRemovals(after), 0)
	}
	for _, line := range late {
		l.printText(textOf(line), line.size())
	}
}

func join(dir, name string) string {
	if dir == "" || name == "" {
		return dir + name
	}
	return dir + "/" + name
}

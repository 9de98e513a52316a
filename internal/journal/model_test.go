package journal

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A model is a run with a journal in small: workers claim directories of a tree, which has three, from a queue. Each
// step of each worker may come next, and between any two, once, the process may be killed, or a task be lost or
// delivered twice.
type model struct {
	queue   string    // tasks, one letter each
	workers [2]worker // at work
	done    string    // directories whose files are copied, in order
	pending string    // records that are not written yet
	written string    // records of the journal
	faults  int       // how many may still happen
	resumed bool
}

// A worker has begun with a task unless that is 0.
type worker struct {
	task byte
	step int
}

// Of the directories, r is the root, a is in it, and b is in a.
var childrenOf = map[byte]string{'r': "a", 'a': "b", 'b': ""}

// What a worker does with a directory, in this order.
const rightOrder = "copy put record ack"

// An explorer looks at every state that a model can come to.
type explorer struct {
	t      *testing.T
	steps  []string
	seen   map[model]bool
	audits map[string]auditResult // by written
	wrong  string                 // the records of a journal that is complete though something is missing; "": there is none
	ends   int
}

type auditResult struct {
	complete bool
	state    map[byte]State
}

func explore(t *testing.T, order string) *explorer {
	x := &explorer{t: t, steps: strings.Fields(order), seen: make(map[model]bool), audits: make(map[string]auditResult)}
	x.visit(model{queue: "r", faults: 1})
	return x
}

func (x *explorer) visit(m model) {
	if x.seen[m] || x.wrong != "" {
		return
	}
	x.seen[m] = true
	idle := m.workers == [2]worker{}
	if m.queue == "" && idle && m.pending == "" {
		x.end(m)
	}
	if m.pending != "" {
		next := m
		next.written, next.pending = m.written+m.pending[:1], m.pending[1:]
		x.visit(next)
	}
	for i := range m.workers {
		x.work(m, i)
	}
	if m.faults > 0 {
		x.fail(m)
	}
}

// work has a worker make its next step.
func (x *explorer) work(m model, i int) {
	w := &m.workers[i]
	if w.task == 0 {
		for k := range m.queue { // any task may be delivered next
			next := m
			next.queue = m.queue[:k] + m.queue[k+1:]
			next.workers[i] = worker{task: m.queue[k]}
			x.visit(next)
		}
		return
	}
	t := w.task
	children := childrenOf[t]
	recorded := m.resumed && x.audit(resumedFrom(m)).state[t] == OpenBelow
	switch x.steps[w.step] {
	case "copy":
		if !recorded && !strings.ContainsRune(m.done, rune(t)) {
			m.done = m.done + string(t)
		}
	case "put":
		for c := range strings.SplitSeq(children, "") {
			if c != "" && (!m.resumed || x.audit(resumedFrom(m)).state[c[0]] != Done) {
				m.queue += c
			}
		}
	case "record":
		if !recorded {
			m.pending += string(t)
		}
	}
	if w.step++; w.step == len(x.steps) {
		*w = worker{}
	}
	m.done = sorted(m.done)
	x.visit(m)
}

// resumedFrom returns the records with which a run has gone on; it keeps them before a mark.
func resumedFrom(m model) string {
	before, _, _ := strings.Cut(m.written, "|")
	return before
}

// fail has one fault happen.
func (x *explorer) fail(m model) {
	m.faults--
	killed := m
	killed.queue, killed.workers, killed.pending, killed.resumed = "", [2]worker{}, "", true
	if x.audit(m.written).state['r'] != Done {
		killed.queue = "r"
	}
	killed.written += "|"
	x.visit(killed)
	for k := range m.queue {
		lost, twice := m, m
		lost.queue = m.queue[:k] + m.queue[k+1:]
		twice.queue += m.queue[k : k+1]
		x.visit(lost)
		x.visit(twice)
	}
	for _, w := range m.workers {
		if w.task != 0 { // the queue believes that the worker is gone
			twice := m
			twice.queue += string(w.task)
			x.visit(twice)
		}
	}
}

// end compares what the journal proves with what was done.
func (x *explorer) end(m model) {
	x.ends++
	if complete := x.audit(m.written).complete; complete && m.done != "abr" {
		x.wrong = m.written
	} else if !complete && m.faults > 0 {
		x.t.Errorf("nothing went wrong, and the journal %q is not complete", m.written)
	}
}

// audit audits a journal of the records.
func (x *explorer) audit(written string) auditResult {
	if j, known := x.audits[written]; known {
		return j
	}
	name := filepath.Join(x.t.TempDir(), "journal")
	w, err := Create(os.OpenFile, name, testJob, Session{})
	if err != nil {
		x.t.Fatal(err)
	}
	ids := map[byte]ID{'r': w.id("."), 'a': w.id("a"), 'b': w.id("a/b")}
	before := resumedFrom(model{written: written})
	for i, r := range written {
		if r == '|' {
			continue
		}
		repeated := i > len(before) && strings.ContainsRune(before, r)
		w.Directory(&Directory{ID: ids[byte(r)], Children: strings.Split(childrenOf[byte(r)], "")[:len(childrenOf[byte(r)])], Repeated: repeated})
	}
	w.mustEnd(x.t)
	j := auditResult{audit(x.t, name).Complete(), make(map[byte]State)}
	again, p, _, err := Resume(os.OpenFile, name, testJob, Session{}, false)
	if err != nil {
		x.t.Fatal(err)
	}
	again.mustEnd(x.t)
	for dir, id := range ids {
		j.state[dir] = p.State(id)
	}
	x.audits[written] = j
	return j
}

func sorted(s string) string {
	b := []byte(s)
	slices.Sort(b)
	return string(b)
}

// TestNeverCompleteWithSomethingMissing looks at every order of steps and faults. That it would notice is shown by
// workers that do things in a wrong order.
func TestNeverCompleteWithSomethingMissing(t *testing.T) {
	x := explore(t, rightOrder)
	if x.wrong != "" {
		t.Errorf("the journal %q is complete, and something is missing", x.wrong)
	}
	if x.ends < 20 {
		t.Errorf("only %d ends were reached", x.ends)
	}
	t.Log(fmt.Sprint(len(x.seen), " states, ", x.ends, " ends"))
	if explore(t, "put record copy ack").wrong == "" {
		t.Error("that directories are recorded before they are copied was not noticed")
	}
}

package protocol

import (
	"bytes"
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"psync/internal/campaign"
	"psync/internal/queue"
)

// A model is a job in small: two hosts copy a tree of three directories, r with a in it and b in a, under a keeper. What
// they do next is what the functions of this package say. Each step of each of them may come next. Time passes in ticks, of
// which a lease has two; a host whose fence is reached ends. Renewals and requests for bundles take time: they are sent,
// carried out and answered. When the others are answered makes no difference to anyone else.
//
// Faults happen, as many as there may be: a host ends at any time, and its last request may still be on its way; time
// passes without that a host renews its leases; a request is carried out once more at any later time; the queue loses a
// bundle that waits, or a record. A host that has ended begins again as a new member.
type model struct {
	hosts   [2]host
	gone    [maxFaults]formerMember // members whose hosts have ended
	late    request                 // is on its way for longer than its host waits for it
	bundles [3]bundle               // of the round: that of the keeper, and those of a and b
	journal [3]recorded
	keeper  decision
	round   int8 // 0: none; 1: the first; 2: a later one
	phase   queue.Phase
	closed  bool
	ended   bool // with exit status 0
	copied  dirs // in the destination
	final   dirs // their last attributes are set
	faults  int8 // that may still happen
	lost    bool // the queue has lost something
}

const (
	maxFaults = 2
	tick      = time.Second
	ticks     = 2
	lease     = ticks * tick
)

// dirs is a set of directories.
type dirs uint8

const (
	dirR dirs = 1 << iota
	dirA
	dirB
	allDirs = dirR | dirA | dirB
)

var paths = [3]string{".", "a", "a/b"}

// child returns the directory in a directory, if there is one.
func (d dirs) child() dirs { return d << 1 & allDirs }

func (d dirs) index() int { return bits.TrailingZeros8(uint8(d)) }

// A host is one process.
type host struct {
	entered  bool // it takes part in the round
	finished bool // and has reported that it has finished
	age      int8 // ticks since that was sent on which its fence depends
	request  request
	sent     int8 // ticks ago
	carried  bool // out
	answer   answer

	claim     int8 // the index of the bundle, or -1
	take      int8
	repeats   bool // it is not the first attempt, or not the first round
	ended     bool // only in a variant: what it leads to is still to be put
	left      dirs // what was put by earlier holders
	stack     dirs
	unput     dirs // one at most
	walked    dirs // and not recorded
	deferred  dirs // attributes are to be set
	attribute dirs // they are set, and that is not recorded

	// What the server knows of the member.
	reported bool
	silent   int8 // ticks since it reported
}

type formerMember struct {
	is       bool
	reported bool
	silent   int8
}

// A request is what a host asks for.
type request struct {
	kind    requestKind
	host    int8
	orphan  bool // the host has ended
	old     bool // another round has begun
	claim   int8
	take    int8
	put     dirs
	walked  dirs
	final   dirs
	repeats bool // records supersede earlier ones
}

type requestKind uint8

const (
	noRequest requestKind = iota
	renews
	claims
	reports
	puts
	appends
	finishes
)

type answer struct {
	failed  bool // a claim has ended, or there is none
	claim   int8
	take    int8
	repeats bool
	dirs    dirs
	left    dirs
}

// A bundle is a key of the queue.
type bundle struct {
	state   bundleState
	dirs    dirs
	attempt int8
	take    int8
	age     int8 // ticks since the lease began
}

type bundleState uint8

const (
	none bundleState = iota
	waits
	held
	done
)

// recorded is what records say about a directory.
type recorded struct {
	is    bool
	waits int8
}

// A decision of the keeper is carried out later.
type decision struct {
	is     bool
	begin  bool
	phase  queue.Phase
	seeds  dirs
	closes bool
}

// rules are what variants of the protocol change.
type rules struct {
	next    func(Work) WorkStep
	over    func(queue.State) bool
	begins  func(sent, answered int8) int8 // when a lease begins for the fence; all are ticks ago
	refuses bool                           // records of earlier rounds
	skips   bool                           // what was put from a bundle: it does not belong to it any more
	fences  bool                           // what a host puts whose claim has ended
}

func rightRules() rules {
	return rules{
		next:    Work.Next,
		over:    func(s queue.State) bool { return Over(s, lease) },
		begins:  func(sent, _ int8) int8 { return sent },
		refuses: true,
		skips:   true,
		fences:  true,
	}
}

// An explorer looks at every state that a model can come to.
type explorer struct {
	rules
	seen  map[model]int32
	queue []model
	edges [][2]int32
	from  []int32 // by state: the one that it was found from
	at    int32   // the state whose successors are visited
	looks string  // for what: a part of wrong; "": anything
	wrong string
	bad   model
}

// start returns the state in which a job begins.
func start(faults int8) model {
	return model{faults: faults, hosts: [2]host{{claim: -1}, {claim: -1}}}
}

// lateRecord returns a state after a first fault: a host has ended just before it would have been done, and the record that
// the last attributes of a are set is still on its way.
func lateRecord() model {
	m := start(1)
	m.round, m.phase, m.copied, m.final = 1, queue.Last, allDirs, allDirs
	m.journal = [3]recorded{{is: true}, {is: true, waits: 1}, {is: true}}
	m.gone[0] = formerMember{is: true}
	m.late = request{kind: appends, orphan: true, final: dirA}
	return m
}

func explore(r rules, begin model, looksFor string) *explorer {
	x := &explorer{rules: r, seen: make(map[model]int32), at: -1, looks: looksFor}
	x.visit(begin)
	for x.at = 0; int(x.at) < len(x.queue) && x.wrong == ""; x.at++ {
		x.successors(x.queue[x.at])
	}
	return x
}

// visit notes a state that comes after the present one.
func (x *explorer) visit(m model) {
	if m.faults == 0 {
		x.calm(&m)
	}
	if bytes.Compare(m.hosts[0].bytes(), m.hosts[1].bytes()) > 0 { // it makes no difference which is which
		m.hosts[0], m.hosts[1] = m.hosts[1], m.hosts[0]
		for _, r := range []*request{&m.hosts[0].request, &m.hosts[1].request, &m.late} {
			if r.kind != noRequest {
				r.host = 1 - r.host
			}
		}
	}
	i, known := x.seen[m]
	if !known {
		i = int32(len(x.queue))
		x.seen[m] = i
		x.queue = append(x.queue, m)
		x.from = append(x.from, x.at)
		x.check(m)
	}
	if x.at >= 0 {
		x.edges = append(x.edges, [2]int32{x.at, i})
	}
}

// calm forgets how old leases of hosts are: when no fault is left, all are renewed in time.
func (x *explorer) calm(m *model) {
	for i := range m.hosts {
		h := &m.hosts[i]
		if h.carried {
			x.answer(m, i, h.request, h.answer)
		}
		h.request, h.sent, h.age, h.silent = request{}, 0, 0, 0
		if b := m.bundleOf(h); b != nil {
			b.age = 0
		}
	}
}

// bundleOf returns the bundle that a host holds.
func (m *model) bundleOf(h *host) *bundle {
	if h.claim < 0 || m.bundles[h.claim].state != held || m.bundles[h.claim].take != h.take {
		return nil
	}
	return &m.bundles[h.claim]
}

// bytes returns the memory of a host, which has no padding.
func (h *host) bytes() []byte { return unsafe.Slice((*byte)(unsafe.Pointer(h)), unsafe.Sizeof(*h)) }

// check looks for what must never be.
func (x *explorer) check(m model) {
	first, second := m.mayChange(0), m.mayChange(1)
	is := func(wrong bool, what string) {
		if wrong && x.wrong == "" && strings.Contains(what, x.looks) {
			x.wrong, x.bad = what, m
		}
	}
	is(first&second != 0, "both hosts may change a directory")
	is(m.ended && (m.copied != allDirs || m.final != allDirs), "it is complete, and something is missing")
	is(m.ended && first|second != 0, "it is complete, and a host may change something")
	is(m.keeper.begin && m.round > 0 && m.phase == queue.Copy && !m.lost && !m.allRecorded(),
		"nothing was lost, and a directory was not walked in its round")
}

func (m *model) allRecorded() bool {
	return !slices.ContainsFunc(m.journal[:], func(r recorded) bool { return !r.is })
}

// mayChange returns the directories that a host believes to be its own.
func (m *model) mayChange(i int) dirs {
	h := &m.hosts[i]
	if m.phase == queue.Last && h.entered {
		return h.stack | h.deferred
	}
	return h.stack
}

// stuck returns a state from which no end can be reached.
func (x *explorer) stuck() (m model, is bool) {
	before := make([][]int32, len(x.queue))
	for _, e := range x.edges {
		before[e[1]] = append(before[e[1]], e[0])
	}
	ends := make([]bool, len(x.queue))
	var todo []int32
	for i, m := range x.queue {
		if m.closed {
			ends[i] = true
			todo = append(todo, int32(i))
		}
	}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, b := range before[i] {
			if !ends[b] {
				ends[b] = true
				todo = append(todo, b)
			}
		}
	}
	if i := slices.Index(ends, false); i >= 0 {
		return x.queue[i], true
	}
	return m, false
}

// successors visits all states that may come next.
func (x *explorer) successors(m model) {
	if m.closed {
		return // the server refuses everything
	}
	for i := range m.hosts {
		switch h := &m.hosts[i]; {
		case h.request.kind == noRequest:
			x.act(m, i)
		case !h.carried:
			next := m
			answer := x.carryOut(&next, h.request)
			next.hosts[i].answer, next.hosts[i].carried = answer, true
			x.visit(next)
		default:
			next := m
			x.answer(&next, i, h.request, h.answer)
			x.visit(next)
		}
	}
	if m.late.kind != noRequest {
		next := m
		next.late = request{}
		x.carryOut(&next, m.late)
		x.visit(next)
	}
	x.keep(m)
	x.tick(m)
	x.fail(m)
}

// state returns what the server says about the job.
func (m *model) state() queue.State {
	s := queue.State{Round: queue.Round{N: int(m.round), Phase: m.phase}, Closed: m.closed}
	for _, b := range m.bundles {
		switch b.state {
		case waits:
			s.Waiting++
		case held:
			lapse := lease - time.Duration(b.age)*tick
			if s.Held++; s.Held == 1 || lapse < s.Lapse {
				s.Lapse = lapse
			}
		}
	}
	member := func(reported bool, silent int8) {
		is := queue.Member{Status: queue.Status{Finished: m.roundIf(reported)}, Age: time.Duration(silent) * tick}
		s.Members = append(s.Members, is)
	}
	for _, h := range m.hosts {
		member(h.reported, h.silent)
	}
	for _, f := range m.gone {
		if f.is {
			member(f.reported, f.silent)
		}
	}
	return s
}

// roundIf returns the round, or an earlier one.
func (m *model) roundIf(present bool) int {
	if present {
		return int(m.round)
	}
	return max(int(m.round)-1, 0)
}

// act has a host that waits for no answer do what it may do next.
func (x *explorer) act(m model, i int) {
	h := &m.hosts[i]
	if m.faults > 0 {
		x.send(m, i, request{kind: renews, claim: h.claim, take: h.take})
	}
	work := Work{Unput: h.unput != 0, Unrecorded: h.walked != 0, Dirs: h.stack != 0}
	if h.ended {
		x.work(m, i, Put)
	} else if h.claim >= 0 {
		x.work(m, i, x.next(work))
		if work.Unrecorded && work.Dirs {
			x.work(m, i, Walk) // records are appended in batches
		}
	}
	own := Host{
		Round: m.roundIf(h.entered), Finished: m.roundIf(h.finished), Claims: int(h.claim) + 1, Idle: h.claim < 0,
		Deferred: m.phase == queue.Last && h.deferred|h.attribute != 0,
	}
	switch own.Next(m.state()) {
	case Enter:
		h.entered = true
		x.visit(m)
	case Claim:
		x.send(m, i, request{kind: claims})
	case EndPhase:
		if h.deferred == 0 {
			x.send(m, i, request{kind: appends, final: h.attribute})
			return
		}
		d := h.deferred & -h.deferred
		h.deferred &^= d
		h.attribute |= d
		m.final |= d
		x.visit(m)
	case Report:
		x.send(m, i, request{kind: reports})
	case Die:
		m.end(i)
		x.visit(m)
	}
}

// work has a host make a step of work on its claim.
func (x *explorer) work(m model, i int, step WorkStep) {
	h := &m.hosts[i]
	switch step {
	case Put:
		x.send(m, i, request{kind: puts, claim: h.claim, take: h.take, put: h.unput})
	case Append:
		x.send(m, i, request{kind: appends, walked: h.walked, repeats: h.repeats})
	case Finish:
		x.send(m, i, request{kind: finishes, claim: h.claim, take: h.take})
	case Walk:
		d := h.stack & -h.stack
		h.stack &^= d
		h.walked |= d
		h.deferred |= d
		m.copied |= d
		m.final &^= d
		child := d.child()
		if child&h.left != 0 && x.skips {
			child = 0
		}
		if child != 0 && h.unput == 0 {
			next := m // another host is hungry
			next.hosts[i].unput = child
			x.visit(next)
		}
		h.stack |= child
		x.visit(m)
	}
}

// send sends a request of a host.
func (x *explorer) send(m model, i int, r request) {
	r.host = int8(i)
	if m.faults > 0 && (r.kind == renews || r.kind == claims) {
		m.hosts[i].request = r
		x.visit(m)
		return
	}
	if m.faults > 0 && m.late.kind == noRequest {
		next := m
		next.faults--
		next.late = r
		next.end(i)
		x.visit(next)
	}
	answer := x.carryOut(&m, r)
	x.answer(&m, i, r, answer)
	x.visit(m)
	if knowsID := r.kind == appends; m.faults > 0 && m.late.kind == noRequest && !knowsID {
		m.faults--
		m.late = r
		x.visit(m)
	}
}

// carryOut does what the server does with a request.
func (x *explorer) carryOut(m *model, r request) answer {
	h := &m.hosts[r.host]
	var b *bundle
	if r.kind == puts || r.kind == finishes || r.kind == renews && r.claim >= 0 {
		b = &m.bundles[r.claim]
		isPut := r.kind == puts && !x.fences && b.state != none
		if (r.old || b.state != held || b.take != r.take) && !isPut {
			return answer{failed: true}
		}
	}
	switch r.kind {
	case reports:
		if !r.orphan && !r.old {
			h.reported, h.silent = true, 0
		}
	case renews:
		if !r.orphan {
			h.silent = 0
		}
		if b != nil {
			b.age = 0
		}
	case claims:
		return m.take(r)
	case puts:
		if k := &m.bundles[r.put.index()]; k.state == none {
			*k = bundle{state: waits, dirs: r.put}
		}
	case appends:
		if r.old && x.refuses {
			break
		}
		for d := dirR; d <= dirB; d <<= 1 {
			m.journal[d.index()].add(d&r.walked != 0, d&r.final != 0, r.repeats)
		}
	case finishes:
		b.state = done
	}
	return answer{}
}

// add does what the journal does with the records of a directory.
func (j *recorded) add(walked, final, repeats bool) {
	if walked {
		if repeats {
			j.waits = 0
		}
		j.is, j.waits = true, min(j.waits+1, 3)
	}
	if final {
		j.waits = max(j.waits-1, 0)
	}
}

// take gives a bundle to a host.
func (m *model) take(r request) answer {
	if r.old {
		return answer{failed: true}
	}
	for i := range m.bundles {
		b := &m.bundles[i]
		if b.state != waits && (b.state != held || b.age < ticks) {
			continue
		}
		b.state, b.attempt, b.take, b.age = held, b.attempt+1, b.take+1, 0
		a := answer{claim: int8(i), take: b.take, repeats: b.attempt > 1 || m.round > 1, dirs: b.dirs}
		for k, other := range m.bundles {
			if k != i {
				a.left |= other.dirs
			}
		}
		return a
	}
	return answer{failed: true}
}

// answer has a host get the answer to a request.
func (x *explorer) answer(m *model, i int, r request, a answer) {
	h := &m.hosts[i]
	sent := h.sent
	h.request, h.sent, h.carried, h.answer = request{}, 0, false, answer{}
	switch {
	case a.failed && r.kind == claims:
		return
	case a.failed && r.kind != finishes:
		m.end(i)
		return
	}
	switch r.kind {
	case renews:
		h.age = x.begins(sent, 0)
	case reports:
		h.finished = true
	case claims:
		h.claim, h.take, h.repeats, h.stack, h.left = a.claim, a.take, a.repeats, a.dirs, a.left
		h.age = max(h.age, x.begins(sent, 0))
	case puts:
		if h.unput = 0; h.ended {
			h.claim, h.take, h.left, h.repeats, h.ended = -1, 0, 0, false, false
		}
	case appends:
		h.walked &^= r.walked
		h.attribute &^= r.final
	case finishes:
		if h.unput != 0 {
			h.ended = true
			return
		}
		h.claim, h.take, h.left, h.repeats = -1, 0, 0, false
	}
}

// isOver reports whether a host must be gone, given the age of what its fence depends on.
func isOver(age int8) bool {
	now := time.Unix(0, 0)
	return !now.Before(Fence(now.Add(-time.Duration(age)*tick), lease))
}

// end ends a host, which begins again.
func (m *model) end(i int) {
	h := &m.hosts[i]
	if free := slices.Index(m.gone[:], formerMember{}); free >= 0 {
		m.gone[free] = formerMember{true, h.reported, h.silent}
	}
	if m.late.kind != noRequest && int(m.late.host) == i {
		m.late.orphan = true
	}
	*h = host{claim: -1}
}

// tick has time pass, unless more hosts end by that than may.
func (x *explorer) tick(m model) {
	aged := func(n *int8) { *n = min(*n+1, ticks) }
	for i := range m.bundles {
		if m.bundles[i].state == held {
			aged(&m.bundles[i].age)
		}
	}
	for i := range m.gone {
		if m.gone[i].is {
			if aged(&m.gone[i].silent); m.gone[i].silent == ticks {
				m.gone[i] = formerMember{} // no one waits for it
			}
		}
	}
	calm := m.faults == 0
	for i := range m.hosts {
		h := &m.hosts[i]
		if h.request.kind != noRequest {
			aged(&h.sent)
		}
		aged(&h.silent)
		if aged(&h.age); !calm && isOver(h.age) {
			if m.faults--; m.faults < 0 {
				return
			}
			m.end(i)
		}
	}
	x.visit(m)
}

// fail has a fault happen.
func (x *explorer) fail(m model) {
	if m.faults == 0 {
		return
	}
	m.faults--
	for i := range m.hosts {
		next := m
		next.end(i)
		x.visit(next)
		if r := m.hosts[i].request; r.kind != noRequest && m.late.kind == noRequest {
			next = m
			next.late = r
			if !m.hosts[i].carried {
				next.end(i)
				x.visit(next)
			} else if r.kind == renews { // claims are known by their identifiers
				x.visit(next)
			}
		}
	}
	for i := range m.bundles {
		if m.bundles[i].state == waits {
			next := m
			next.bundles[i], next.lost = bundle{}, true
			x.visit(next)
		}
		if m.journal[i].is {
			next := m
			next.journal[i], next.lost = recorded{}, true
			x.visit(next)
		}
	}
}

// keep has the keeper decide, or do what it has decided.
func (x *explorer) keep(m model) {
	if k := m.keeper; k.is {
		m.keeper = decision{}
		if k.closes {
			m.closed, m.ended = true, true
		} else {
			m.begin(k)
		}
		x.visit(m)
		return
	}
	s := m.state()
	if m.round > 0 && m.phase != queue.Audit && !x.over(s) {
		return
	}
	p := Proof{Needs: [queue.Audit]bool{queue.Last: true}}
	for i, r := range m.journal {
		if !r.is || r.waits > 0 {
			p.Missing = append(p.Missing, queue.Dir{Path: paths[i]})
		}
	}
	step := After(s.Round, p)
	m.keeper = decision{is: true, begin: step.Begin.N > 0, phase: step.Begin.Phase, closes: step.Close}
	for _, b := range step.Seeds {
		for _, d := range b.Dirs {
			m.keeper.seeds |= 1 << slices.Index(paths[:], d.Path)
		}
	}
	x.visit(m)
}

// begin begins a round.
func (m *model) begin(k decision) {
	m.phase, m.bundles = k.phase, [3]bundle{}
	if k.phase == queue.Copy {
		m.round = min(m.round+1, 2)
		m.bundles[0] = bundle{state: waits, dirs: k.seeds}
	}
	for i := range m.hosts {
		h := &m.hosts[i]
		h.entered, h.finished, h.reported = false, false, false
		if h.request.kind != noRequest {
			h.request.old = true
		}
	}
	if m.late.kind != noRequest {
		m.late.old = true
	}
}

// trace returns how a state came about: what changed with each step.
func (x *explorer) trace(m model) string {
	var steps []string
	for i := x.seen[m]; x.from[i] >= 0; i = x.from[i] {
		before, after := reflect.ValueOf(x.queue[x.from[i]]), reflect.ValueOf(x.queue[i])
		var changes []string
		for k := range before.NumField() {
			if was, is := fmt.Sprintf("%+v", before.Field(k)), fmt.Sprintf("%+v", after.Field(k)); was != is {
				changes = append(changes, before.Type().Field(k).Name+": "+is)
			}
		}
		steps = append(steps, strings.Join(changes, "; "))
	}
	slices.Reverse(steps)
	return strings.Join(steps, "\n")
}

// TestModel looks at every order of all steps, with one fault between any two of them. More faults take more than 8 GB.
func TestModel(t *testing.T) {
	for _, begin := range []model{start(int8(campaign.Size("MODEL_FAULTS", 1, 1))), lateRecord()} {
		x := explore(rightRules(), begin, "")
		if x.wrong != "" {
			t.Fatalf("%s:\n%s", x.wrong, x.trace(x.bad))
		}
		if m, is := x.stuck(); is {
			t.Fatalf("no end can be reached:\n%s", x.trace(m))
		}
		t.Logf("%d states, %d steps", len(x.queue), len(x.edges))
	}
}

// TestModelFindsFaults wants the model to find out what is wrong with variants of the protocol.
func TestModelFindsFaults(t *testing.T) {
	for _, tt := range []struct {
		name   string
		begin  model
		change func(*rules)
		want   string
	}{
		{"bundles are finished before what they lead to is put", start(1), func(r *rules) {
			r.fences = false
			r.next = func(w Work) WorkStep {
				w.Unput = false
				return w.Next()
			}
		}, "a directory was not walked in its round"},
		{"the fence depends on when the answer came", start(1), func(r *rules) {
			r.begins = func(_, answered int8) int8 { return answered }
		}, "both hosts may change"},
		{"a round is over when no bundle waits", start(1), func(r *rules) {
			r.over = func(s queue.State) bool { return s.Waiting == 0 }
		}, "both hosts may change"},
		{"a round is over when no bundle is left", start(1), func(r *rules) {
			r.over = queue.State.Drained
		}, "both hosts may change"},
		{"what was put is walked from above, too", start(1), func(r *rules) { r.skips = false }, "both hosts may change"},
		{"what a host puts whose claim has ended is taken", start(1), func(r *rules) { r.fences = false }, "both hosts may change"},
		{"records of earlier rounds are taken", lateRecord(), func(r *rules) { r.refuses = false }, "something is missing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := rightRules()
			tt.change(&r)
			x := explore(r, tt.begin, tt.want)
			if x.wrong == "" {
				t.Errorf("in %d states, %q was not found", len(x.queue), tt.want)
			}
			t.Logf("in %d states: %s", len(x.queue), x.wrong)
		})
	}
}

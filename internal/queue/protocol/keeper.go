package protocol

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"psync/internal/queue"
)

// Proof is what the records of a job prove.
type Proof struct {
	Read    uint64            // the offset of the last record that was read
	Needs   [queue.Audit]bool // by phase: something is left for it to do
	Missing []queue.Dir       // directories that are neither done nor failed; without records, the roots
	Failed  bool              // something is
	Refused bool              // there is more to remove than is allowed

	Parts int    // into which the links are divided that are to be made
	List  uint64 // after which offset the keeper has recorded in which directories; 0: it has not

	Abandoned []queue.Dir // directories that ended their hosts
}

// The exit statuses of a job.
const (
	statusFailed     = 23
	statusRefused    = 25
	statusIncomplete = 26
)

// maxRounds is how many rounds a job may have. A job that needs more loses what it puts.
const maxRounds = 50

// A KeeperStep is what the keeper does next. The zero KeeperStep is to wait for a change, or until the lease of a member
// lapses.
type KeeperStep struct {
	Read   bool           // read the records up to State.Records, and write them to the journal
	Begin  queue.Round    // put each of Seeds, unless it is zero, and begin this round
	Seeds  []queue.Bundle // of the round
	Close  bool           // end the job
	Status int            // with this exit status
}

// Next returns the next step of the keeper, given a state of the job.
func Next(s queue.State, p Proof, lease time.Duration) KeeperStep {
	switch {
	case s.Closed, !Over(s, lease):
		return KeeperStep{}
	case p.Read < s.Records:
		return KeeperStep{Read: true}
	default:
		return After(s.Round, p)
	}
}

// Over reports whether a round is over: no bundle is left, and each member has reported that it has finished, or has lost
// its lease, and is gone. That no bundle waits is not enough: a host may be working on one, or have work that the end of
// the phase carries out. The audit waits for no one, because hosts do nothing in its round, and it refuses late records.
func Over(s queue.State, lease time.Duration) bool {
	isBusy := func(m queue.Member) bool { return m.Finished < s.Round.N && m.Age < lease }
	return s.Round.N == 0 || s.Round.Phase == queue.Audit || s.Drained() && !slices.ContainsFunc(s.Members, isBusy)
}

// After returns what the keeper does after a round.
func After(r queue.Round, p Proof) KeeperStep {
	next := queue.Round{N: r.N + 1, Phase: queue.Copy}
	switch {
	case r.N > 0 && r.Phase != queue.Audit:
		next.Phase = r.Phase + 1
		for next.Phase < queue.Audit && (next.Phase < queue.Last || !p.Needs[next.Phase]) {
			next.Phase++
		}
		return KeeperStep{Begin: next, Seeds: parts(next, p)}
	case len(p.Missing) > 0 && r.N < maxRounds:
		return KeeperStep{Begin: next, Seeds: seeds(next, p)}
	case p.Needs[queue.Link] && len(p.Missing) == 0 && r.N < maxRounds:
		// All names are known only now, and no record comes late that has more.
		next.Phase = queue.Link
		return KeeperStep{Begin: next, Seeds: parts(next, p)}
	case p.Needs[queue.Remove] && len(p.Missing) == 0 && !p.Needs[queue.Link] && !p.Refused && r.N < maxRounds:
		next.Phase = queue.Remove // only now, everything is counted
		return KeeperStep{Begin: next, Seeds: parts(next, p)}
	case len(p.Missing) > 0, p.Needs[queue.Link], p.Needs[queue.Remove] && !p.Refused:
		return KeeperStep{Close: true, Status: statusIncomplete}
	case p.Refused:
		return KeeperStep{Close: true, Status: statusRefused}
	case p.Failed:
		return KeeperStep{Close: true, Status: statusFailed}
	default:
		return KeeperStep{Close: true}
	}
}

// dirParts is into how many parts directories are divided. Each of them is in one part, so that it does not matter how many
// there are.
const dirParts = 16

// parts returns the bundles of a round whose work is divided into parts.
func parts(r queue.Round, p Proof) (bundles []queue.Bundle) {
	n := 0
	switch {
	case r.Phase == queue.Link:
		n = max(p.Parts, 1)
	case (r.Phase == queue.Last || r.Phase == queue.Remove) && p.List > 0:
		n = dirParts
	}
	for i := range n {
		bundles = append(bundles, queue.NewPart(r, queue.Part{N: i, Of: n, List: p.List}))
	}
	return bundles
}

// seeds returns bundles of what is missing, without directories that are below others of them: the host that walks a
// directory walks what is below it, and no other host may do so at the same time. Directories that were abandoned are in
// bundles of their own, to be abandoned again, so that they are left out by the host that walks what is above them.
func seeds(r queue.Round, p Proof) []queue.Bundle {
	var top []queue.Dir
	for _, d := range slices.SortedFunc(slices.Values(p.Missing), compare) {
		if n := len(top); n == 0 || !top[n-1].Contains(d) {
			top = append(top, d)
		}
	}
	var bundles []queue.Bundle
	for len(top) > 0 {
		n, size := 0, 0
		for n < min(len(top), queue.MaxDirs) && size+len(top[n].Path) <= queue.MaxBundle {
			size += len(top[n].Path)
			n++
		}
		bundles = append(bundles, queue.NewBundle(queue.Claim{}, r, top[:n]))
		top = top[n:]
	}
	for _, d := range p.Abandoned {
		b := queue.NewBundle(queue.Claim{}, r, []queue.Dir{d})
		b.Attempt = abandonFrom - 1
		bundles = append(bundles, b)
	}
	return bundles
}

// compare orders directories so that what is below one follows it at once.
func compare(a, b queue.Dir) int {
	return cmp.Or(cmp.Compare(a.Root, b.Root), slices.Compare(elements(a.Path), elements(b.Path)))
}

func elements(path string) []string {
	if path == "." {
		return nil
	}
	return strings.Split(path, "/")
}

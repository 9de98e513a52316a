package cluster

import (
	"context"
	"errors"
	"sync"
	"time"

	"psync/internal/engine/job"
	"psync/internal/journal"
	"psync/internal/plan"
	"psync/internal/queue"
	"psync/internal/queue/protocol"
	"psync/internal/sys"
)

// A Keeper keeps the journal of a job, and ends the job when that proves that nothing is missing, or nothing more can be
// done. One of the hosts has it. If it ends too early, one that is started with the same journal goes on.
type Keeper struct {
	Queue   queue.Queue
	Lease   time.Duration // of the queue; 0: protocol.Lease
	Name    string        // of the journal
	Journal *journal.Writer
	// MaxDelete is how much may be removed from the destination; nil: any number.
	MaxDelete *plan.Limit
	// TooMany says, when Run has returned, that there was more.
	TooMany error
	// Announce reports the progress of the job before it ends, since nothing can be reported after that. It may be nil.
	Announce func(ctx context.Context) error

	begun   bool
	doubts  bool // that what the journal calls done is as it should be
	proof   protocol.Proof
	audited uint64              // up to which record; 0: none
	parts   map[queue.Part]bool // that are done in the round partsIn
	partsIn int

	mu       sync.Mutex // guards progress
	progress queue.Progress
}

// Progress returns how many directories are found, done and failed: about, while hosts work, and exactly after an audit.
func (k *Keeper) Progress() queue.Progress {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.progress
}

func (k *Keeper) setProgress(set func(*queue.Progress)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	set(&k.progress)
}

// ErrOtherJournal is the error for a journal that has the records of another job, or of a run without a queue: what they say
// was done would be confused with what this job does.
var ErrOtherJournal = errors.New("the journal is not that of this job; a new job needs a new journal")

// ErrGone is the error for a job that the server does not have any more, because it was removed or lost.
var ErrGone = errors.New("the server does not have the job any more")

// Run keeps the journal until the job has ended, and returns its exit status.
func (k *Keeper) Run(ctx context.Context) (status int, err error) {
	if err := k.Begin(ctx); err != nil {
		return 0, err
	}
	work, err := k.Queue.Watch(ctx, queue.Work)
	if err != nil {
		return 0, err
	}
	added, err := k.Queue.Watch(ctx, queue.Added)
	if err != nil {
		return 0, err
	}
	for {
		s, err := stateOf(ctx, k.Queue)
		if err != nil {
			return 0, err
		}
		if err := k.read(ctx, s.Records); err != nil {
			return 0, err
		}
		if s.Closed {
			return s.Status, nil
		}
		waits, err := k.step(ctx, s)
		if err != nil {
			return 0, err
		}
		if !waits {
			continue
		}
		select {
		case <-work:
		case <-added:
		case <-time.After(leaseOr(k.Lease) / 4): // the lease of a member may have lapsed
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		}
	}
}

// Begin finds out what the journal has, and that it is that of this job. Run does so, too, if that was not done before. No host
// joins a job that the journal is not that of.
func (k *Keeper) Begin(ctx context.Context) error {
	if k.begun {
		return nil
	}
	err := k.begin(ctx)
	k.begun = err == nil
	return err
}

func (k *Keeper) begin(ctx context.Context) error {
	f, err := journal.Read(k.Name, sys.BootID())
	if err != nil {
		return err
	}
	defer f.Close()
	key, known, err := readKey(ctx, k.Queue)
	switch {
	case err != nil:
		return err
	case known && key == k.Journal.Key:
		if err := k.findCommon(ctx, f); err != nil {
			return err
		}
		return k.audit()
	case known || f.Queued == 0 && f.Directories > 0:
		return ErrOtherJournal
	case f.Queued > 0:
		return ErrGone
	}
	err = again(ctx, func(ctx context.Context) error { return k.Queue.Append(ctx, keyRecord(k.Journal.Key)) })
	if err != nil {
		return err
	}
	// Another keeper may have been faster.
	if key, _, err = readKey(ctx, k.Queue); err == nil && key != k.Journal.Key {
		err = ErrOtherJournal
	}
	return err
}

// findCommon finds out after which record those begin that the journal does not have. That is not always the last one that it
// has, because a server may have lost that, and given its offset to another one.
func (k *Keeper) findCommon(ctx context.Context, f *journal.File) error {
	offset, lost, err := f.CommonOffset(func(r journal.QueueRecord) (is bool, err error) {
		err = again(ctx, func(ctx context.Context) error {
			records, err := k.Queue.Records(ctx, uint64(r.Offset)-1)
			is = len(records) > 0 && records[0].Offset == uint64(r.Offset) && r.Is(records[0].Data)
			return err
		})
		return is, err
	})
	// With a record that is lost, the server has lost who worked on what, and a host may have ended in a directory that the
	// journal calls done.
	k.proof.Read, k.doubts = uint64(offset), lost
	return err
}

// read writes the records up to an offset to the journal.
func (k *Keeper) read(ctx context.Context, upTo uint64) error {
	for k.proof.Read < upTo {
		var records []queue.Record
		err := again(ctx, func(ctx context.Context) (err error) {
			records, err = k.Queue.Records(ctx, k.proof.Read)
			return err
		})
		if err != nil {
			return err
		}
		if len(records) == 0 { // what follows is nothing that hosts have recorded
			k.proof.Read = upTo
		}
		for _, r := range records {
			if r.Round == 0 {
				r.Data = nil // the key
			}
			k.notePart(r)
			added, _, err := k.Journal.Append(r.Data, r.Offset)
			if err != nil {
				return err
			}
			k.setProgress(func(p *queue.Progress) {
				p.Found, p.Done, p.Failed = p.Found+added.Found, p.Done+added.Done, p.Failed+added.Failed
			})
			k.proof.Read = r.Offset
		}
	}
	return nil
}

// prepare completes the proof that a round is followed by.
func (k *Keeper) prepare(r queue.Round) error {
	p := &k.proof
	p.Needs[queue.Last] = r.Phase == queue.Link && p.List > 0 && k.partsIn == r.N && len(k.parts) == p.Parts
	if r.N > 0 && r.Phase != queue.Audit {
		return nil
	}
	p.List = p.Read
	return k.audit()
}

// step makes the next step, and reports whether there is none.
func (k *Keeper) step(ctx context.Context, s queue.State) (waits bool, err error) {
	lease := leaseOr(k.Lease)
	if !protocol.Over(s, lease) {
		return true, nil
	}
	if err := k.prepare(s.Round); err != nil {
		return false, err
	}
	step := protocol.Next(s, k.proof, lease)
	if p := step.Begin.Phase; p == queue.Link || p == queue.Remove {
		if err := k.recordList(ctx, s.Round, p); errors.Is(err, queue.ErrRound) {
			return false, nil // a request of an earlier keeper that came late has begun it
		} else if err != nil {
			return false, err
		}
	}
	switch {
	case step.Close:
		if k.Announce != nil {
			_ = k.Announce(ctx) // people read it, and nothing else
		}
		err = again(ctx, func(ctx context.Context) error { return k.Queue.Close(ctx, step.Status) })
	case step.Begin.N > 0:
		if err = put(ctx, k.Queue, queue.Claim{}, step.Seeds); err == nil {
			err = again(ctx, func(ctx context.Context) error { return k.Queue.Begin(ctx, step.Begin) })
		}
		k.doubts = k.doubts && (err != nil || step.Begin.Phase != queue.Copy)
	default:
		return true, nil
	}
	if errors.Is(err, queue.ErrRound) || errors.Is(err, queue.ErrClosed) {
		return false, nil // a request that came late has done it
	}
	return false, err
}

// audit finds out what the journal proves.
func (k *Keeper) audit() error {
	if k.audited == k.proof.Read && k.audited > 0 {
		return nil
	}
	f, err := journal.Read(k.Name, sys.BootID())
	if err != nil {
		return err
	}
	defer f.Close()
	a, err := f.Audit()
	if err != nil {
		return err
	}
	k.audited = k.proof.Read
	k.setProgress(func(p *queue.Progress) { p.Found, p.Done, p.Failed, p.Missing = a.Found, a.Done, a.Failed, a.Missing })
	k.proof.Missing, k.proof.Abandoned, k.proof.Failed = nil, nil, a.Failed > 0
	k.proof.Needs[queue.Link], k.proof.Parts = a.Unlinked > 0, linkParts
	k.proof.Needs[queue.Remove] = a.Unremoved > 0
	budget := job.Budget{Max: k.MaxDelete}
	budget.Add(a.Removals)
	k.TooMany = nil
	if a.Unremoved > 0 {
		k.TooMany = budget.Approve()
	}
	k.proof.Refused = k.TooMany != nil
	if a.DestLinks {
		// What the destination has may be the copy of several entries. Only one host can know all of these.
		k.proof.Parts = 1
	}
	for i := range f.Job.Roots {
		if k.doubts { // all of it is looked at once more
			k.proof.Missing = append(k.proof.Missing, queue.Dir{Root: i, Path: "."})
		}
	}
	for _, d := range a.Open {
		dir := queue.Dir{Root: d.Root, Path: d.Path}
		if d.Path == "" {
			dir.Path = "."
		}
		switch {
		case d.Unlinked, d.Unremoved:
		case d.Failed == 0:
			k.proof.Missing = append(k.proof.Missing, dir)
		case d.Abandoned:
			k.proof.Abandoned = append(k.proof.Abandoned, dir)
		}
	}
	return nil
}

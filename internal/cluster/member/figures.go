package member

import (
	"sync"
	"time"

	"psync/internal/cluster"
	"psync/internal/engine"
	"psync/internal/pace"
	"psync/internal/queue"
	"psync/internal/report"
)

// hangsAfter is how long a call takes that hosts report.
const hangsAfter = 30 * time.Second

// figures are what a member reports of its work, and what follows from the reports of others.
type figures struct {
	stats    *report.Stats
	activity *report.Activity
	longest  func() time.Duration // how long the longest call has taken so far
	keeper   *cluster.Keeper      // nil: another host keeps the journal
	pace     *pace.Limiter        // nil: there is no limit
	limit    int64                // of the job, in bytes a second
	began    time.Time

	mu   sync.Mutex // guards what follows
	at   time.Time  // of the last report
	then int64      // bytes copied until then
	rate int64
}

// newFigures returns those of a job.
func newFigures(j *engine.Job, longest func() time.Duration, limit int64) *figures {
	now := time.Now()
	f := &figures{stats: j.Stats, activity: j.Activity, longest: longest, limit: limit, began: now, at: now}
	f.pace, _ = j.Content.Pace.(*pace.Limiter)
	return f
}

// describe adds to a report.
func (f *figures) describe(s *queue.Status) {
	t := f.stats.Totals()
	s.Figures = queue.Figures{
		Files:   t.Decided() + t[report.EntriesFailed],
		Bytes:   t[report.BytesCopied] + t[report.BytesKept] + t[report.BytesSkipped],
		Removed: t[report.FilesDeleted] + t[report.DirsDeleted] + t[report.LinksDeleted] + t[report.SpecialsDeleted],
		Failed:  t[report.Failed],
		Rate:    f.rateOf(t[report.BytesCopied]),
	}
	s.At, s.Hanging = "", nil
	if f.activity != nil {
		if paths := f.activity.Paths(); len(paths) > 0 {
			s.At = paths[0]
		}
	}
	if d := f.longest(); d >= hangsAfter {
		s.Hanging = []queue.Call{{Name: "a call", Path: s.At, For: d}}
	}
	if f.keeper != nil {
		p := f.keeper.Progress()
		p.Elapsed = time.Since(f.began)
		s.Journal = &p
	}
	if s.Check() != nil {
		s.At, s.Hanging = "", nil // a path that is too long
	}
}

// rateOf returns how many bytes a second were copied of late, given how many were copied so far.
func (f *figures) rateOf(copied int64) int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	if d := time.Since(f.at); d >= time.Second { // reports may follow one another at once
		f.rate = int64(float64(copied-f.then) / d.Seconds())
		f.at, f.then = f.at.Add(d), copied
	}
	return f.rate
}

// observe gives this host its share of the limit of the job.
func (f *figures) observe(s queue.State, self queue.ID, lease time.Duration) {
	if f.pace != nil {
		f.pace.SetRate(share(f.limit, s, self, lease))
	}
}

// workShare is how much more of a limit a host gets that works than one that has nothing to do, which may have the next moment.
const workShare = 32

// share returns the share of a limit of the job that a member gets. Those of all members are no more than the limit.
func share(limit int64, s queue.State, self queue.ID, lease time.Duration) int64 {
	weight := func(m queue.Member) int64 {
		switch {
		case m.Age >= lease && m.ID != self:
			return 0 // it has ended
		case m.Hungry || m.Finished >= s.Round.N:
			return 1
		}
		return workShare
	}
	own, all := int64(0), int64(0)
	for _, m := range s.Members {
		w := weight(m)
		if all += w; m.ID == self {
			own = w
		}
	}
	if own == 0 {
		return limit // this host is not a member yet, or alone
	}
	return max(1, limit/all*own+limit%all*own/all)
}

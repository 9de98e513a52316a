package entry

import (
	"context"

	"psync/internal/engine/attrs"
	"psync/internal/engine/backup"
	"psync/internal/engine/job"
	"psync/internal/engine/place"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// A placing is an entry of d that w asks its Placer to make. It is the [place.Host] for that.
type placing struct {
	w   *Worker
	d   *job.Dir
	it  *item
	dir place.Dir
}

func (p *placing) BackupDirs() (backup.Dirs, error) { return p.w.job.BackupDirs(p.d) }

func (p *placing) MakeWay(ctx context.Context, notes attrs.Notes) error {
	p.w.job.ReportAttrs(p.d, p.it.name, &p.it.flawed, notes)
	return makeWay(ctx, p.w.job, p.d, p.it)
}

func (p *placing) IgnoresCase() bool { return p.w.job.IgnoresCase(p.d) }

func (p *placing) Collision(err error) error { return p.w.job.Collision(p.d, err) }

func (p *placing) Shared() bool { return p.d.Sharing != nil && p.d.Sharing.Shared() }

// begin prepares for making an entry that should have the attributes o, or that has its attributes already.
func (w *Worker) begin(d *job.Dir, it *item, o *attrs.Desired) (*place.Dir, place.Entry) {
	w.job.PrepareChange(d)
	w.placing.d, w.placing.it = d, it
	w.placing.dir = place.Dir{
		Dir:     d.Dst,
		Mode:    d.Mode(),
		UID:     d.DestAttr.UID,
		Fresh:   d.Fresh(),
		Volumes: d.Volumes(),
		Parent:  d.AsParent(),
		Route:   d.Route,
		Host:    &w.placing,
	}
	return &w.placing.dir, place.Entry{Name: it.name, Action: it.step, Attrs: o, Only: mustStillBe(w.job, d, it)}
}

// mustStillBe returns what the destination's entry must be when it is replaced, because a newer one must stay, or nil
// if that does not matter.
func mustStillBe(j *job.Worker, d *job.Dir, it *item) *vfs.Premise {
	if !j.Policy.Update || it.step != plan.Replace {
		return nil
	}
	return unchanged(d, it)
}

// unchanged returns the premise that the destination's entry is what it was when it was looked at. The premise does
// not include the change time, which backups and lifting locks alter, nor, where a volume copies entries up, the
// inode number, which copying up alters.
func unchanged(d *job.Dir, it *item) *vfs.Premise {
	if it.only == nil {
		only := vfs.PremiseOf(it.there)
		only.Ctime = 0
		if d.DstVolume.CopiesUp {
			only.Ino = 0
		}
		it.only = &only
	}
	return it.only
}

// reportOutcome reports the outcome for an entry, except for its contents.
func reportOutcome(j *job.Worker, d *job.Dir, it *item, o *place.Outcome) {
	if o.LeavesTemporary {
		d.LeavesTemporary.Store(true)
	}
	j.DeferLocks(d, it.name, o.Locks)
	j.ReportAttrs(d, it.name, &it.flawed, o.Notes)
}

// methodFor returns how to make an entry.
func (w *Worker) methodFor(it *item, o *attrs.Desired, elsewhere bool) plan.Method {
	method := w.job.Policy.Method(it.step, o.Want.Mode, it.there.Mode, elsewhere)
	if method == plan.Rewrite && !w.mayStay(it, o.Want.Attr) {
		method = plan.Temporary
	}
	return method
}

// mayStay reports whether the destination's counterpart of an entry with the attributes attr, if left as it is, does
// not already stand for another entry.
func (w *Worker) mayStay(it *item, attr vfs.Attr) bool {
	if w.job.HardLinks && it.there.Nlink > 1 && !w.job.Compare && !w.shared.links.Claim(it.there.ID(), attr.ID()) {
		it.foreign = true
	}
	return !it.foreign
}

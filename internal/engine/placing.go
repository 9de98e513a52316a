package engine

import (
	"context"

	"psync/internal/engine/attrs"
	"psync/internal/engine/backup"
	"psync/internal/engine/place"
	"psync/internal/plan"
)

// A placing is what w asks its Placer to make: an entry of d. It is the [place.Host] of that.
type placing struct {
	w   *worker
	d   *directory
	it  *item
	dir place.Dir
}

func (p *placing) BackupDirs() (backup.Dirs, error) { return p.w.backupDirs(p.d.jobDir) }

func (p *placing) MakeWay(ctx context.Context, notes attrs.Notes) error {
	p.w.reportAttrs(p.d.jobDir, p.it.name, &p.it.flawed, notes)
	return p.w.makeWay(ctx, p.d, p.it)
}

func (p *placing) IgnoresCase() bool { return p.w.ignoresCase(p.d.jobDir) }

func (p *placing) Collision(err error) error { return p.d.collision(err) }

func (p *placing) Shared() bool { return p.d.list != nil && p.d.list.Shared() }

// begin prepares for making an entry, which is to have the attributes o, or those that it has already.
func (w *worker) begin(d *directory, it *item, o *attrs.Desired) (*place.Dir, place.Entry) {
	w.touch(d.jobDir)
	w.placing.d, w.placing.it = d, it
	w.placing.dir = place.Dir{
		Dir:     d.Dst,
		Mode:    d.mode(),
		UID:     d.destAttr.UID,
		Fresh:   d.fresh(),
		Volumes: d.volumes(),
		Parent:  d.asParent(),
		Route:   d.route,
		Host:    &w.placing,
	}
	return &w.placing.dir, place.Entry{Name: it.name, Action: it.step, Attrs: o}
}

// reportOutcome reports what became of an entry but for its contents.
func (w *worker) reportOutcome(d *directory, it *item, o *place.Outcome) {
	if o.Littered {
		d.littered.Store(true)
	}
	w.deferLocks(d.jobDir, it.name, o.Locks)
	w.reportAttrs(d.jobDir, it.name, &it.flawed, o.Notes)
}

// wayTo returns how an entry is to be made.
func (w *worker) wayTo(d *directory, it *item, o *attrs.Desired, elsewhere bool) plan.Way {
	way := w.Policy.Way(it.step, o.Want.Mode, it.there.Mode, elsewhere)
	if way == plan.Rewrite && !w.mayStay(it, o.Want.Attr) {
		way = plan.Temporary
	}
	return way
}

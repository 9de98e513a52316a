package metadata

import (
	"time"

	"psync/internal/report"
)

// times plans the access and modification times. They are set again where the operations planned so far may
// have changed them.
func (pl *planner) times() {
	k, src, dst := pl.keep, pl.src, pl.dst
	same := pl.at.Tolerance.Same
	op := Op{Class: Times, Attr: report.Times}
	if k.Mtime && !same(src.Mtime, dst.Mtime) {
		op.Diff = report.DiffMtime
	}
	if k.Atime && !same(src.Atime, dst.Atime) {
		op.Diff |= report.DiffAtime
	}
	mustSet := pl.at.SetTimes || pl.XattrsTouch && len(pl.early) > 0 && k.Mtime
	if !k.Times() || op.Diff == 0 && !mustSet {
		return
	}
	if k.Mtime {
		op.Mtime = src.Mtime
		pl.mtime = src.Mtime
	}
	if k.Atime {
		op.Atime = src.Atime
	}
	pl.ops = append(pl.ops, op)
}

// btime plans the creation time.
func (pl *planner) btime() {
	src, dst := pl.src.Btime, pl.dst.Btime
	if !pl.keep.Btime || src.IsZero() {
		return
	}
	op := Op{Class: Btime, Attr: report.Btime, Btime: src}
	if dst.IsZero() { // a time that stat does not report is not kept
		op.Attr, op.Lost, op.Never = 0, report.Btime, true
		pl.ops = append(pl.ops, op)
		return
	}
	same := pl.at.Tolerance.Same
	if !same(src, dst) {
		op.Diff = report.DiffBtime
	}
	if pl.BtimeFalls {
		pl.lowerBtime(op)
		return
	}
	if !pl.mtime.IsZero() { // setting the modification time has lowered the creation time by then
		dst = earlier(dst, pl.mtime)
	}
	if op.Diff != 0 || !same(src, dst) {
		pl.ops = append(pl.ops, op)
	}
}

// lowerBtime plans op where creation times can only become earlier. The modification time, which is set
// afterwards, may make the creation time too early.
func (pl *planner) lowerBtime(op Op) {
	same := pl.at.Tolerance.Same
	end := pl.dst.Mtime
	if pl.keep.Mtime {
		end = pl.src.Mtime
	}
	without := earlier(pl.dst.Btime, end)
	with := earlier(op.Btime, without)
	if !same(with, op.Btime) {
		op.Lost = report.Btime
	}
	if same(with, without) || op.Btime.After(pl.dst.Mtime) {
		op.Attr, op.Diff, op.Never = 0, 0, true
	}
	if op.Attr|op.Lost != 0 {
		pl.ops = append(pl.ops, op)
	}
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

package engine

import (
	"errors"
	"strings"
	"syscall"

	"psync/internal/engine/volume"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

var (
	errIgnored  = errors.New("ignored by the volume")
	errWithheld = errors.New("set-id bits would give the rights of another owner")
)

// reach returns an entry to be given attributes. done ends its use.
func (w *worker) reach(dir vfs.Dir, name string) (on metadata.Settable, done func()) {
	if n, err := w.node(dir, name); err == nil && n != nil {
		return n, func() { _ = n.Close() }
	}
	return metadata.Entry{Dir: dir, Name: name}, func() {}
}

// plan returns the operations that give an entry like dst the attributes of o. The result is valid
// until the next call.
func (w *worker) plan(d *directory, k metadata.Keep, o *desired, dst *metadata.State, touched bool) []metadata.Op {
	c := w.circumstances(d)
	c.Touched = touched
	w.ops = w.profile.Plan(w.ops[:0], k, c, &o.want, dst)
	return w.ops
}

// circumstances are those of the entries of d.
func (w *worker) circumstances(d *directory) metadata.PlanContext {
	return metadata.PlanContext{
		User:      w.User,
		Tolerance: d.tolerance(),
		Ignored:   d.dstVolume.Ignored(),
		DOSFlags:  d.dstVolume != nil && d.dstVolume.DOSFlags,
	}
}

// apply carries out operations on an entry that messages call name. What the
// destination or the user's rights do not allow is told but no error: the entry
// is there, and its contents are right. src has the attributes that are long. What went
// wrong is left in w.flawed.
func (w *worker) apply(d *directory, name string, on metadata.Settable, src vfs.Node, ops []metadata.Op) error {
	for i := range ops {
		op := &ops[i]
		if w.flawed {
			w.withholdLocks(op)
		}
		err := w.try(d, name, on, src, op)
		if op.Class == metadata.Owner && (err != nil || d.dstVolume.MayIgnoreOwner(on, ops[i:])) {
			withholdSetID(ops[i+1:])
		}
		if err == nil {
			continue
		}
		if err := w.forgive(d, name, op, err); err != nil {
			return err
		}
	}
	return nil
}

// try carries out one operation, unless it is known to be in vain.
func (w *worker) try(d *directory, name string, on metadata.Settable, src vfs.Node, op *metadata.Op) error {
	w.tellLost(d, name, op.Lost)
	if op.Never || op.Class == metadata.Rename {
		return nil
	}
	what := volume.Feature{Attr: op.Attr}
	if op.Xattr.Name != "" {
		what.Namespace, _, _ = strings.Cut(op.Xattr.Name, ".")
	}
	if err := d.dstVolume.Unsupported(what); err != nil {
		return err
	}
	err := op.Do(on, src)
	if err == nil && op.RemovesACL() && d.dstVolume.IgnoresACLRemoval(w.profile, on, op.Xattr.Name) {
		err = errIgnored
	}
	if err != nil && op.Class != metadata.Owner && op.Class != metadata.Times {
		d.dstVolume.LearnUnsupported(what, err)
	}
	return err
}

// tellLost tells about attributes that are known not to be kept, and why.
func (w *worker) tellLost(d *directory, name string, lost report.Attr) {
	ignored := lost & d.dstVolume.Ignored()
	w.unkept(d, name, ignored, errIgnored)
	lost &^= ignored
	asked := w.Keep.Asked | w.Keep.Archived
	if !w.Keep.Owner || !w.Keep.Group {
		asked = w.Keep.Asked
	}
	w.unkeptOf(d, name, lost&report.Mode, errWithheld, asked)
	w.unkept(d, name, lost&^report.Mode, syscall.EPERM)
}

// foresee tells for a dry run what operations on an existing entry could not do.
func (w *worker) foresee(d *directory, name string, ops []metadata.Op) {
	for i := range ops {
		if ops[i].Lost != 0 && !w.Compare {
			w.tellLost(d, name, ops[i].Lost)
		}
	}
}

// forgive tells about an operation that failed if that leaves the entry of use, or
// else returns the error. What is not the volume's lack fails the entry by name.
func (w *worker) forgive(d *directory, name string, op *metadata.Op, err error) error {
	cannotKeep := err == errIgnored || metadata.CannotKeep(err)
	switch op.Class {
	case metadata.Owner, metadata.Mode, metadata.Times, metadata.Grant:
		if !cannotKeep {
			return err
		}
	}
	op.Diff, op.Never = 0, true
	if cannotKeep {
		w.unkept(d, name, op.Attr, err)
	} else {
		w.failAttribute(d, onDest, name, &attributeError{op.Attr, "set", err})
	}
	return nil
}

// withholdLocks takes those flags out of an operation that would keep the next run
// from putting right what this one could not.
func (w *worker) withholdLocks(op *metadata.Op) {
	w.profile.WithholdLocks(op)
}

// withholdSetID does so with operations that follow a failed change of owner.
func withholdSetID(ops []metadata.Op) {
	for i := range ops {
		ops[i].WithholdSetID()
	}
}

// unkept tells about attributes that cannot be kept.
func (w *worker) unkept(d *directory, name string, attrs report.Attr, err error) {
	w.unkeptOf(d, name, attrs, err, w.Keep.Asked|w.Keep.Archived)
}

// unkeptOf tells the same where asked is what it is a failure not to keep.
func (w *worker) unkeptOf(d *directory, name string, attrs report.Attr, err error, asked report.Attr) {
	if w.Keep.Silent {
		return
	}
	for attr := report.Attr(1); attr <= attrs; attr <<= 1 {
		if attrs&attr == 0 {
			continue
		}
		e := report.Event{Kind: report.Unkept, Name: name, IsDir: name == "", Attr: attr, Err: err, Asked: asked&attr != 0}
		if e.Asked {
			w.count.Add(report.Unkeeps, 1)
		}
		w.Sink.Event(w.event(d, onDest, e))
	}
}

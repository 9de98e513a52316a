// Package place puts files, links and special files into a destination under their names, as new entries or
// in place of existing ones.
//
// A reader of an existing name sees the old entry or the complete new one, unless files are rewritten in place. An
// entry that could not be completed is removed, unless it may belong to another run; see partial.go. Package backup
// saves the old entry before it is replaced; package attrs sets the attributes of the new one.
package place

import (
	"context"
	"errors"

	"psync/internal/engine/attrs"
	"psync/internal/engine/job"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// ErrNotRegular says that an entry that was a regular file has become something else.
var ErrNotRegular = errors.New("is no longer a regular file")

// An Entry describes an entry to be made.
type Entry struct {
	Name   string
	Action plan.Action // Create, Replace or ReplaceDir
	Attrs  *attrs.Desired
	// Only is what an entry that is replaced must still be; nil allows any. If the entry differs, the error matches
	// vfs.ErrChanged.
	Only *vfs.Premise
	// Before is the action of an attempt before, which may have left some of the file under its name, or 0.
	Before plan.Action
	Patch  bool   // the file may be made from the one that it replaces
	Part   string // the temporary name of what an attempt before has left of the file, or ""
	Delay  bool   // a file made under a temporary name keeps that until PutInPlace is called, if possible
	// MakeWay, with the action ReplaceDir, empties the directory that has the name, or returns an error if that must stay.
	// It is called when the entry is complete except for its name, and reports the notes made so far.
	MakeWay func(ctx context.Context, notes attrs.Notes) error
}

// An Outcome is the result of making an entry. It is valid even if making the entry failed.
type Outcome struct {
	Notes      attrs.Notes
	Locks      []metadata.Op // operations, left to the caller, that lock an entry that may get further names
	Partial    bool          // the source changed while it was copied
	Temp       string        // the temporary name of a delayed file, or ""
	Part       string        // of what is left of a file when the connection was lost, or ""
	Verified   bool          // what was written was read back and is equal
	Mismatched bool          // it was not equal at first, and was copied again

	rest       attrs.Rest
	incomplete bool // the contents could not be copied
}

// finishNamed sets the remaining attributes of an entry that now has its final name.
func finishNamed(j *job.Worker, d *job.Dir, e Entry, o *Outcome) error {
	locks, notes, err := j.Attrs.SetNamed(d.Volumes(), metadata.Entry{Dir: d.Dst, Name: e.Name}, e.Attrs, &o.rest)
	o.Locks = locks
	o.Notes = append(o.Notes, notes...)
	return err
}

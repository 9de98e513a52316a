package attrs

import (
	"errors"
	"io/fs"
	"slices"

	"psync/internal/report"
)

var (
	errIgnored  = errors.New("ignored by the volume")
	errAltered  = errors.New("changed by the volume")
	errForeign  = errors.New("the system there has no such attributes")
	errWithheld = errors.New("set-id bits would give the rights of another owner")
)

// A Note is something to report about attributes of an entry.
type Note struct {
	Attrs report.Attr
	Err   error
	// Failed says that the attributes could not be read or set for a reason that may be temporary.
	// Otherwise the volume, or the user's rights, do not allow preserving them.
	Failed   bool
	OnSource bool        // the note concerns the entry of the source
	Asked    report.Attr // the ones of Attrs that the user asked for
}

// Notes are what to report about the attributes of an entry, in order. They are nil if nothing is wrong.
type Notes []Note

// Failed reports whether attributes could not be read or set.
func (n Notes) Failed() bool { return slices.ContainsFunc(n, func(n Note) bool { return n.Failed }) }

// addFailed adds the note that attributes could not be read or set, as verb says.
func (n *Notes) addFailed(onSource bool, attrs report.Attr, verb string, err error) {
	err = &attributeError{attrs, verb, err, onSource && errors.Is(err, fs.ErrNotExist)}
	*n = append(*n, Note{Attrs: attrs, Err: err, Failed: true, OnSource: onSource})
}

// An attributeError says that an attribute could not be read or set for a reason that may be
// temporary. It does not unwrap: ENOSPC for an extended attribute does not mean that the volume is full.
type attributeError struct {
	attr report.Attr
	verb string
	err  error
	gone bool // the entry may have vanished
}

// Is reports whether target is fs.ErrNotExist and the entry may have vanished.
func (e *attributeError) Is(target error) bool { return e.gone && target == fs.ErrNotExist }

func (e *attributeError) Error() string {
	why := e.err
	if path, ok := errors.AsType[*fs.PathError](why); ok {
		why = path.Err
	}
	return "the " + e.attr.String() + " could not be " + e.verb + ": " + why.Error()
}

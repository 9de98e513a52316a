package engine

import (
	"errors"
	"io/fs"

	"psync/internal/report"
)

// An attributeError says that an attribute could not be read or set for a reason that may be
// gone another time. It does not unwrap: an attribute without room is no full volume.
type attributeError struct {
	attr report.Attr
	verb string
	err  error
}

func (e *attributeError) Error() string {
	why := e.err
	var path *fs.PathError
	if errors.As(why, &path) {
		why = path.Err
	}
	return "the " + e.attr.String() + " could not be " + e.verb + ": " + why.Error()
}

// failAttribute tells that the entry called name has failed for the sake of an attribute. The
// entry is there all the same, and is named once, whatever else it lacks.
func (w *worker) failAttribute(d *directory, at side, name string, e *attributeError) {
	w.flawed = true
	if w.named {
		return
	}
	w.named = true
	var err error = e
	if at == onSource && errors.Is(e.err, fs.ErrNotExist) {
		err = e.err // it is gone
	}
	w.failed(d, at, report.Event{Name: name, IsDir: name == "", Err: err})
}

// unread tells that an attribute of an entry could not be read: that of the destination stays.
func (w *worker) unread(d *directory, at side, name string, attrs report.Attr, err error) {
	w.failAttribute(d, at, name, &attributeError{attrs, "read", err})
}

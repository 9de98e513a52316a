package engine

import (
	"errors"
	"io/fs"

	"psync/internal/report"
)

// An attributeError says that an attribute could not be read or set for a reason that may be
// temporary. It does not unwrap: ENOSPC for an extended attribute does not mean that the volume is full.
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

// failAttribute reports that the entry called name lacks an attribute. The entry itself was
// copied. It is reported once, however many attributes it lacks.
func (w *worker) failAttribute(d *directory, at side, name string, e *attributeError) {
	w.flawed = true
	if w.named {
		return
	}
	w.named = true
	var err error = e
	if at == onSource && errors.Is(e.err, fs.ErrNotExist) {
		err = e.err // the entry has vanished
	}
	w.failed(d, at, report.Event{Name: name, IsDir: name == "", Err: err})
}

// failRead reports that an attribute of an entry could not be read. That of the destination stays.
func (w *worker) failRead(d *directory, at side, name string, attrs report.Attr, err error) {
	w.failAttribute(d, at, name, &attributeError{attrs, "read", err})
}

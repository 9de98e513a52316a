package record

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"syscall"
	"time"

	"psync/internal/report"
	"psync/internal/ui"
)

// kindNames are the values of the member "event".
var kindNames = [...]string{
	report.Mkdir: "mkdir", report.Copy: "copy", report.Replace: "replace", report.Symlink: "symlink", report.Link: "link",
	report.SetAttr: "attrs", report.Delete: "delete", report.Skip: "skip", report.Vanish: "vanish", report.Fail: "fail",
	report.Unkept: "unkept", report.VolumeFile: "volume_file", report.Leave: "leave", report.Outage: "outage",
	report.OutageEnd: "outage_end", report.Hang: "hang", report.Deleting: "deleting",
	report.RemovingSource: "removing_source", report.RemovedSource: "removed_source",
}

// appendEvent appends the line of an event.
func (r *Recorder) appendEvent(b []byte, e report.Event, after time.Duration) []byte {
	b = append(b, `{"event":"`...)
	b = append(b, kindNames[e.Kind]...)
	b = append(b, `","t":`...)
	b = strconv.AppendFloat(b, after.Seconds(), 'f', 6, 64)
	b = appendName(b, "path", e.Path())
	if t := typeOf(e); t != "" {
		b = append(b, `,"type":"`...)
		b = append(b, t...)
		b = append(b, '"')
		if t == "file" && e.Kind != report.Skip {
			b = append(b, `,"size":`...)
			b = strconv.AppendInt(b, e.Size, 10)
		}
	}
	if e.Target != "" {
		b = appendName(b, "target", e.Target)
	}
	if e.Kind < report.Delete && e.Diff != 0 {
		b = appendChanges(b, e.Diff)
	}
	if e.Attr != 0 {
		b = appendMember(b, "attribute", e.Attr.String())
	}
	if e.Asked {
		b = append(b, `,"asked":true`...)
	}
	if e.Err != nil {
		b = r.appendError(b, e.Err)
	}
	return append(b, "}\n"...)
}

// typeOf returns the type of the entry, or "" if it is unknown.
func typeOf(e report.Event) string {
	if e.IsDir || e.Kind == report.Mkdir {
		return "dir"
	}
	switch e.Kind {
	case report.Copy, report.Replace, report.Link, report.Symlink, report.Skip, report.RemovingSource, report.RemovedSource:
	default:
		return ""
	}
	switch {
	case e.Kind == report.Symlink, e.Type&fs.ModeSymlink != 0, e.Kind == report.Replace && e.Target != "":
		return "symlink"
	case e.Type&fs.ModeCharDevice != 0:
		return "char_device"
	case e.Type&fs.ModeDevice != 0:
		return "device"
	case e.Type&fs.ModeNamedPipe != 0:
		return "fifo"
	case e.Type&fs.ModeSocket != 0:
		return "socket"
	}
	return "file"
}

func appendChanges(b []byte, d report.Diff) []byte {
	b = append(b, `,"changes":`...)
	sep := byte('[')
	for name := range d.Names() {
		b = append(b, sep, '"')
		b = append(b, name...)
		b = append(b, '"')
		sep = ','
	}
	return append(b, ']')
}

// appendError appends what is known of an error.
func (r *Recorder) appendError(b []byte, err error) []byte {
	if op := operation(err); op != "" {
		b = appendMember(b, "op", op)
	}
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		b = append(b, `,"errno":`...)
		b = strconv.AppendInt(b, int64(errno), 10)
		b = appendMember(b, "error", errno.Error())
	}
	b = appendMember(b, "message", ui.Describe(err))
	if hint := hintFor(err, r.hint); hint != "" {
		b = appendMember(b, "remedy", hint)
	}
	return b
}

// operation returns the call of the system that failed, or "".
func operation(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Op
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Op
	}
	return ""
}

package survey

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"

	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// usualSize is a file size that every file system supports.
const usualSize = 1<<31 - 1

// lostEntry reports whether the entry called name will not be copied at all, and why.
func (d *directory) lostEntry(path, name string, attr vfs.Attr) (lost bool, why Kind, err error) {
	w, tr := d.w, d.w.trials
	got, err := tr.names.check(name)
	if err != nil {
		return false, 0, err
	}
	if got.bad {
		w.findings.add(path, got.kind, got.detail)
		if got.kind == Name {
			return true, Name, nil
		}
	}
	k := keyOf(attr)
	switch kind := kindOf(k.kind); {
	case k.kind == 0:
		return d.lostFile(path, name, attr)
	case k.kind.IsDir():
		return false, 0, nil
	default:
		w.findings.need(kind)
		refusal, err := tr.canMake(k)
		if refusal != nil {
			w.findings.add(path, kind, reason(refusal))
		}
		if err != nil || refusal != nil || kind != Symlink {
			return refusal != nil, kind, err
		}
	}
	return d.lostTarget(path, name)
}

// lostTarget is lostEntry for a symbolic link on a volume that supports them.
func (d *directory) lostTarget(path, name string) (lost bool, why Kind, err error) {
	target, err := d.dir.Readlink(name)
	if err != nil {
		d.w.findings.add(path, Unread, reason(err))
		return true, Unread, nil
	}
	ok, err := d.w.trials.takesTarget(target)
	if !ok && err == nil {
		detail := "characters"
		if len(target) > usualTarget {
			detail = strconv.Itoa(len(target)) + " bytes"
		}
		d.w.findings.add(path, Target, detail)
	}
	return !ok, Target, err
}

// kindOf returns the kind of the finding if an entry of type t, which is neither a file nor a directory, cannot
// be made.
func kindOf(t fs.FileMode) Kind {
	switch {
	case t == fs.ModeSymlink:
		return Symlink
	case t&fs.ModeDevice != 0:
		return Device
	}
	return Special
}

// lostFile is lostEntry for a regular file.
func (d *directory) lostFile(path, name string, attr vfs.Attr) (lost bool, why Kind, err error) {
	w := d.w
	if !w.user.Privileged() && attr.Mode&0o444 != 0o444 {
		f, err := d.dir.OpenFile(name, vfs.ReadOnly, 0)
		if err != nil {
			w.findings.add(path, Unread, reason(err))
			return true, Unread, nil
		}
		vfs.CloseUnwritten(f)
	}
	if attr.Size > usualSize {
		ok, err := w.trials.sizes.allows(attr.Size)
		if err != nil || !ok {
			if err == nil {
				w.findings.add(path, FileSize, "")
			}
			return !ok, FileSize, err
		}
	}
	return false, 0, nil
}

// attributes checks the attributes of an entry.
func (w *walker) attributes(d *directory, name string, attr vfs.Attr) error {
	path := vfs.Join(d.path, name)
	if name == "." {
		path = "."
	}
	if attr.Nlink > 1 && !attr.Mode.IsDir() {
		w.findings.need(HardLink)
		refusal, err := w.trials.canLink(keyOf(attr))
		if err != nil {
			return err
		}
		if refusal != nil {
			w.findings.add(path, HardLink, "")
		}
	}
	if err := w.time(path, attr); err != nil {
		return err
	}
	w.hole(d, path, name, attr)
	return w.metadata(d, path, name, attr)
}

// time checks the modification time.
func (w *walker) time(path string, attr vfs.Attr) error {
	ts := w.trials.times
	ok, err := ts.keeps(attr.Mtime)
	switch {
	case err != nil:
	case !ok:
		w.findings.add(path, Time, strconv.Itoa(attr.Mtime.UTC().Year()))
	case !ts.granularity.keeps(attr.Mtime):
		w.findings.add(path, Rounded, "")
	}
	return err
}

// hole checks a file for holes.
func (w *walker) hole(d *directory, path, name string, attr vfs.Attr) {
	if !attr.Mode.IsRegular() || attr.Size-attr.Blocks*512 < 4096 || w.trials.keepsHoles && w.findings.needed[Hole].Load() {
		return
	}
	f, err := d.dir.OpenFile(name, vfs.ReadOnly, 0)
	if err != nil {
		return // it was already reported as unreadable, or it has vanished
	}
	defer vfs.CloseUnwritten(f)
	start, end, err := f.NextData(0)
	if err == nil && start == 0 && end >= attr.Size || err != nil && !errors.Is(err, io.EOF) {
		return // it is compressed
	}
	w.findings.need(Hole)
	if !w.trials.keepsHoles {
		w.findings.add(path, Hole, "")
	}
}

// metadata checks the owner, the mode, extended attributes and flags.
func (w *walker) metadata(d *directory, path, name string, attr vfs.Attr) error {
	want := metadata.State{Attr: attr}
	n, err := d.dir.Node(name)
	switch {
	case err == nil:
		defer vfs.CloseUnwritten(n)
		err = w.profile.Read(n, w.keep, &want, func(a report.Attr, err error) {
			w.findings.add(path, Unread, a.String()+": "+reason(err))
		})
	case errors.Is(err, errors.ErrUnsupported):
		n = nil
	}
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		if !errors.Is(err, fs.ErrNotExist) {
			w.findings.add(path, Unread, reason(err))
		}
		return nil
	}
	for _, x := range want.Xattrs {
		switch {
		case w.profile.Xattr(x.Name)&metadata.IsACL == 0:
			w.findings.need(Xattr)
		case !x.Trivial:
			w.findings.need(ACL)
		}
	}
	r, err := w.trials.tryAttributes(&want, n)
	if err == nil && (r.diff != 0 || r.xattrs != nil) {
		w.addAttributes(path, &want, r)
	}
	return err
}

// setID are the set-user-ID and set-group-ID bits of a mode.
const setID = fs.ModeSetuid | fs.ModeSetgid

// addAttributes records which attributes of an entry are not kept.
func (w *walker) addAttributes(path string, want *metadata.State, r attrResult) {
	if r.diff&report.DiffOwner != 0 {
		w.findings.add(path, Owner, strconv.FormatUint(uint64(want.UID), 10))
	}
	if r.diff&report.DiffGroup != 0 {
		w.findings.add(path, Group, strconv.FormatUint(uint64(want.GID), 10))
	}
	if r.diff&report.DiffPerms != 0 {
		changed := want.Mode ^ r.mode
		if changed&setID != 0 {
			w.findings.add(path, SetID, "")
		}
		if changed&^setID != 0 || changed == 0 {
			w.findings.add(path, Mode, fmt.Sprintf("%04o becomes %04o", want.Mode.Perm(), r.mode.Perm()))
		}
	}
	if r.diff&report.DiffACL != 0 {
		w.findings.add(path, ACL, "")
	}
	for _, space := range r.xattrs {
		w.findings.add(path, Xattr, space)
	}
	if r.diff&report.DiffFlags != 0 {
		w.findings.add(path, Flags, "")
	}
}

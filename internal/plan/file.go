package plan

import (
	"io/fs"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

// A Verdict says what to do with a regular file of the source whose attributes are known.
type Verdict uint8

// The verdicts.
const (
	Transfer        Verdict = iota // copy the contents
	OmitLarge                      // skip the file because of its size
	OmitSmall                      // likewise
	OmitTime                       // skip the file because of its time
	LeaveNewer                     // skip the file, because the destination is newer
	LeaveLonger                    // skip the file, because the destination has as much, or more
	ComparePrefix                  // as LeaveNewer, but copy it if the destination's contents are a prefix of the source's
	Current                        // the contents are up to date
	CompareContents                // compare the contents to decide whether they are up to date
)

// NeedsSource reports whether the attributes of a source entry of type src must be known before it is copied to
// a name where the destination has an entry of type dst. keeps says that some of them are preserved, or needed
// for other reasons. The attributes of a file are read when it is opened.
func (p Policy) NeedsSource(src, dst fs.FileMode, keeps bool) bool {
	src, dst = src.Type(), dst.Type()
	switch src {
	case 0:
		return p.Compare || p.LimitsFiles() || dst != Absent && (p.Sync || p.Resumes || p.Update || p.Append)
	case fs.ModeSymlink:
		return keeps || dst != Absent
	}
	return true
}

// File decides about a regular file by its attributes and those of the destination's entry, whose mode
// is [Absent] if there is none.
//
// A destination file that is newer but a prefix of the source file was probably left behind by a killed copy.
// Nothing is lost if it is replaced.
func (p Policy) File(src, dst vfs.Attr, t metadata.Tolerance) Verdict {
	verdict := p.omits(src)
	switch {
	case verdict != Transfer:
		return verdict
	case !dst.Mode.IsRegular():
		return Transfer
	case p.Update && dst.Mtime.After(src.Mtime) && !t.Same(src.Mtime, dst.Mtime):
		if dst.Size < src.Size && !p.StrictUpdate {
			return ComparePrefix
		}
		return LeaveNewer
	case p.Sync || p.Resumes:
		verdict = p.compare(src, dst, t)
	}
	if verdict == Transfer && p.Append && dst.Size >= src.Size {
		return LeaveLonger
	}
	return verdict
}

// Special decides about an entry that is neither a regular file nor a directory by its attributes and those of
// the destination's entry. It returns Transfer, Current or CompareContents; the contents of a link are its target.
func Special(src, dst vfs.Attr) Verdict {
	t := src.Mode.Type()
	switch {
	case dst.Mode.Type() != t, t&fs.ModeDevice != 0 && src.Rdev != dst.Rdev:
		return Transfer
	case t == fs.ModeSymlink:
		return CompareContents
	}
	return Current
}

// Alternative decides whether the file alt of another tree may be used in place of a source file. It returns
// Transfer (it may not), Current or CompareContents. alt must be a regular file.
func (p Policy) Alternative(src, alt vfs.Attr, t metadata.Tolerance) Verdict {
	return p.compare(src, alt, t)
}

// compare compares two regular files as a sync does.
func (p Policy) compare(src, dst vfs.Attr, t metadata.Tolerance) Verdict {
	switch {
	case src.Size != dst.Size:
		return Transfer
	case p.Checksum:
		return CompareContents
	case p.SizeOnly:
		return Current
	case p.IgnoreTimes:
		return Transfer
	case t.Same(src.Mtime, dst.Mtime):
		return Current
	case metadata.Clamped(src.Mtime, dst.Mtime):
		return CompareContents // the volume may be unable to store the time
	}
	return Transfer
}

// LimitsFiles reports whether the policy skips regular files because of their sizes or modification times.
func (p Policy) LimitsFiles() bool {
	return p.MinSize != 0 || p.LimitSize || !p.MinMtime.IsZero() || !p.MaxMtime.IsZero()
}

// OmitsFile reports whether the policy skips a regular file with these attributes.
func (p Policy) OmitsFile(a vfs.Attr) bool { return p.omits(a) != Transfer }

// omits returns why the policy skips a regular file with these attributes, or Transfer.
func (p Policy) omits(a vfs.Attr) Verdict {
	switch {
	case p.LimitSize && a.Size > p.MaxSize:
		return OmitLarge
	case a.Size < p.MinSize:
		return OmitSmall
	case !p.MinMtime.IsZero() && a.Mtime.Before(p.MinMtime), !p.MaxMtime.IsZero() && a.Mtime.After(p.MaxMtime):
		return OmitTime
	}
	return Transfer
}

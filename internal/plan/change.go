package plan

import "psync/internal/vfs"

// A Change says what the attributes of a file reveal about a change of its contents.
type Change uint8

// The changes.
const (
	Unchanged       Change = iota
	CtimeChanged           // only the change time differs; the contents may have changed if the mtime was set back
	ContentsChanged        // the size or the modification time differs
)

// ChangeOf compares the attributes of a file with those that it had before.
func ChangeOf(was, now vfs.Attr) Change {
	switch {
	case now.Size != was.Size || !now.Mtime.Equal(was.Mtime):
		return ContentsChanged
	case now.Ctime != was.Ctime:
		return CtimeChanged
	}
	return Unchanged
}

// An Outcome says what to do with a copy of a file that may have changed while it was copied.
type Outcome uint8

// The outcomes.
const (
	Complete  Outcome = iota
	CopyAgain         // the contents have to be copied once more
	KeepStale         // keep it, with a modification time that makes a later run copy it again
	Discard           // fail: a later run would consider it up to date
)

// recopies is how often a file is copied again because its change time differs. chown, chmod and link also
// change it.
const recopies = 2

// AfterCopy decides what to do with a copy of a file that changed, according to c, while it was copied. again
// is how many times it has been copied again.
func (p Policy) AfterCopy(c Change, again int) Outcome {
	switch {
	case c == Unchanged:
		return Complete
	case c == CtimeChanged && again < recopies:
		return CopyAgain
	case p.RecopiesStale():
		return KeepStale
	}
	return Discard
}

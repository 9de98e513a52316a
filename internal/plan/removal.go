package plan

// Delete determines whether entries that the source lacks are removed.
type Delete struct {
	On           bool
	Force        bool // directories that another entry replaces are emptied, even if On is false
	IgnoreErrors bool // even if the source could not be listed completely
	EmptySource  bool // even if a source has no entries
	CrossMounts  bool // also remove the contents of mounts in removed directories
	Max          *Limit
}

// A Limit is the maximum number of entries to remove, as a number or as a share of the destination's entries.
type Limit struct {
	N       int64
	Percent bool
	Partial bool // if there is more to remove, as much as the limit is removed, rather than nothing
}

// Of returns how many entries may be removed from a destination that has total entries.
func (l Limit) Of(total int64) int64 {
	if l.Percent {
		return total * l.N / 100
	}
	return l.N
}

// AwaitsLinks reports whether removals have to wait until everything is copied, because only then are all
// destination links that are treated as directories known.
func (p Policy) AwaitsLinks() bool { return p.Delete.Clears() && p.Links.KeepDirlinks }

// DefersRemoval reports whether removals wait until all directories are copied. The directories are then
// listed again, after everything to be removed has been counted.
func (p Policy) DefersRemoval() bool { return p.Delete.Max != nil || p.AwaitsLinks() }

// A Removal says what to do with the extraneous entries of a directory of the destination.
type Removal uint8

// The removals.
const (
	Remove             Removal = iota
	RemoveLater                // remove them when everything is copied
	CountFirst                 // count them now, and remove them when everything is copied
	FailEmptySource            // fail: the source looks like a volume that is not mounted
	FailSeveralSources         // fail: an entry that one source lacks may be another's
)

// RemovalFacts are the facts that [Policy.Removal] decides by.
type RemovalFacts struct {
	IsOperand   bool // the source directory is an operand
	SourceEmpty bool // the source has no entries, not even excluded ones
	Again       bool // everything is copied, and the directory has been listed again
	Sources     int  // how many source directories are copied to the directory, if links are awaited
}

// Removal decides about the extraneous entries of a directory.
func (p Policy) Removal(f RemovalFacts) Removal {
	switch {
	case f.SourceEmpty && f.IsOperand && !p.Delete.EmptySource:
		return FailEmptySource
	case !f.Again && p.Delete.Max != nil:
		return CountFirst
	case !f.Again && p.AwaitsLinks():
		return RemoveLater
	case p.AwaitsLinks() && !p.Compare && f.Sources > 1:
		return FailSeveralSources
	}
	return Remove
}

// A Clearing says what to do with a directory that another entry replaces.
type Clearing uint8

// The clearings.
const (
	IsFree       Clearing = iota // the directory is empty, and may be replaced at once
	Clear                        // remove its entries
	ClearLater                   // remove its entries when everything is copied
	FailNotEmpty                 // fail: the directory is not empty
)

// Clearing decides about a directory that another entry replaces. again says that everything is copied. Until
// then, a link that is treated as a directory may lead to it although it is empty.
func (p Policy) Clearing(empty, again bool) Clearing {
	switch {
	case empty && (again || !p.AwaitsLinks()):
		return IsFree
	case !p.Delete.Clears():
		return FailNotEmpty
	case !again && p.DefersRemoval():
		return ClearLater
	}
	return Clear
}

// Clears reports whether directories that another entry replaces are emptied.
func (d Delete) Clears() bool { return d.On || d.Force }

// An Emptying says whether a directory that the source lacks may be emptied.
type Emptying uint8

// The emptyings.
const (
	MayEmpty  Emptying = iota
	Spare              // leave the directory alone
	FailMount          // fail: something is mounted there
)

// Emptying decides about a directory whose entries are all to be removed. inUse says that the run uses the
// directory, or has copied a directory to it; mounted says that it is not on the volume of its parent.
func (d Delete) Emptying(inUse, mounted bool) Emptying {
	switch {
	case inUse:
		return Spare
	case mounted && !d.CrossMounts:
		return FailMount
	}
	return MayEmpty
}

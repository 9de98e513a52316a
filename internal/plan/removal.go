package plan

// Delete says whether entries that the source lacks are removed.
type Delete struct {
	On           bool
	Force        bool // also directories that another entry replaces are emptied, On or not
	IgnoreErrors bool // even where the source could not be listed to its end
	EmptySource  bool // even if a source has no entries at all
	CrossMounts  bool // also remove what is mounted in a directory that is removed
	Max          *Limit
}

// A Limit is a number of entries to remove at most, or a share of what the
// destination holds.
type Limit struct {
	N       int64
	Percent bool
}

// Of returns how many entries may be removed from a destination that has total entries.
func (l Limit) Of(total int64) int64 {
	if l.Percent {
		return total * l.N / 100
	}
	return l.N
}

// AwaitsLinks reports whether nothing is removed before everything is copied, because only then is it known
// where all links of the destination lead that are treated as directories.
func (p Policy) AwaitsLinks() bool { return p.Delete.Clears() && p.Links.KeepDirlinks }

// PostponesRemoval reports whether nothing is removed while directories are copied: they are listed
// again after all are copied and everything to be removed is counted.
func (p Policy) PostponesRemoval() bool { return p.Delete.Max != nil || p.AwaitsLinks() }

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
	IsOperand   bool // the user named the directory of the source
	SourceEmpty bool // the source has no entries, whether or not they take part
	Again       bool // everything is copied, and the directory is listed again
	Sources     int  // how many directories of the source are copied here, if links are awaited
}

// Removal decides about the extraneous entries of a directory that has some.
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

// A Clearing says what to do with a directory that another entry is to replace.
type Clearing uint8

// The clearings.
const (
	IsFree       Clearing = iota // it is empty, and may be replaced at once
	Clear                        // remove what is in it
	ClearLater                   // remove it when everything is copied
	FailNotEmpty                 // fail: it is not empty
)

// Clearing decides about a directory that another entry is to replace. again says that everything is
// copied; until then, a link that is treated as a directory may lead to it although it is empty.
func (p Policy) Clearing(empty, again bool) Clearing {
	switch {
	case empty && (again || !p.AwaitsLinks()):
		return IsFree
	case !p.Delete.Clears():
		return FailNotEmpty
	case !again && p.PostponesRemoval():
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
	Spare              // leave it as it is
	FailMount          // fail: something is mounted there
)

// Emptying decides about a directory in which everything is to be removed. inUse says that the run uses
// it, or has copied a directory to it; mounted, that it is not on the volume of its parent.
func (d Delete) Emptying(inUse, mounted bool) Emptying {
	switch {
	case inUse:
		return Spare
	case mounted && !d.CrossMounts:
		return FailMount
	}
	return MayEmpty
}

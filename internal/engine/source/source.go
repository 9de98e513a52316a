// Package source determines which entries of the source take part in a copy, and what symbolic links
// are copied as.
package source

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"psync/internal/engine/dirnames"
	"psync/internal/filter"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// Rules say which entries take part in a copy. Paths are slash-separated and relative to the destination.
type Rules interface {
	// Hidden reports whether an entry of the source is left out.
	Hidden(path string, isDir bool) bool
	// Protected reports whether an entry of the destination must not be removed.
	Protected(path string, isDir bool) bool
}

// A List names the entries to copy; a source may hold others.
type List interface {
	// Names returns the entries that were named in the directory dir. If all is true, all entries of dir are copied.
	Names(dir string) (names []string, all bool)
	// Listed reports whether an entry was named, or is copied with a directory that was.
	Listed(path string) bool
	// Follows reports whether a link at path stands for the directory that it leads to.
	Follows(path string) bool
}

// A Tree is one directory to copy from.
type Tree struct {
	Dir vfs.Dir
	// Label is what Dir is called in messages.
	Label string
	// Open opens the directory if Dir is nil. The run calls it when it needs the directory, and again
	// after it has closed it, from several goroutines. It must open the same directory each time.
	Open func() (vfs.Dir, error)
	// Err is why nothing can be copied from Dir, which is then nil. Each of Names fails with it.
	Err error
	// Names are the entries of Dir to copy. If there are none, the whole
	// contents and the attributes of Dir itself are copied.
	Names []string
	// Original is what the only element of Names is called in messages if that differs from its name: Dir shows the
	// entry under the name of its copy.
	Original string
	// Operands are the paths below Dir that the user has named as sources. If there are none, Dir itself is one. The
	// target of a link that lies beyond them is outside the sources.
	Operands []string
	// EntriesOnly says that the attributes of Dir are not copied, whether it has Names or not.
	EntriesOnly bool
	// Merged says that Dir shows several directories as one, so that an entry may have several names below it.
	Merged bool
	// Into is the name of a directory within the destination that takes the
	// place of the destination, or "".
	Into string
	// Rules replace those of the Selection for this directory. If nil, the same rules apply everywhere.
	Rules Rules
}

// Failed returns the names that Err must be reported for, where "" is Dir itself.
func (t *Tree) Failed() []string {
	if t.Err != nil && len(t.Names) == 0 {
		return []string{""}
	}
	if t.Err != nil {
		return t.Names
	}
	return nil
}

// A Selection says which entries take part. In the zero value, all do.
type Selection struct {
	Rules Rules // nil: no entry is left out
	Files List  // names the entries to copy; nil: all
	// IgnoreMissing omits names of Files that do not exist without reporting them.
	IgnoreMissing bool
	// OneLevel copies only the entries of a source that is a directory, and nothing inside other directories.
	OneLevel    bool
	Prune       bool // leave out directories that would hold nothing but directories
	VolumeFiles bool // also copy what the system keeps for itself in the roots of volumes
}

// A Selector applies a Selection.
type Selector struct {
	Selection
	links   plan.Links
	profile *metadata.Profile
}

// NewSelector returns a Selector that applies s and copies links as links says. The profile
// knows which files the system keeps for itself; nil means the profile of this system.
func NewSelector(s Selection, links plan.Links, profile *metadata.Profile) *Selector {
	return &Selector{s, links, cmp.Or(profile, metadata.Native())}
}

// A Scope is what decides, apart from the Selection, which entries of a directory of the source take part.
type Scope struct {
	Path         string   // path of its counterpart, relative to the destination
	Lineage      *Lineage // of the directory
	AtVolumeRoot bool     // it, or its counterpart, is the root of a volume, and copied itself
	AppleDouble  bool     // see vfs.Volume
	Rules        Rules    // in force in it; nil: those of the Selection
}

// An Omission is an entry that does not take part for a reason worth reporting.
type Omission struct {
	Name   string
	IsDir  bool
	Target string // of a link for which Err is ErrUnsafe
	Err    error  // ErrVolumeFile, ErrUnsafe, or a failure
}

// ErrSwapped says that a path no longer leads to the directory that it led to earlier in this run.
var ErrSwapped = errors.New("was replaced by another directory while it was in use")

// The reasons for an [Omission] that are not failures.
var (
	ErrVolumeFile = errors.New("is kept by the system for the volume")
	ErrUnsafe     = errors.New("leads out of the tree")
)

// ErrNotFound says that a List names an entry that does not exist.
var ErrNotFound = errors.New("is on the list of files to copy, but does not exist")

var (
	errNotDir   = errors.New("is no directory, but entries in it are on the list of files to copy")
	errLoop     = errors.New("is a link to a directory that it lies in")
	errDangling = errors.New("is a link that leads nowhere")
)

// Named returns the entries of d that Files names, and an [Omission] for each name that does not exist. If all
// is true, everything in d takes part, not only these.
func (s *Selector) Named(d vfs.Dir, in Scope) (entries []vfs.Entry, omitted []Omission, all bool) {
	if s.Files == nil {
		return nil, nil, true
	}
	names, all := s.Files.Names(in.Path)
	entries, omitted = s.LookUpListed(d, in, names)
	return entries, omitted, all
}

// LookUpListed returns those entries of d that Files lists as names. An entry that is not a directory may be omitted
// as one, and also be copied by itself.
func (s *Selector) LookUpListed(d vfs.Dir, in Scope, names []string) (entries []vfs.Entry, omitted []Omission) {
	facts := listNames(d, names)
	for _, name := range names {
		e := vfs.Entry{Name: name, Facts: facts[name]}
		follow := s.Files.Follows(vfs.Join(in.Path, name))
		attr, err := Stat(d, e, follow)
		if follow && (err == nil && !attr.Mode.IsDir() || errors.Is(err, fs.ErrNotExist)) {
			attr, err = Stat(d, e, false)
		}
		switch {
		case errors.Is(err, fs.ErrNotExist) && s.IgnoreMissing:
			continue
		case errors.Is(err, fs.ErrNotExist):
			err = ErrNotFound
		case err == nil && !attr.Mode.IsDir() && s.listsIn(vfs.Join(in.Path, name)):
			err = errNotDir
		}
		if err != nil {
			omitted = append(omitted, Omission{Name: name, Err: err})
		}
		if err != nil && (err != errNotDir || !s.Files.Listed(vfs.Join(in.Path, name))) {
			continue
		}
		e.Type = attr.Mode.Type()
		entries = append(entries, e)
	}
	return entries, omitted
}

// listsIn reports whether Files names entries below path.
func (s *Selector) listsIn(path string) bool {
	names, _ := s.Files.Names(path)
	return len(names) > 0
}

// LookUp returns the entries of d called names, in the order of names, and an [Omission] for each that could
// not be looked up.
func LookUp(d vfs.Dir, names []string) (entries []vfs.Entry, omitted []Omission) {
	facts := listNames(d, names)
	for _, name := range names {
		e := vfs.Entry{Name: name, Facts: facts[name]}
		attr, err := Stat(d, e, false)
		if err != nil {
			omitted = append(omitted, Omission{Name: name, Err: err})
			continue
		}
		e.Type = attr.Mode.Type()
		entries = append(entries, e)
	}
	return entries, omitted
}

// Select removes from entries those that do not take part. A link to follow gets the type
// of its target. Unless names is nil, Select adds to it the names that count as present in the source;
// some is true if the directory has any entries.
func (s *Selector) Select(d vfs.Dir, in Scope, entries []vfs.Entry, names *dirnames.Set) (selected []vfs.Entry, some bool, omitted []Omission) {
	if in.AtVolumeRoot {
		entries = slices.DeleteFunc(entries, func(e vfs.Entry) bool {
			if !s.IsVolumeFile(in.AtVolumeRoot, e.Name) {
				return false
			}
			omitted = append(omitted, Omission{Name: e.Name, IsDir: e.Type.IsDir(), Err: ErrVolumeFile})
			return true
		})
	}
	some = len(entries) > 0
	if in.AppleDouble {
		entries = slices.DeleteFunc(entries, func(e vfs.Entry) bool { return IsAppleDouble(d, e.Name) })
	}
	if s.Rules == nil && s.Files == nil && names == nil && !s.links.HasEffect() && !s.Prune {
		return entries, some, omitted
	}
	selected = entries[:0]
	for _, e := range entries {
		e, hidden, o := s.follow(d, in, e)
		taken := o.Err == nil
		if !taken {
			omitted = append(omitted, o)
		}
		if hidden || taken && s.isPruned(d, in, e) {
			continue // as if the source had none
		}
		if names != nil {
			names.Add(e.Name)
		}
		if taken {
			selected = append(selected, e)
		}
	}
	return selected, some, omitted
}

// follow gives an entry of d that is a link to be followed the type of its target, and reports whether a rule leaves
// it out. A link that is omitted keeps its type and is not hidden.
func (s *Selector) follow(d vfs.Dir, in Scope, e vfs.Entry) (as vfs.Entry, hidden bool, o Omission) {
	if s.hidesEntry(in, e) {
		return e, true, o
	}
	if e.Type == fs.ModeSymlink && s.leadsOn(d, in, e) {
		e.Type = fs.ModeDir
		return e, s.Hides(in, e.Name, true), o
	}
	if e.Type != fs.ModeSymlink || !s.links.HasEffect() {
		return e, false, o
	}
	typ, o := s.link(d, in, e)
	if o.Err != nil {
		return e, false, o
	}
	e.Type = typ
	return e, s.Hides(in, e.Name, typ.IsDir()), o
}

// leadsOn reports whether the list of files to copy makes a link in d stand for the directory that it leads to.
func (s *Selector) leadsOn(d vfs.Dir, in Scope, e vfs.Entry) bool {
	if s.Files == nil || !s.Files.Follows(vfs.Join(in.Path, e.Name)) {
		return false
	}
	attr, err := Stat(d, e, true)
	return err == nil && attr.Mode.IsDir()
}

// hidesEntry reports whether a rule leaves out an entry of a directory, as far as its type is known.
func (s *Selector) hidesEntry(in Scope, e vfs.Entry) bool {
	return s.Rules != nil && s.links.Excludes(e.Type, func(isDir bool) bool { return s.Hides(in, e.Name, isDir) })
}

// Hides reports whether a rule leaves out an entry of a directory. Directories that
// only lead to what is listed are never left out.
func (s *Selector) Hides(in Scope, name string, isDir bool) bool {
	if s.Rules == nil {
		return false
	}
	path := vfs.Join(in.Path, name)
	return (s.Files == nil || s.Files.Listed(path)) && s.InForce(in.Rules).Hidden(path, isDir)
}

// HideRule returns the rule that decides whether an entry of a directory is left out, if one does.
func (s *Selector) HideRule(in Scope, name string, isDir bool) (m filter.Match, found bool) {
	path := vfs.Join(in.Path, name)
	if rules, ok := s.InForce(in.Rules).(*filter.Rules); ok && rules != nil && (s.Files == nil || s.Files.Listed(path)) {
		return rules.HideRule(path, isDir)
	}
	return m, false
}

// InForce returns rules, or those of the Selection, which may also be nil, if rules is nil.
func (s *Selector) InForce(rules Rules) Rules {
	if rules == nil {
		return s.Rules
	}
	return rules
}

// Presence looks at an entry of d as Select does. It reports whether the entry is left out as if it did not exist,
// and whether that is because it is a directory without files.
func (s *Selector) Presence(d vfs.Dir, in Scope, e vfs.Entry) (absent, pruned bool) {
	if in.AppleDouble && IsAppleDouble(d, e.Name) || s.IsVolumeFile(in.AtVolumeRoot, e.Name) {
		return true, false
	}
	e, hidden, o := s.follow(d, in, e)
	pruned = !hidden && o.Err == nil && s.isPruned(d, in, e)
	return hidden || pruned, pruned
}

// Type returns the type that an entry of d is copied as, which for a link may be that of its target.
func (s *Selector) Type(d vfs.Dir, in Scope, e vfs.Entry) (fs.FileMode, error) {
	e, _, o := s.follow(d, in, e)
	return e.Type, o.Err
}

// IsVolumeFile reports whether an entry of a directory is one that the system keeps for itself and that must not be
// copied.
//
// What macOS keeps for itself in the root of a volume belongs to that volume: an index, a log of changes, the trash
// of its users. Not all of it can be read, and copying it to another volume, or removing it there, would damage that
// volume's own. So it is neither copied nor removed where one side is the root of a volume, whether that root is an
// operand or mounted in one. Such a file that is itself an operand is copied, since its directory is not.
func (s *Selector) IsVolumeFile(atVolumeRoot bool, name string) bool {
	return atVolumeRoot && !s.VolumeFiles && s.profile.IsVolumeFile(name)
}

// IsAppleDouble reports whether an entry is a file "._NAME" in which the system keeps the extended attributes of
// NAME, where NAME exists. Such a file is not an entry of its own.
func IsAppleDouble(dir vfs.Dir, name string) bool {
	of, ok := strings.CutPrefix(name, "._")
	if !ok || of == "" {
		return false
	}
	_, err := vfs.Lstat(dir, of)
	return err == nil
}

// isPruned reports whether an entry of d is left out because it is a directory that would hold nothing but
// directories.
func (s *Selector) isPruned(d vfs.Dir, in Scope, e vfs.Entry) bool {
	return s.Prune && e.Type.IsDir() && !s.holdsFiles(d, e.Name, vfs.Join(in.Path, e.Name), s.InForce(in.Rules))
}

// holdsFiles reports whether the directory called name in dir, whose path below
// the destination is path, has anything to copy other than directories, or is protected by
// a rule. It returns true for a directory that cannot be listed, so that the failure is reported
// where it belongs.
func (s *Selector) holdsFiles(dir vfs.Dir, name, path string, outer Rules) bool {
	if s.Rules != nil && s.Rules.Protected(path, true) {
		return true
	}
	sub, err := OpenDir(dir, name, s.links.Follows())
	if err != nil {
		return true
	}
	defer sub.Close()
	rules, err := RulesIn(outer, sub, path)
	if err != nil {
		return true
	}
	var below []string
	err = sub.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			switch {
			case rules != nil && rules.Hidden(vfs.Join(path, e.Name), e.Type.IsDir()):
			case !e.Type.IsDir():
				return errFound
			default:
				below = append(below, strings.Clone(e.Name))
			}
		}
		return nil
	})
	if err != nil {
		return true
	}
	return slices.ContainsFunc(below, func(name string) bool { return s.holdsFiles(sub, name, vfs.Join(path, name), rules) })
}

var errFound = errors.New("found")

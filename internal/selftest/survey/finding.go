package survey

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// A Kind is a kind of property that a destination may not keep.
type Kind uint8

// The kinds. For those before HardLink, the entry is not copied at all.
const (
	Unread    Kind = iota // an entry that the user cannot read
	Name                  // a name that is refused
	Collision             // a name that collides with another one in its directory
	Symlink               // a symbolic link
	Target                // a symbolic link with a target that is refused
	Special               // a fifo or a socket
	Device
	FileSize // a file that is too large
	HardLink // one of several names of an entry
	Spelling // a name that is listed in another form
	Time     // a modification time that is out of range
	Rounded  // a modification time that is finer than those of the destination
	Owner
	Group
	Mode  // rwx and sticky bits
	SetID // set-id bits
	ACL
	Xattr // an extended attribute
	Flags
	Hole // of a sparse file
	kinds
)

// A Finding describes a property that some entries will lose.
type Finding struct {
	Kind     Kind
	Entries  int64
	Examples []string // the first paths in the order of names
	Details  []string // affected characters, namespaces or owners
	More     bool     // there are more details
}

// The maximum numbers of details and examples in the report.
const (
	maxExamples = 2
	maxDetails  = 8
)

// findings collects findings. Its methods are safe for concurrent use.
type findings struct {
	found  func(path string, k Kind, detail string) // may be nil
	needed [kinds]atomic.Bool                       // the source has such entries, kept or not

	mu    sync.Mutex // guards what follows
	kinds [kinds]Finding
}

func newFindings(found func(path string, k Kind, detail string)) *findings {
	return &findings{found: found}
}

// add records that the entry at path will lose a property. detail may be "".
func (f *findings) add(path string, k Kind, detail string) {
	if f.found != nil {
		f.found(path, k, detail)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	one := &f.kinds[k]
	one.Entries++
	one.Examples = insert(one.Examples, path)
	if len(one.Examples) > maxExamples {
		one.Examples = one.Examples[:maxExamples]
	}
	if detail != "" && !slices.Contains(one.Details, detail) {
		if one.More = one.More || len(one.Details) == maxDetails; !one.More {
			one.Details = insert(one.Details, detail)
		}
	}
}

// insert adds s, which it clones, to a sorted list.
func insert(list []string, s string) []string {
	i, found := slices.BinarySearch(list, s)
	if found || i >= maxDetails {
		return list
	}
	return slices.Insert(list, i, strings.Clone(s))
}

// need records that the source has an entry of a kind.
func (f *findings) need(k Kind) {
	if !f.needed[k].Load() {
		f.needed[k].Store(true)
	}
}

// has reports whether there is a finding of a kind.
func (f *findings) has(k Kind) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.kinds[k].Entries > 0
}

// list returns all findings, by kind.
func (f *findings) list() (list []Finding) {
	for k := range f.kinds {
		if one := f.kinds[k]; one.Entries > 0 {
			one.Kind = Kind(k)
			list = append(list, one)
		}
	}
	return list
}

// reason returns the cause of an error, without the operation and path.
func reason(err error) string {
	if of := (*fs.PathError)(nil); errors.As(err, &of) {
		err = of.Err
	}
	return err.Error()
}

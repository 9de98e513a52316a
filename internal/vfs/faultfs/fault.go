package faultfs

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"psync/internal/vfs"
)

// Faults say which operations fail, and how. They are stated as text, one fault in parentheses after the
// other:
//
//	(op rename|link, path "b/*", err ENOSPC, nth 2)
//
// An op is one of those that [New] lists, "changing" for all that change something, or "any". A path is
// a pattern of [path.Match]: for the path below the root if it has a slash, else for the last element. What
// is left out may be anything; without nth, all of them fail. All methods are safe for concurrent use.
type Faults struct {
	mu     sync.Mutex // guards failed, and what the faults have seen
	faults []*fault
	failed []string
}

// Nth has the n-th operation that changes something fail, counted from 1.
func Nth(n int, err error) *Faults {
	return &Faults{faults: []*fault{{ops: []string{"changing"}, err: err, nth: n}}}
}

type fault struct {
	ops     []string
	pattern string
	err     error
	nth     int // counted from 1; 0 means each

	seen int
}

// errnos are the errors that a fault may have.
var errnos = map[string]error{
	"EACCES": syscall.EACCES, "EBUSY": syscall.EBUSY, "EDQUOT": syscall.EDQUOT, "EEXIST": syscall.EEXIST,
	"EINTR": syscall.EINTR, "EINVAL": syscall.EINVAL, "EIO": syscall.EIO, "ELOOP": syscall.ELOOP,
	"EMFILE": syscall.EMFILE, "EMLINK": syscall.EMLINK, "ENOENT": syscall.ENOENT, "ENOMEM": syscall.ENOMEM, "ENOSPC": syscall.ENOSPC,
	"ENOTDIR": syscall.ENOTDIR, "ENOTEMPTY": syscall.ENOTEMPTY, "ENOTSUP": syscall.ENOTSUP, "EPERM": syscall.EPERM,
	"EROFS": syscall.EROFS, "ESTALE": syscall.ESTALE, "ETIMEDOUT": syscall.ETIMEDOUT, "EXDEV": syscall.EXDEV,
}

// Inject returns a Dir of which operations fail as [Faults] say, which are stated as text.
func Inject(d vfs.Dir, text string) vfs.Dir {
	f, err := Parse(text)
	if err != nil {
		panic(err) // the text is a constant of a test
	}
	return wrap(d, func(op string, at place) error { return f.Before(op, at.path()) }, 0)
}

// Parse reads faults that are stated as text.
func Parse(text string) (*Faults, error) {
	f := new(Faults)
	for rest := strings.TrimSpace(text); rest != ""; rest = strings.TrimSpace(rest) {
		opened, isFault := strings.CutPrefix(rest, "(")
		clauses, after, closed := strings.Cut(opened, ")")
		if !isFault || !closed {
			return nil, fmt.Errorf("faults %q: want a fault in parentheses and not %q", text, rest)
		}
		one, err := parseFault(clauses)
		if err != nil {
			return nil, fmt.Errorf("faults %q: %w", text, err)
		}
		f.faults, rest = append(f.faults, one), after
	}
	return f, nil
}

func parseFault(clauses string) (*fault, error) {
	f := new(fault)
	for clause := range strings.SplitSeq(clauses, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(clause), " ")
		var err error
		switch name {
		case "op":
			f.ops = strings.Split(value, "|")
		case "path":
			f.pattern, err = strconv.Unquote(value)
		case "err":
			if f.err = errnos[value]; f.err == nil {
				err = fmt.Errorf("want one of %q and not %q", slices.Sorted(maps.Keys(errnos)), value)
			}
		case "nth":
			f.nth, err = strconv.Atoi(value)
		default:
			err = fmt.Errorf("want op, path, err or nth and not %q", name)
		}
		if err != nil {
			return nil, err
		}
	}
	return f, f.check()
}

func (f *fault) check() error {
	if f.err == nil || f.nth < 0 {
		return errors.New("a fault needs an err, and nth counts from 1")
	}
	_, err := path.Match(f.pattern, "")
	return err
}

// Before returns the error with which the operation op at a path is to fail, or nil.
func (f *Faults) Before(op, at string) (err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, one := range f.faults {
		if one.matches(op, at) {
			if one.seen++; one.nth == 0 || one.seen == one.nth {
				err = cmp.Or(err, one.err)
			}
		}
	}
	if err != nil {
		f.failed = append(f.failed, fmt.Sprintf("%s %q", op, at))
	}
	return err
}

// String says which operations failed, for messages of tests.
func (f *Faults) String() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return cmp.Or(strings.Join(f.failed, ", "), "nothing failed")
}

// Pending reports whether there are faults that have not come yet.
func (f *Faults) Pending() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.ContainsFunc(f.faults, func(one *fault) bool { return one.seen < max(one.nth, 1) })
}

func (f *fault) matches(op, at string) bool {
	if f.ops != nil && !slices.ContainsFunc(f.ops, func(want string) bool {
		return want == op || want == "any" || want == "changing" && Changing(op)
	}) {
		return false
	}
	at = path.Clean(at)
	if !strings.Contains(f.pattern, "/") {
		at = path.Base(at)
	}
	matches, _ := path.Match(f.pattern, at)
	return f.pattern == "" || matches
}

package queue

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// The limits of what a queue takes. A message of NATS has at most 1 MB by default.
const (
	MaxDirs   = 128       // directories of a bundle
	MaxBundle = 512 << 10 // bytes of the paths of a bundle
	MaxRecord = 512 << 10 // bytes of a record
	MaxFacts  = 64 << 10  // bytes of the facts of a member, and of its name
	MaxCalls  = 8         // that hang, of a status
	MaxStatus = 16 << 10  // bytes of the texts of a status
	MaxParts  = 64        // of the work of a round
	maxPath   = 64 << 10
	maxName   = 1020 // 255 characters of four bytes
	maxRoots  = 1 << 16

	maxAttempt = 100
)

// ErrName is the error for what is not the name of a job.
var ErrName = errors.New("the name of a job has 1 to 64 letters, digits, - and _")

var jobName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// CheckJob returns an error unless a job can have the name.
func CheckJob(name string) error {
	if !jobName.MatchString(name) {
		return fmt.Errorf("%q: %w", name, ErrName)
	}
	return nil
}

// CheckPath returns an error unless the path names a directory below a root: "." or elements that are neither empty, "."
// nor "..", separated by slashes. The error wraps ErrPath or ErrTooLarge.
func CheckPath(path string) error {
	switch {
	case path == ".":
		return nil
	case len(path) > maxPath:
		return fmt.Errorf("a path of %d bytes: %w", len(path), ErrTooLarge)
	case strings.IndexByte(path, 0) >= 0:
		return fmt.Errorf("%q: %w", path, ErrPath)
	}
	for name := range strings.SplitSeq(path, "/") {
		switch {
		case name == "", name == ".", name == "..":
			return fmt.Errorf("%q: %w", path, ErrPath)
		case len(name) > maxName:
			return fmt.Errorf("a name of %d bytes: %w", len(name), ErrTooLarge)
		}
	}
	return nil
}

// Check returns an error unless a bundle keeps the limits and its paths are below the roots. Implementations call it for
// what they take; hosts call it for what they get, because anyone may have written that.
func (b Bundle) Check() error {
	if err := b.Part.check(b.Round); err != nil {
		return err
	}
	if isPart := b.Part.Of > 0; isPart != (len(b.Dirs) == 0) {
		return fmt.Errorf("a bundle of %d directories, and a part %v: %w", len(b.Dirs), isPart, ErrPath)
	}
	if len(b.Dirs) > MaxDirs || b.Attempt < 0 || b.Attempt > maxAttempt {
		return fmt.Errorf("a bundle of %d directories after %d attempts: %w", len(b.Dirs), b.Attempt, ErrTooLarge)
	}
	size := 0
	for _, d := range b.Dirs {
		if d.Root < 0 || d.Root >= maxRoots {
			return fmt.Errorf("root %d: %w", d.Root, ErrPath)
		}
		if err := CheckPath(d.Path); err != nil {
			return err
		}
		size += len(d.Path)
	}
	if size > MaxBundle {
		return fmt.Errorf("a bundle of %d bytes: %w", size, ErrTooLarge)
	}
	return nil
}

// check returns an error unless a round can have the part.
func (p Part) check(r Round) error {
	switch {
	case p == Part{}:
		return nil
	case p.N < 0 || p.N >= p.Of || p.Of > MaxParts:
		return fmt.Errorf("part %d of %d: %w", p.N, p.Of, ErrTooLarge)
	case r.Phase == Copy || r.Phase == Audit:
		return fmt.Errorf("a part in phase %v: %w", r.Phase, ErrRound)
	}
	return nil
}

// CheckBundles returns an error unless bundles may be put together: each of them is valid, and their paths are no longer than
// those of one bundle may be.
func CheckBundles(bundles []Bundle) error {
	size := 0
	for _, b := range bundles {
		if err := b.Check(); err != nil {
			return err
		}
		for _, d := range b.Dirs {
			size += len(d.Path)
		}
	}
	if size > MaxBundle {
		return fmt.Errorf("bundles of %d bytes: %w", size, ErrTooLarge)
	}
	return nil
}

// Check returns an error unless a record keeps the limit.
func (r Record) Check() error {
	if len(r.Data) > MaxRecord {
		return fmt.Errorf("a record of %d bytes: %w", len(r.Data), ErrTooLarge)
	}
	return nil
}

// Check returns an error unless a member keeps the limit.
func (m Member) Check() error {
	size := len(m.Name)
	for _, f := range m.Facts {
		size += len(f.Name) + len(f.Value)
	}
	if size > MaxFacts {
		return fmt.Errorf("facts of %d bytes: %w", size, ErrTooLarge)
	}
	return m.Status.Check()
}

// Check returns an error unless a status keeps the limits.
func (s Status) Check() error {
	size := len(s.At)
	for _, c := range s.Hanging {
		size += len(c.Name) + len(c.Path)
	}
	if len(s.Hanging) > MaxCalls || size > MaxStatus {
		return fmt.Errorf("a status of %d bytes with %d calls that hang: %w", size, len(s.Hanging), ErrTooLarge)
	}
	return nil
}

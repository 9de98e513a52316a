package selftest

import (
	"context"
	"slices"
	"time"

	"psync/internal/vfs"
)

// A check is one thing that is tried.
type check struct {
	name string
	on   system
	by   person
	run  func(x *box)
}

// A system is a set of those that a check is about. None stands for all.
type system uint8

const (
	linux system = 1 << iota
	mac
	freebsd
)

func (s system) String() string {
	switch s {
	case linux:
		return "Linux"
	case mac:
		return "macOS"
	case freebsd:
		return "FreeBSD"
	case mac | freebsd:
		return "macOS and FreeBSD"
	}
	return "any system"
}

// A person is who can run a check.
type person uint8

const (
	anyone person = iota
	root
	ordinary
)

func checks() []check {
	return slices.Concat(
		volumeChecks(), nameChecks(), timeChecks(), birthChecks(), ownerChecks(),
		xattrChecks(), macACLChecks(), posixACLChecks(), flagChecks(), dataChecks(),
		copyChecks(), syncChecks(), refusalChecks(),
	)
}

// A verdict is how a check ended.
type verdict uint8

const (
	passed verdict = iota
	failed
	skipped
)

// An outcome is what is told about a check.
type outcome struct {
	verdict verdict
	why     string
	notes   []string
}

// A session is one run of all checks.
type session struct {
	Config
	ctx    context.Context
	root   vfs.Dir
	volume vfs.Volume
	tick   time.Duration   // how finely it keeps times
	loose  bool            // it keeps as an ACL of POSIX whatever it is given
	lacked map[string]bool // what was noted that sources lack
}

// in returns the system that the session is about, by what no other's profile says.
func (s *session) in() system {
	switch {
	case s.Profile.BtimeFalls:
		return freebsd
	case s.Profile.SetsBtime:
		return mac
	}
	return linux
}

// lacks returns why a check is not for this system and user, or "".
func (s *session) lacks(c check) string {
	switch {
	case c.on != 0 && c.on&s.in() == 0:
		return "about " + c.on.String()
	case c.by == root && !s.User.Privileged():
		return "for root only"
	case c.by == ordinary && s.User.Privileged():
		return "not for root, who may do anything"
	}
	return ""
}

// try runs a check in a directory of its own.
func (s *session) try(c check, name string) (o outcome) {
	if why := s.lacks(c); why != "" {
		return outcome{verdict: skipped, why: why}
	}
	dir, err := makeDir(s.root, name, 0o700)
	if err != nil {
		return outcome{verdict: failed, why: err.Error()}
	}
	opened := &[]func() error{dir.Close}
	x := &box{session: s, dir: dir, out: &o, opened: opened}
	defer func() {
		end := recover()
		for _, closes := range slices.Backward(*opened) {
			_ = closes()
		}
		if end != nil && end != (ended{}) {
			panic(end)
		}
		if s.Leave {
			return
		}
		// What cannot be removed would be in the way in the end, too.
		if err := (sweeper{s.Profile}).remove(s.root, name, dirType); err != nil && o.verdict != failed {
			o.verdict, o.why = failed, err.Error()
		}
	}()
	c.run(x)
	return o
}

// ended is what a check panics with that has its verdict.
type ended struct{}

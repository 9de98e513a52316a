package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"psync/internal/metadata"
	"psync/internal/selftest/acl"
	"psync/internal/vfs"
)

// A Config says where and how checks are run.
type Config struct {
	Dir     vfs.Dir           // the directory in which a directory for the checks is made
	Profile *metadata.Profile // the profile of the system; nil: of this system
	User    vfs.User          // the user who runs the checks
	Keep    bool              // keep the files of the checks
	Quick   bool              // write no large files
}

// A Session is a directory to run checks in, and what is known about its volume.
type Session struct {
	Config
	Name      string // of the directory
	Volume    vfs.Volume
	Tick      time.Duration // the granularity of times
	LooseACLs bool          // the volume accepts any value as a POSIX ACL

	dir      vfs.Dir
	checks   int             // number of checks that were run
	reported map[string]bool // by TryOnce
}

// Begin makes a directory for checks in c.Dir, which inherits as little as possible from c.Dir, and examines
// its volume.
func Begin(ctx context.Context, c Config) (*Session, error) {
	c.Profile = cmp.Or(c.Profile, metadata.Native())
	s := &Session{Config: c, reported: make(map[string]bool)}
	for n, err := 1, fs.ErrExist; errors.Is(err, fs.ErrExist); n++ {
		s.Name = fmt.Sprintf("psync-selftest-%d", n)
		if err = vfs.Mkdir(c.Dir, s.Name, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	sweeper{c.Profile}.unlock(c.Dir, s.Name, fs.ModeDir)
	_ = vfs.Chown(vfs.In(c.Dir, s.Name), -1, c.User.GID) // a user who is not a member of the group cannot set some bits
	var err error
	if s.dir, err = c.Dir.OpenDir(s.Name, vfs.NoFollow); err != nil {
		return nil, errors.Join(err, c.Dir.Rmdir(s.Name))
	}
	s.Run(ctx, Check{Run: s.learn})
	return s, nil
}

// learn determines the properties of the volume.
func (s *Session) learn(t *T) {
	s.Volume, _ = t.Dir.Statfs() // a check asks again
	s.Tick = t.MeasureTick()
	if s.System() == Linux {
		t.WriteFile("acl", 0o600, "")
		s.LooseACLs = vfs.SetXattr(t.Node("acl"), acl.PosixAccess, []byte("no ACL")) == nil
	}
}

// System returns the system that the session is about, identified by properties unique to its profile.
func (s *Session) System() System {
	switch {
	case s.Profile.BtimeFalls:
		return FreeBSD
	case s.Profile.SetsBtime:
		return Mac
	}
	return Linux
}

// Run runs a check in a directory of its own.
func (s *Session) Run(ctx context.Context, c Check) (o Outcome) {
	name := fmt.Sprintf("%02d", s.checks)
	s.checks++
	if why := c.skip(s.System(), s.User.Privileged()); why != "" {
		return Outcome{Verdict: Skipped, Why: why}
	}
	if err := vfs.Mkdir(s.dir, name, 0o700); err != nil {
		return Outcome{Verdict: Failed, Why: err.Error()}
	}
	dir, err := s.dir.OpenDir(name, vfs.NoFollow)
	if err != nil {
		return Outcome{Verdict: Failed, Why: err.Error()}
	}
	cleanups := &[]func() error{dir.Close}
	defer func() {
		end := recover()
		for _, cleanup := range slices.Backward(*cleanups) {
			_ = cleanup()
		}
		if end != nil && end != (ended{}) {
			panic(end)
		}
		if s.Keep {
			return
		}
		// An entry that cannot be removed now would also prevent the final removal.
		if err := (sweeper{s.Profile}).remove(s.dir, name, fs.ModeDir); err != nil && o.Verdict != Failed {
			o.Verdict, o.Why = Failed, err.Error()
		}
	}()
	c.Run(&T{Session: s, Dir: dir, ctx: ctx, out: &o, cleanups: cleanups})
	return o
}

// End removes the directory, unless Keep is set.
func (s *Session) End() error {
	err := s.dir.Close()
	if !s.Keep {
		err = errors.Join(err, sweeper{s.Profile}.remove(s.Config.Dir, s.Name, fs.ModeDir))
	}
	return err
}

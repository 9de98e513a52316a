package run

import (
	"errors"
	"os"

	"psync/internal/engine"
	"psync/internal/engine/source"
	"psync/internal/landlock"
	"psync/internal/localfs"
	"psync/internal/operand"
	"psync/internal/plan"
	"psync/internal/vfs"
	"psync/internal/vfs/unionfs"
)

// A Confinement says when the kernel confines a run.
type Confinement uint8

// The values of Confinement.
const (
	ConfineNever Confinement = iota
	// ConfineExposed confines runs in directories that another user could change, and those by which root may give
	// directories to other users.
	ConfineExposed
	ConfineAlways
)

// confine has the kernel forbid the process to make, write or remove entries where allow does not allow it. If that is impossible, the
// run goes on without. Whatever else the run writes to must be open by now. Reading is not confined: the kernel would
// walk up from each file of SRC, which costs a tenth of a copy in memory.
func (o *Options) confine(exposed func() bool, allow func(*landlock.Ruleset) error) {
	if o.Confine == ConfineNever || o.Confine == ConfineExposed && !exposed() {
		return
	}
	if err := enforce(allow); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		say(o.Messages.Detail, "the kernel does not confine this run: "+err.Error())
	}
}

func enforce(allow func(*landlock.Ruleset) error) error {
	l, err := landlock.New()
	if err != nil {
		return err
	}
	defer l.Close()
	if err := allow(l); err != nil {
		return err
	}
	return l.Enforce()
}

// confineCopy confines a copy to DST and to directories that options name. A copy from or to another host is not confined:
// ssh, which a lost connection starts anew, writes files of its own. Nor is one with -K, for links lead out of DST.
func (o *Options) confineCopy(e engine.Options, roots *operand.Roots, aux *operand.AuxDirs) {
	if o.Operands.Hosts.Source.IsRemote() || o.Operands.Hosts.Dest.IsRemote() || e.Links.KeepDirlinks {
		return
	}
	if aux.Backup.Make != nil && aux.BackupParent == nil {
		return // where it will be made cannot be reported to the kernel
	}
	exposed := func() bool {
		return givesAway(e) || changesOthers(e, aux) || newExposureChecker(o.Operands.Hosts.Dest).destExposed(roots.DestPath)
	}
	o.confine(exposed, func(l *landlock.Ruleset) error {
		switch {
		case e.DryRun:
			return nil
		case roots.FarDest:
			return localfs.ErrNetworkDir // which is known without a round trip
		}
		if aux.Alternatives.Kind == plan.LinkDest {
			for _, d := range aux.Alternatives.Dirs {
				if err := localfs.AllowChange(l, d, landlock.LinkOut); err != nil {
					return err
				}
			}
		}
		if e.RemoveSource {
			if err := allowRemoval(l, roots.Sources); err != nil {
				return err
			}
		}
		for _, d := range []vfs.Dir{roots.Dest, aux.Backup.Dir, aux.BackupParent, aux.TempDir, aux.Partial.Dir} {
			if d == nil {
				continue
			}
			if err := localfs.AllowChange(l, d, landlock.AnyChange); err != nil {
				return err
			}
		}
		return nil
	})
}

// givesAway reports whether directories that the run makes may belong to other users, who can then change what is in them.
func givesAway(e engine.Options) bool { return e.Keep.Owner && e.User.Privileged() }

// changesOthers reports whether the run changes other directories than DST and those in it.
func changesOthers(e engine.Options, aux *operand.AuxDirs) bool {
	return e.RemoveSource || aux.TempDir != nil || aux.Partial.Dir != nil || aux.Backup.Dir != nil || aux.Backup.Make != nil
}

// confineRemoval confines a removal of paths to the directories that hold them, which are those of trees.
func (o *Options) confineRemoval(host operand.Host, network bool, paths []string, trees []source.Tree, dryRun bool) {
	if host.IsRemote() {
		return
	}
	exposed := func() bool { return newExposureChecker(host).operandsExposed(paths) }
	o.confine(exposed, func(l *landlock.Ruleset) error {
		switch {
		case dryRun:
			return nil
		case network:
			return localfs.ErrNetworkDir
		}
		return allowRemoval(l, trees)
	})
}

// ConfineServer has the kernel forbid the process to make, write or remove entries outside root, a path, or anywhere if readOnly
// is set. Temporary files, such as the socket of the server, may still be removed, if there is a directory for them. If that is
// impossible, the server goes on without.
func ConfineServer(root string, readOnly bool) {
	_ = enforce(func(l *landlock.Ruleset) error { // its client has no use for the reason
		if !readOnly {
			if err := allowPath(l, root, landlock.AnyChange); err != nil {
				return err
			}
		}
		_ = allowPath(l, os.TempDir(), landlock.Remove) // otherwise nothing may be changed there
		return nil
	})
}

func allowPath(l *landlock.Ruleset, path string, c landlock.Change) error {
	d, err := localfs.Host{}.Open(path, vfs.OpenOptions{})
	if err != nil {
		return err
	}
	defer d.Close()
	return localfs.AllowChange(l, d, c)
}

func allowRemoval(l *landlock.Ruleset, trees []source.Tree) error {
	for _, t := range trees {
		if t.Err != nil {
			continue
		}
		d := t.Dir
		if d == nil {
			var err error
			if d, err = t.Open(); err != nil {
				return err
			}
			defer d.Close()
		}
		all := []vfs.Dir{d}
		if u, ok := d.(*unionfs.Dir); ok {
			all = u.Dirs()
		}
		for _, d := range all {
			if err := localfs.AllowChange(l, d, landlock.Remove); err != nil {
				return err
			}
		}
	}
	return nil
}

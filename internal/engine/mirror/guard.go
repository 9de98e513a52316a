package mirror

import (
	"errors"
	"strings"

	"psync/internal/engine/backup"
	"psync/internal/engine/source"
	"psync/internal/engine/sweep"
	"psync/internal/plan"
	"psync/internal/tempname"
	"psync/internal/vfs"
)

// ErrInUse says that the run works with a directory.
var ErrInUse = errors.New("is in use")

// A Guard decides which entries of a destination stay even though the source lacks them.
type Guard struct {
	Delete   plan.Delete
	Backup   backup.Options
	Selector *source.Selector
	Sweeper  *sweep.Sweeper    // nil: temporaries are treated like other entries
	InUse    func(vfs.ID) bool // reports whether the run works with a directory
}

// Keeps reports whether an entry of d must stay. If it is a temporary whose process may still be running, left
// describes it for a report; otherwise left.Name is "".
func (g *Guard) Keeps(d *Dir, e vfs.Entry) (keeps bool, left sweep.Temporary) {
	switch {
	case g.Selector.IsVolumeFile(d.AtVolumeRoot, e.Name),
		g.protects(d, e),
		g.Backup.IsBackup(e.Name):
		return true, left
	case g.Sweeper == nil:
		return false, left
	}
	by, attr := g.Sweeper.MakerOfExtraneous(d.Dir, d.Attr, e.Name)
	if by == tempname.Unknown {
		left = sweep.Temporary{Name: strings.Clone(e.Name), IsDir: e.Type.IsDir(), Size: attr.Size}
	}
	return by == tempname.Unknown || by == tempname.Running, left
}

// readRules finds out the rules in force in d, a directory that will be emptied. outer are the rules in force in its
// parent.
func (g *Guard) readRules(d *Dir, outer source.Rules) (err error) {
	if d.Rules = g.Selector.InForce(outer); d.Rules == nil {
		return nil
	}
	d.Rules, err = source.RulesInRemoved(d.Rules, d.Dir, d.Path())
	return err
}

// protects reports whether a rule keeps an entry of d.
func (g *Guard) protects(d *Dir, e vfs.Entry) bool {
	rules := g.Selector.InForce(d.Rules)
	return rules != nil && rules.Protected(vfs.Join(d.Path(), e.Name), e.Type.IsDir())
}

// MayEmpty returns why the directory with the attributes attr, whose parent is on the device dev, must not be
// emptied, or nil. An error of [ErrInUse] need not be reported.
func (g *Guard) MayEmpty(attr vfs.Attr, dev uint64) error {
	switch g.Delete.Emptying(g.InUse(attr.ID()), attr.Dev != dev) {
	case plan.Spare:
		return ErrInUse
	case plan.FailMount:
		return vfs.ErrMount
	}
	return nil
}

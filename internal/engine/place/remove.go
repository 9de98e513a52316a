package place

import (
	"context"

	"psync/internal/plan"
	"psync/internal/vfs"
)

// Remove removes the entry that e would replace, after making a backup of it if requested. Unless the entry is an
// empty directory, e.Only says what it must still be.
func (p *Placer) Remove(ctx context.Context, d *Dir, e Entry) error {
	switch {
	case e.Action == plan.ReplaceDir:
		if err := d.Host.MakeWay(ctx, nil); err != nil {
			return err
		}
		return p.Lifter.Rmdir(d.Dir, e.Name)
	case !p.Backups.On:
		return p.Lifter.Remove(d.Dir, e.Name, e.Only)
	}
	if now, err := d.Look(e.Name); err != nil || !e.Only.Holds(now) {
		return vfs.JoinErrors(err, vfs.ErrChanged)
	}
	dirs, err := d.Host.BackupDirs()
	if err != nil {
		return err
	}
	return p.Backups.RemoveOrMove(ctx, dirs, e.Name, p.Copier)
}

package metadata

import (
	"io/fs"

	"psync/internal/report"
	"psync/internal/vfs"
)

// chown plans the change of owner and group. It does not try what the user may not do: only root may change
// owners, and only members may set a group.
func (pl *planner) chown() (Op, bool) {
	op := Op{Class: Owner, UID: -1, GID: -1}
	root := pl.at.User.Privileged()
	switch {
	case !pl.keep.Owner || pl.src.UID == pl.dst.UID:
	case root && pl.at.Ignored&report.Owner == 0:
		op.UID, op.Attr, op.Diff = int(pl.src.UID), report.Owner, report.DiffOwner
	default:
		op.Lost = report.Owner
	}
	switch {
	case !pl.keep.Group || pl.src.GID == pl.dst.GID:
	case (root || pl.at.User.In(pl.src.GID)) && pl.at.Ignored&report.Group == 0:
		op.GID = int(pl.src.GID)
		op.Attr |= report.Group
		op.Diff |= report.DiffGroup
	default:
		op.Lost |= report.Group
	}
	op.Never = op.Attr == 0
	return op, op.Attr|op.Lost != 0
}

// owned returns the attributes of the destination as they are after the change of owner.
func (pl *planner) owned() vfs.Attr {
	a := pl.dst.Attr
	if pl.hasOwner && pl.owner.UID >= 0 {
		a.UID = uint32(pl.owner.UID)
	}
	if pl.hasOwner && pl.owner.GID >= 0 {
		a.GID = uint32(pl.owner.GID)
	}
	return a
}

const setID = fs.ModeSetuid | fs.ModeSetgid

// chmod plans the change of mode. The operation has the wanted mode even if the change is not needed.
func (pl *planner) chmod() (Op, bool) {
	now := pl.dst.Mode &^ fs.ModeType
	op := Op{Class: Mode, Attr: report.Mode, Mode: now}
	if pl.src.Mode.Type() == fs.ModeSymlink && !pl.LinkModes {
		return op, false
	}
	op.Mode = pl.wantedMode(now)
	if pl.at.Ignored&report.Mode != 0 && op.Mode != now {
		op.Lost, op.Mode = report.Mode, now
		return op, false
	}
	if pl.keep.Perms && pl.src.Mode&^op.Mode&setID != 0 {
		op.Lost = report.Mode
	}
	if op.Mode != now {
		op.Diff = report.DiffPerms
		op.OnlySetID = now&setID == 0 && (op.Mode^now)&^setID == 0
		return op, true
	}
	// Systems clear set-id bits when an owner changes.
	return op, pl.hasOwner && !pl.owner.Never && now&setID != 0 && !pl.dst.Mode.IsDir()
}

// withholdMask removes from the mode the rights that the group gets from the mask of an ACL that will be set. Until
// the ACL is set, or if it cannot be set, the group would have rights that it does not have in the source.
func (pl *planner) withholdMask() {
	if pl.posix == nil {
		return
	}
	now := pl.dst.Mode &^ fs.ModeType
	for i := range pl.acls {
		op := &pl.acls[i]
		bare := pl.mode.Mode
		there := find(pl.dst.Xattrs, op.Xattr.Name)
		if !op.Remove && !op.Never && (there == nil || there.Trivial) {
			bare = pl.modeWithoutMask(op.Xattr.Name, op.Xattr.Value, pl.mode.Mode)
		}
		if bare == pl.mode.Mode {
			continue
		}
		pl.mode.Mode, pl.mode.OnlySetID = bare, false
		if bare == now && pl.hasMode {
			// The ACL sets the rest of the mode.
			op.Diff |= pl.mode.Diff
			pl.mode.Diff = 0
			pl.hasMode = pl.hasOwner && !pl.owner.Never && now&setID != 0 && !pl.dst.Mode.IsDir()
		} else if bare != now {
			pl.hasMode = true
		}
	}
}

// wantedMode returns the wanted mode, given the current mode. A set-id bit gives the rights of the owner, or
// group, that it was set for: a file of another owner or group must not have the bit.
func (pl *planner) wantedMode(now fs.FileMode) fs.FileMode {
	meant := &pl.dst.Attr
	want := pl.src.Mode.Perm() | now&(setID|fs.ModeSticky)
	if pl.keep.Perms {
		meant = &pl.src.Attr
		want = pl.src.Mode &^ fs.ModeType
	}
	owned := pl.owned()
	if !pl.dst.Mode.IsDir() {
		if owned.UID != meant.UID {
			want &^= fs.ModeSetuid
		}
		if owned.GID != meant.GID {
			want &^= fs.ModeSetgid
		}
	}
	// A user who is not a member of a group cannot set the set-group-ID bit, but may leave it set.
	if want != now && !pl.at.User.Privileged() && !pl.at.User.In(owned.GID) {
		want &^= fs.ModeSetgid
	}
	return want
}

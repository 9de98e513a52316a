package cli

import (
	"errors"
	"io/fs"

	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
)

// settle applies the settings, in the order in which they were typed, to what
// a verb keeps by default.
func (f *metadataFlags) settle(defaults attrs) error {
	f.system()
	var extras attrs
	if !f.strictArchive {
		extras = attrsOf(f.profile.Archive)
	}
	f.on, f.off, f.asked, f.archived = defaults, 0, 0, 0
	for _, s := range f.settings {
		if s.archive {
			f.archived |= archive
			s.sets |= extras
		}
		if !s.on {
			f.on &^= s.sets
			f.off |= s.sets
			f.asked &^= s.sets
			f.archived &^= s.sets
			continue
		}
		f.on |= s.sets | s.implies
		f.off &^= s.sets | s.implies
		if s.asked {
			f.asked |= s.sets
		}
	}
	if !f.profile.SetsBtime {
		if f.asked.has(keepBtimes) {
			return errors.New("--crtimes: this system cannot set times of birth: leave it out")
		}
		f.on &^= keepBtimes
	}
	return nil
}

// system returns the profile of the system.
func (f *metadataFlags) system() *metadata.Profile {
	if f.profile == nil {
		f.profile = metadata.Native()
	}
	return f.profile
}

// plain returns what the verbs keep, and compare, without being told to.
func (f *metadataFlags) plain() attrs {
	if f.strictArchive {
		return keepMtimes
	}
	return keepMtimes | attrsOf(f.system().Plain)
}

// keep returns what is kept. Modes are those bits of it that a verb keeps by default,
// of existing entries, too; the umask is that of the user.
func (f *metadataFlags) keep(modes bool, umask fs.FileMode) metadata.Keep {
	on := f.on
	k := metadata.Keep{
		Modes: modes && !f.off.has(keepPerms),
		Perms: on.has(keepPerms),
		Owner: on.has(keepOwner), Group: on.has(keepGroup),
		Mtime: on.has(keepMtimes), Atime: on.has(keepAtimes), Btime: on.has(keepBtimes),
		Flags: on.has(keepFlags),
		ACLs:  on.has(keepACLs), Xattrs: on.has(keepXattrs), NoXattrs: f.off.has(keepXattrs),
		OmitDirTimes: on.has(omitDirTimes), OmitLinkTimes: on.has(omitLinkTimes),
		Chmod: f.chmod.under(umask),
		Chown: f.chown.Chown,
		Asked: askedFor(f.asked), ImpliedACLs: on.has(keepACLs) && !f.asked.has(keepACLs),
	}
	if f.off.has(keepPerms) {
		k.NoPerms, k.Umask = true, umask
	}
	// A --no-o behind --chown takes it back.
	k.Chown.SetUID = k.Chown.SetUID && k.Owner
	k.Chown.SetGID = k.Chown.SetGID && k.Group
	if len(f.chmod) > 0 {
		k.Asked |= report.Mode
	}
	return k
}

// specials completes a policy by what is said about devices and the like.
func (f *metadataFlags) specials(p plan.Policy) plan.Policy {
	p.Devices, p.Specials = f.on.has(keepDevices), f.on.has(keepSpecials)
	return p
}

func (f *metadataFlags) hardLinks() bool { return f.on.has(keepHardLinks) }
func (f *metadataFlags) sparse() bool    { return f.on.has(keepSparse) }

// attrsOf returns what k keeps.
func attrsOf(k metadata.Keep) (a attrs) {
	for _, keeps := range []struct {
		on   bool
		attr attrs
	}{
		{k.Perms, keepPerms},
		{k.Owner, keepOwner},
		{k.Group, keepGroup},
		{k.Mtime, keepMtimes},
		{k.Atime, keepAtimes},
		{k.Btime, keepBtimes},
		{k.Flags, keepFlags},
		{k.ACLs, keepACLs},
		{k.Xattrs, keepXattrs},
	} {
		if keeps.on {
			a |= keeps.attr
		}
	}
	return a
}

// askedFor says in the words of reports what was asked for.
func askedFor(a attrs) (asked report.Attr) {
	for _, is := range []struct {
		attrs attrs
		told  report.Attr
	}{
		{keepPerms, report.Mode},
		{keepOwner, report.Owner},
		{keepGroup, report.Group},
		{keepMtimes | keepAtimes, report.Times},
		{keepBtimes, report.Btime},
		{keepACLs, report.ACLs},
		{keepXattrs, report.Xattrs},
		{keepFlags, report.Flags},
		{keepHardLinks, report.HardLinks},
		{keepDevices, report.Devices},
		{keepSpecials, report.Specials},
	} {
		if a.has(is.attrs) {
			asked |= is.told
		}
	}
	return asked
}

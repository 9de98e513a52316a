package flags

import (
	"psync/internal/engine"
	"psync/internal/metadata"
	"psync/internal/report"
)

// attrsOf returns what k keeps.
func attrsOf(k metadata.Keep) (set attrs) {
	o := &engine.Options{Keep: k}
	for _, a := range attributes {
		if *a.option(o) {
			set |= a.attr
		}
	}
	return set
}

// reported returns what reports call some attributes.
func (a attrs) reported() (r report.Attr) {
	for _, known := range attributes {
		if a.has(known.attr) {
			r |= known.report
		}
	}
	return r
}

// keepOptions are what flags say about metadata.
type keepOptions struct {
	profile *metadata.Profile // of the system

	settings      []setting // as typed
	strictArchive bool
	chmod         chmodSpecs
	onUnsupported onUnsupported
	numericIDs    bool
	super         bool // the user counts as root: what -a names has to be kept
	executable    bool

	chownUser, chownGroup string     // names that --chown gives
	users, groups         accountMap // what --usermap and --groupmap say

	on, off, asked, archived attrs // set by apply; off is what was switched off, archived what -a names on all systems
}

// A setting is one flag as it was typed. Settings are applied when all flags are
// known, because --strict-rsync-a may come last.
type setting struct {
	sets, implies attrs // what is implied is not switched off with it
	on, asked     bool
	archive       bool // on goes what -a adds on this system, too
}

// plain returns what the verbs keep, and compare, by default.
func (k *keepOptions) plain() attrs {
	if k.strictArchive {
		return keepMtimes
	}
	return keepMtimes | attrsOf(k.profile.Plain)
}

// apply applies the settings, in the order in which they were typed, to what a verb keeps by
// default, and sets the options of the engine accordingly.
func (k *keepOptions) apply(defaults attrs, e *engine.Options) {
	var extras attrs
	if !k.strictArchive {
		extras = attrsOf(k.profile.Archive)
	}
	k.on = defaults
	for _, s := range k.settings {
		if s.archive {
			k.archived |= archive
			s.sets |= extras
		}
		if !s.on {
			k.on &^= s.sets
			k.off |= s.sets
			k.asked &^= s.sets
			k.archived &^= s.sets
			continue
		}
		k.on |= s.sets | s.implies
		k.off &^= s.sets | s.implies
		if s.asked {
			k.asked |= s.sets
		}
	}
	k.on &^= k.unsettable()
	for _, a := range attributes {
		*a.option(e) = k.on.has(a.attr)
	}
	e.Keep.Executable = k.executable
	e.Keep.NoXattrs = k.off.has(keepXattrs)
	e.Keep.ImpliedACLs = e.Keep.ACLs && !k.asked.has(keepACLs)
	e.Keep.Asked = k.asked.reported()
	if len(k.chmod) > 0 {
		e.Keep.Asked |= report.Mode
	}
	// A --no-o behind --chown takes it back.
	e.Keep.Chown.SetUID = e.Keep.Chown.SetUID && e.Keep.Owner
	e.Keep.Chown.SetGID = e.Keep.Chown.SetGID && e.Keep.Group
}

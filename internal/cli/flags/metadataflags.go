package flags

import (
	"slices"
	"strconv"

	"psync/internal/cli/values"
	"psync/internal/engine"
	"psync/internal/report"
)

// attrs is a set of what flags of metadata switch on and off.
type attrs uint32

const (
	keepPerms attrs = 1 << iota
	keepMtimes
	keepAtimes
	keepBtimes
	keepOwner
	keepGroup
	keepDevices
	keepSpecials
	keepHardLinks
	keepACLs
	keepXattrs
	keepSparse
	keepFlags
	omitDirTimes
	omitLinkTimes
)

// What -a keeps on all systems, and what --archive-all adds to what -a keeps here.
const (
	archive    = keepPerms | keepMtimes | keepGroup | keepOwner | keepDevices | keepSpecials
	archiveAll = keepHardLinks | keepACLs | keepXattrs | keepSparse | keepBtimes
)

func (a attrs) has(b attrs) bool { return a&b != 0 }

// attributes says which option of the engine keeps an attribute, and what reports call it.
var attributes = []struct {
	attr   attrs
	option func(*engine.Options) *bool
	report report.Attr
}{
	{keepPerms, func(o *engine.Options) *bool { return &o.Keep.Perms }, report.Mode},
	{keepOwner, func(o *engine.Options) *bool { return &o.Keep.Owner }, report.Owner},
	{keepGroup, func(o *engine.Options) *bool { return &o.Keep.Group }, report.Group},
	{keepMtimes, func(o *engine.Options) *bool { return &o.Keep.Mtime }, report.Times},
	{keepAtimes, func(o *engine.Options) *bool { return &o.Keep.Atime }, report.Times},
	{keepBtimes, func(o *engine.Options) *bool { return &o.Keep.Btime }, report.Btime},
	{keepFlags, func(o *engine.Options) *bool { return &o.Keep.Flags }, report.Flags},
	{keepACLs, func(o *engine.Options) *bool { return &o.Keep.ACLs }, report.ACLs},
	{keepXattrs, func(o *engine.Options) *bool { return &o.Keep.Xattrs }, report.Xattrs},
	{keepHardLinks, func(o *engine.Options) *bool { return &o.HardLinks }, report.HardLinks},
	{keepSparse, func(o *engine.Options) *bool { return &o.Content.Sparse }, 0},
	{keepDevices, func(o *engine.Options) *bool { return &o.Devices }, report.Devices},
	{keepSpecials, func(o *engine.Options) *bool { return &o.Specials }, report.Specials},
	{omitDirTimes, func(o *engine.Options) *bool { return &o.Keep.OmitDirTimes }, 0},
	{omitLinkTimes, func(o *engine.Options) *bool { return &o.Keep.OmitLinkTimes }, 0},
}

// metadataFlags say which attributes are kept, or compared. Their order is that of the help.
func metadataFlags(k *keepOptions) []flag {
	kept := copying | Compare
	return []flag{
		newFlag("archive", "a", kept, k.archives(archive),
			"keep what rsync -a does: -ptgoD (-r and -l always are on); on macOS -X -A -N --fileflags, too").
			helpIn(Compare, "compare what rsync -a does: -ptgoD (-r and -l always are on); on macOS -X -A -N --fileflags, too"),
		newFlag("archive-all", "", kept, k.archives(archive|archiveAll),
			"keep what -aHAXSN does (but for -N where the system cannot set creation times)").
			helpIn(Compare, "compare what -aHAXSN does (but for -N where the system cannot set creation times)"),
		newFlag("metadata", "", Copy|Sync|Compare, settingValue{settings: &k.settings, setting: setting{sets: archive | keepXattrs, archive: true}, retracts: true},
			""), // rclone's name for -aX; its --metadata=false is the default
		toggle("strict-rsync-a", "", kept, &k.strictArchive,
			"-a is -rlptgoD and no more, on macOS too, and nothing implies -X (elsewhere it is so anyway)"),
		k.attribute("perms", "p", keepPerms,
			"keep all bits of modes, of what exists, too (--no-perms: what exists keeps its own, and what is new heeds the umask, or a default ACL)",
			"compare set-id and sticky bits, too (--no-perms: no bits at all)"),
		toggle("executability", "E", copying, &k.executable,
			"with --no-perms, have existing files be executable if those of SRC are (without, all rwx bits are kept)"),
		k.times(),
		k.attribute("atimes", "U", keepAtimes, "keep access times", "compare access times"),
		k.attribute("crtimes", "N", keepBtimes, "keep creation times (macOS and FreeBSD)", "compare creation times (macOS and FreeBSD)"),
		k.attribute("owner", "o", keepOwner, "keep the owner (for root)", "compare owners"),
		k.attribute("group", "g", keepGroup, "keep the group (for root and its members)", "compare groups"),
		k.attribute("devices", "", keepDevices, "copy devices (for root)", "compare devices"),
		k.attribute("specials", "", keepSpecials,
			"copy fifos and sockets (-D is --devices --specials)", "compare fifos and sockets (-D is --devices --specials)"),
		k.attribute("hard-links", "H", keepHardLinks, "keep names of one file names of one file", "compare which names are those of one file"),
		k.acls(),
		k.attribute("xattrs", "X", keepXattrs,
			"keep extended attributes (copy and sync always do so on macOS: --no-xattrs)",
			"compare extended attributes (always so on macOS: --no-xattrs)"),
		k.attribute("fileflags", "", keepFlags, "keep the flags of chflags and chattr", "compare the flags of chflags and chattr"),
		k.attribute("sparse", "S", keepSparse, "turn zeros into holes", ""),
		k.attribute("omit-dir-times", "O", omitDirTimes, "keep no times of directories", "compare no times of directories"),
		k.attribute("omit-link-times", "J", omitLinkTimes, "keep no times of symbolic links", "compare no times of symbolic links"),
		switchable("numeric-ids", "", kept, &k.numericIDs,
			"keep owners by number, not by name (within one system, and over SFTP, that is always so)").
			helpIn(Compare, "compare owners by number, not by name (within one system, and over SFTP, that is always so)"),
		newFlag("D", "D", kept, k.switches(keepDevices|keepSpecials, 0, false), "").
			offBy(k.switches(keepDevices|keepSpecials, 0, true)),
	}
}

// changeFlags say what becomes of attributes that are not kept as they are.
func changeFlags(k *keepOptions, e *engine.Options) []flag {
	return []flag{
		newFlag("dataless", "", copying|Compare, &values.Choice{Words: []string{"skip", "fetch"}, Chose: func(i int) { e.FetchDataless = i == 1 }},
			"skip files whose contents are in a cloud (default), or fetch them (macOS only)").under(headingScope),
		newFlag("on-unsupported", "", copying, &values.Choice{Words: onUnsupportedWords, Chose: func(i int) { k.onUnsupported = onUnsupported(i + 1) }},
			"take what DST cannot keep for an error, or a warning, or nothing: `fail|warn|ignore`"),
		newFlag("super", "", copying, (*values.Toggle)(&k.super),
			"take it for an error, as for root, if owners, devices and what else -a names cannot be kept (they are tried in any case)").
			offBy(new(values.Toggle)),
		newFlag("chmod", "", copying, &k.chmod,
			"change modes by `SPEC` on the way, as rsync does: D755,F644 or go-w (may be repeated)"),
		newFlag("chown", "", copying, setter(func(text string) error { return k.setChown(&e.Keep.Chown, text) }),
			"give everything to `USER:GROUP`, or to USER or :GROUP alone (implies -o, -g)"),
		newFlag("usermap", "", copying, setter(func(text string) error { return k.users.set(text, keepOwner, &k.settings) }),
			"give what users of SRC own to others, by rsync's pairs `FROM:TO,...` (implies -o)"),
		newFlag("groupmap", "", copying, setter(func(text string) error { return k.groups.set(text, keepGroup, &k.settings) }),
			"likewise for groups: `FROM:TO,...` (implies -g)"),
	}
}

// attribute returns the flag of an attribute, which a no- before its name or letter switches off. Without
// a help for comparisons they do not have it.
func (k *keepOptions) attribute(name, short string, a attrs, help, comparing string) flag {
	f := flag{
		name: name, short: short, verbs: copying, help: help,
		value: k.switches(a, 0, false), off: k.switches(a, 0, true),
	}
	if comparing != "" {
		f.verbs |= Compare
		f.helpFor = map[Verbs]string{Compare: comparing}
	}
	return f
}

func (k *keepOptions) times() flag {
	f := k.attribute("times", "t", keepMtimes, "keep modification times (without a verb: only if given)", "compare modification times (with --size-only, only if given)")
	f.offHelp = map[Verbs]string{
		Copy: "do not keep modification times", Sync: "do not keep modification times", Compare: "do not compare modification times",
	}
	return f
}

// unsettable returns the attributes that the system cannot set.
func (k *keepOptions) unsettable() attrs {
	if k.profile.SetsBtime {
		return 0
	}
	return keepBtimes
}

func (k *keepOptions) acls() flag {
	f := k.attribute("acls", "A", keepACLs, "keep access control lists (implies -p)", "compare access control lists (implies -p)")
	f.value, f.off = k.switches(keepACLs, keepPerms, false), k.switches(keepACLs, keepPerms, true)
	return f
}

// archives returns the value of a flag that stands for many.
func (k *keepOptions) archives(sets attrs) settingValue {
	return settingValue{settings: &k.settings, setting: setting{sets: sets, archive: true}}
}

// switches returns the value of a flag that switches attributes on, or off.
func (k *keepOptions) switches(sets, implies attrs, negates bool) settingValue {
	return settingValue{settings: &k.settings, setting: setting{sets: sets, implies: implies, asked: true}, negates: negates}
}

// settingValue notes down that a flag was typed.
type settingValue struct {
	settings *[]setting
	setting  setting
	negates  bool
	retracts bool // "false" takes back what "true" has said before, rather than switch off
}

func (v settingValue) IsBoolean()     {}
func (v settingValue) Type() string   { return "bool" }
func (v settingValue) String() string { return "false" }

func (v settingValue) Set(text string) error {
	on, err := strconv.ParseBool(text)
	if err != nil {
		return err
	}
	v.setting.on = on != v.negates
	if !on && v.retracts {
		v.setting.on = true
		*v.settings = slices.DeleteFunc(*v.settings, func(s setting) bool { return s == v.setting })
		return nil
	}
	*v.settings = append(*v.settings, v.setting)
	return nil
}

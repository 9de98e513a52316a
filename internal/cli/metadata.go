package cli

import (
	"strconv"

	"github.com/spf13/pflag"

	"psync/internal/metadata"
)

// aboutMetadata is what the help of a verb says about the order of these flags.
const aboutMetadata = `What is kept is said by flags that count in the order in which they are given. Each
is switched off by "no-" before its name or letter: -a --no-o keeps all that -a
does, but for owners. What a flag asks for by name, and DST cannot keep, is an error;
for root so are modes, owners, groups, times, devices and fifos of -a. What else -a,
--archive-all or a default implies is a warning. --on-unsupported makes all of it the one
or the other.`

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

// metadataSwitches are the flags that a no- turns off. What one implies is
// not turned off with it.
var metadataSwitches = []struct {
	name, short   string
	sets, implies attrs
	copying       string // what it says to the verbs that copy
	comparing     string // what it says to compare, which lacks it if that is nothing
}{
	{"perms", "p", keepPerms, 0, "keep all bits of modes, of what exists, too (--no-perms: what exists keeps its own, and what is new heeds the umask, or a default ACL)", "compare set-id and sticky bits, too (--no-perms: no bits at all)"},
	{"times", "t", keepMtimes, 0, "keep modification times", "compare modification times (with --size-only, only if given)"},
	{"atimes", "U", keepAtimes, 0, "keep access times", "compare access times"},
	{"crtimes", "N", keepBtimes, 0, "keep times of birth (macOS and FreeBSD)", "compare times of birth (macOS and FreeBSD)"},
	{"owner", "o", keepOwner, 0, "keep the owner (for root)", "compare owners"},
	{"group", "g", keepGroup, 0, "keep the group (for root and its members)", "compare groups"},
	{"devices", "", keepDevices, 0, "copy devices (for root)", "compare devices"},
	{"specials", "", keepSpecials, 0, "copy fifos and sockets (-D is --devices --specials)", "compare fifos and sockets (-D is --devices --specials)"},
	{"hard-links", "H", keepHardLinks, 0, "keep names of one file names of one file", "compare which names are those of one file"},
	{"acls", "A", keepACLs, keepPerms, "keep access control lists (implies -p)", "compare access control lists (implies -p)"},
	{"xattrs", "X", keepXattrs, 0, "keep extended attributes (copy and sync always do so on macOS: --no-xattrs)", "compare extended attributes (always so on macOS: --no-xattrs)"},
	{"fileflags", "", keepFlags, 0, "keep the flags of chflags and chattr", "compare the flags of chflags and chattr"},
	{"sparse", "S", keepSparse, 0, "turn zeros into holes", ""},
	{"omit-dir-times", "O", omitDirTimes, 0, "keep no times of directories", "compare no times of directories"},
	{"omit-link-times", "J", omitLinkTimes, 0, "keep no times of symbolic links", "compare no times of symbolic links"},
	{"numeric-ids", "", 0, 0, "keep owners by number (within one system that is always so)", ""},
}

// negated returns the name of the flag that turns off the one with the short name
// letter, or "".
func negated(letter string) string {
	for _, s := range metadataSwitches {
		if s.short == letter {
			return "no-" + s.name
		}
	}
	switch letter {
	case "r":
		return "no-recursive"
	case "l":
		return "no-links"
	}
	return ""
}

// metadataFlags say which attributes are kept, or compared.
type metadataFlags struct {
	profile *metadata.Profile // of the system; nil: that of this one

	settings      []setting // as typed
	strictArchive bool
	chmod         chmodSpecs
	chown         ownership
	dataless      dataless
	onUnsupported onUnsupported

	on, off, asked, archived attrs // after settle; off is what was switched off, archived what -a says on all systems
}

// A setting is one flag as it was typed. Settings are applied when all flags are
// known: --strict-rsync-a may come last.
type setting struct {
	sets, implies attrs
	on, asked     bool
	archive       bool // on goes what -a adds on this system, too
}

// add adds the flags for the verbs that copy, or for the one that compares.
func (f *metadataFlags) add(flags *pflag.FlagSet, comparing bool) {
	verb := "keep"
	if comparing {
		verb = "compare"
	}
	addSwitch(flags, "archive", "a", verb+" what rsync -a does: -ptgoD (-r and -l always are on); on macOS -X -A -N --fileflags, too",
		settingValue{settings: &f.settings, setting: setting{sets: archive, archive: true}})
	addSwitch(flags, "archive-all", "", verb+" what -aHAXSN does (but for -N where the system cannot set times of birth)",
		settingValue{settings: &f.settings, setting: setting{sets: archive | archiveAll, archive: true}})
	flags.BoolVar(&f.strictArchive, "strict-rsync-a", false, "-a is -rlptgoD and no more, on macOS too, and nothing implies -X (elsewhere it is so anyway)")
	for _, s := range metadataSwitches {
		usage := s.copying
		if comparing {
			usage = s.comparing
		}
		if usage != "" {
			f.addNegatable(flags, s.name, s.short, usage, setting{sets: s.sets, implies: s.implies, asked: true})
		}
	}
	f.addNegatable(flags, "D", "D", "", setting{sets: keepDevices | keepSpecials, asked: true})
	flags.Var(&f.dataless, "dataless", "skip files whose contents are in a cloud (default), or fetch them (macOS only)")
	if comparing {
		return
	}
	flags.Var(&f.onUnsupported, "on-unsupported", "take what DST cannot keep for an error, or a warning, or nothing: `fail|warn|ignore`")
	f.chown.settings = &f.settings
	flags.Var(&f.chmod, "chmod", "change modes by `SPEC` on the way, as rsync does: D755,F644 or go-w (may be repeated)")
	flags.Var(&f.chown, "chown", "give everything to `USER:GROUP`, or to USER or :GROUP alone (implies -o, -g)")
}

// addNegatable adds a switch, and the one that turns it off, which is not listed.
func (f *metadataFlags) addNegatable(flags *pflag.FlagSet, name, short, usage string, s setting) {
	addSwitch(flags, name, short, usage, settingValue{&f.settings, s, false})
	addSwitch(flags, "no-"+name, "", "", settingValue{&f.settings, s, true})
}

// timesByDefault says in the help of a verb that it minds modification times without
// being told to, and how it does not.
func timesByDefault(flags *pflag.FlagSet, usage string) {
	flags.Lookup("times").DefValue = "true"
	no := flags.Lookup("no-times")
	no.Usage, no.Hidden = usage, false
}

// addSwitch adds a flag that needs no value. Without usage it is not listed.
func addSwitch(flags *pflag.FlagSet, name, short, usage string, v pflag.Value) {
	flag := flags.VarPF(v, name, short, usage)
	flag.NoOptDefVal = "true"
	flag.Hidden = usage == ""
}

// settingValue notes down that a flag was typed.
type settingValue struct {
	settings *[]setting
	setting  setting
	negates  bool
}

func (v settingValue) Type() string   { return "bool" }
func (v settingValue) String() string { return "false" }

func (v settingValue) Set(text string) error {
	on, err := strconv.ParseBool(text)
	if err == nil {
		v.setting.on = on != v.negates
		*v.settings = append(*v.settings, v.setting)
	}
	return err
}

// inverse is a switch that turns another one off.
type inverse struct{ other *bool }

func (v inverse) Type() string   { return "bool" }
func (v inverse) String() string { return "" }

func (v inverse) Set(text string) error {
	on, err := strconv.ParseBool(text)
	if err == nil {
		*v.other = !on
	}
	return err
}

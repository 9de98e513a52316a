package rsyncflags

import "slices"

// keptAttributes are those of -a but for links, which psync copies anyway.
var keptAttributes = []string{"perms", "times", "owner", "group", "devices", "specials"}

// keeps says of links and of each of the attributes whether rsync keeps it, which it does only if it is asked to. Of several
// flags the last counts.
type keeps map[string]bool

// archive sets what -a stands for.
func (k keeps) archive() {
	k["links"] = true
	for _, name := range keptAttributes {
		k[name] = true
	}
}

// set notes down a flag, and reports whether it is one of these.
func (k keeps) set(name string, on bool) bool {
	switch {
	case name == "D":
		k["devices"], k["specials"] = on, on
	case name == "links", slices.Contains(keptAttributes, name):
		k[name] = on
	default:
		return false
	}
	return true
}

// flags returns the flags of psync sync for the attributes. They begin with --archive, by which a user who is not root does
// not learn that owners are not kept, as little as from rsync.
func (k keeps) flags() []string {
	flags := []string{"--strict-rsync-a", "--archive"}
	for _, name := range keptAttributes {
		if !k[name] {
			flags = append(flags, "--no-"+name)
		}
	}
	return flags
}

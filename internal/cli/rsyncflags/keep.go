package rsyncflags

// keeps are the attributes that rsync keeps, each only if it is asked to. Of several flags the last counts.
type keeps struct {
	links, perms, times, owner, group, devices, specials bool
}

// A keptAttribute is one of those of -a but for links, which psync copies anyway.
type keptAttribute struct {
	name string
	on   *bool
}

func (k *keeps) attributes() []keptAttribute {
	return []keptAttribute{
		{"perms", &k.perms},
		{"times", &k.times},
		{"owner", &k.owner},
		{"group", &k.group},
		{"devices", &k.devices},
		{"specials", &k.specials},
	}
}

// archive sets what -a stands for.
func (k *keeps) archive() {
	k.links = true
	for _, a := range k.attributes() {
		*a.on = true
	}
}

// set notes down a flag, and reports whether it is one of an attribute.
func (k *keeps) set(name string, on bool) bool {
	switch name {
	case "links":
		k.links = on
		return true
	case "D":
		k.devices, k.specials = on, on
		return true
	}
	for _, a := range k.attributes() {
		if a.name == name {
			*a.on = on
			return true
		}
	}
	return false
}

// flags returns the flags of psync sync for the attributes. They begin with --archive, by which a user who is not root does
// not learn that owners are not kept, as little as from rsync.
func (k *keeps) flags() []string {
	flags := []string{"--strict-rsync-a", "--archive"}
	for _, a := range k.attributes() {
		if !*a.on {
			flags = append(flags, "--no-"+a.name)
		}
	}
	return flags
}

package selftest

import (
	"errors"
	"syscall"
)

func ownerChecks() []check {
	return []check{
		{"root gives entries to anybody, unless the volume ignores owners", 0, root, giveAway},
		{"nobody else gives entries away", 0, ordinary, giveAwayRefused},
		{"members give entries to their groups", 0, ordinary, giveToGroups},
	}
}

func giveAway(x *box) {
	x.notServed()
	x.file("f", 0o600, "")
	x.mkdir("d", 0o700)
	names := []string{"f", "d"}
	if x.noted("a link", x.dir.Symlink("f", "link")) {
		names = append(names, "link")
	}
	for _, name := range names {
		before := x.attr(name)
		err := x.dir.Lchown(name, 12345, 54321)
		if errors.Is(err, syscall.EINVAL) {
			x.skipf("there are no such users in this container: %v", err)
		}
		x.able(err)
		after := x.attr(name)
		if x.volume.OwnersIgnored {
			equal(x, "the owner of "+name, after.UID, before.UID)
			continue
		}
		equal(x, "the owner of "+name, after.UID, 12345)
		equal(x, "the group of "+name, after.GID, 54321)
	}
}

func giveAwayRefused(x *box) {
	x.notServed()
	x.file("f", 0o600, "")
	before := x.attr("f")
	err := x.dir.Lchown("f", x.User.UID+1, -1)
	equal(x, "the owner", x.attr("f").UID, before.UID)
	switch {
	case x.volume.OwnersIgnored:
		x.noted("giving it away", err)
	default:
		x.refused("giving it away", err)
	}
}

func giveToGroups(x *box) {
	x.notServed()
	x.file("f", 0o600, "")
	given := 0
	for _, gid := range x.User.Groups {
		if gid == x.User.GID {
			continue
		}
		err := x.dir.Lchown("f", -1, gid)
		if x.volume.OwnersIgnored && err == nil {
			continue
		}
		x.able(err)
		equal(x, "the group", x.attr("f").GID, uint32(gid))
		given++
	}
	if given == 0 {
		x.skipf("the user has no other group")
	}
}

package selftest

import (
	"errors"
	"syscall"
)

func ownerChecks() []check {
	return []check{
		{"root gives entries to anybody, unless the volume ignores owners", 0, root, giveAway},
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

package facts

import (
	"errors"
	"syscall"

	"psync/internal/selftest/check"
	"psync/internal/vfs"
)

func ownerChecks() []check.Check {
	return []check.Check{
		{Name: "root gives entries to anybody, unless the volume ignores owners", By: check.Root, Run: giveAway},
	}
}

func giveAway(t *check.T) {
	t.SkipIfServerACLs()
	t.WriteFile("f", 0o600, "")
	t.Mkdir("d", 0o700)
	names := []string{"f", "d"}
	if t.Try("a link", vfs.Symlink(t.Dir, "f", "link")) {
		names = append(names, "link")
	}
	for _, name := range names {
		before := t.Lstat(name)
		err := vfs.Chown(vfs.In(t.Dir, name), 12345, 54321)
		if errors.Is(err, syscall.EINVAL) {
			t.Skipf("there are no such users in this container: %v", err)
		}
		t.MustOrSkip(err)
		after := t.Lstat(name)
		if t.Volume.OwnersIgnored {
			check.Equal(t, "the owner of "+name, after.UID, before.UID)
			continue
		}
		check.Equal(t, "the owner of "+name, after.UID, 12345)
		check.Equal(t, "the group of "+name, after.GID, 54321)
	}
}

package facts

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"syscall"

	"psync/internal/selftest/check"
	"psync/internal/vfs"
)

func flagChecks() []check.Check {
	return []check.Check{
		{Name: "each flag is kept, and changes no other", Run: flagsOneByOne},
		{Name: "a volume without a flag refuses all, and those of DOS are kept", On: check.Mac, Run: flagsOfDOS},
		{Name: "a file cannot be made a compressed one by its flags", On: check.Mac, Run: compressed},
	}
}

// flagsOneByOne skips the check only if no flag can be set at all. It does not try root's locks where they
// may be irrevocable until the next boot, at a raised securelevel(7).
func flagsOneByOne(t *check.T) {
	all := t.Profile.OwnerFlags
	switch {
	case t.User.Privileged() && t.System() == check.Linux:
		all |= t.Profile.RootFlags
	case t.User.Privileged():
		all |= t.Profile.RootFlags &^ t.Profile.LockFlags
	}
	t.WriteFile("f", 0o600, "")
	n := t.Node("f")
	before, err := n.Flags()
	t.MustOrSkip(err)
	var kept []string
	for rest := all; rest != 0; rest &= rest - 1 {
		flag := uint32(1) << bits.TrailingZeros32(rest)
		if keepsFlag(t, n, before, flag) {
			kept = append(kept, fmt.Sprintf("%#x", flag))
		}
	}
	if len(kept) == 0 {
		t.Skipf("the volume keeps none")
	}
	t.Logf("kept are %s", strings.Join(kept, " "))
}

// keepsFlag sets and clears one flag, and reports whether it was kept.
func keepsFlag(t *check.T, n vfs.Node, before, flag uint32) bool {
	if !t.Try(fmt.Sprintf("flag %#x", flag), vfs.SetFlags(n, before|flag)) {
		return false
	}
	got, err := n.Flags()
	t.Must(err)
	if (got^before)&^flag != 0 {
		t.Fatalf("flag %#x makes %#x of %#x", flag, got, before)
	}
	if t.Profile.StatHasFlags {
		check.Equal(t, "the flags that stat reports", t.Lstat("f").Flags, got)
	}
	t.Must(vfs.SetFlags(n, before))
	after, err := n.Flags()
	t.Must(err)
	check.Equal(t, "what is left of them", after, before)
	if got == before {
		t.Logf("flag %#x is not kept", flag)
	}
	return got != before
}

// flagsOfDOS checks the flags of FAT, exFAT and SMB. psync does not keep the archived flag, because a change
// of the file clears it.
func flagsOfDOS(t *check.T) {
	const nodump, archived = 0x1, 0x10000
	t.WriteFile("f", 0o600, "contents")
	n := t.Node("f")
	before, err := n.Flags()
	t.MustOrSkip(err)
	err = vfs.SetFlags(n, before|nodump|t.Profile.DOSFlags)
	switch {
	case err == nil && t.Volume.DOSFlags:
		t.Fatalf("flags %#x are taken, so there are more than those of DOS", before|nodump|t.Profile.DOSFlags)
	case err == nil:
		t.Must(vfs.SetFlags(n, before))
		t.Skipf("the volume has other flags, too")
	case !errors.Is(err, syscall.EINVAL):
		t.MustOrSkip(err)
	}
	now, err := n.Flags()
	t.Must(err)
	check.Equal(t, "the flags when some were refused", now, before)
	t.Must(vfs.SetFlags(n, before|t.Profile.DOSFlags))
	now, err = n.Flags()
	t.Must(err)
	check.Equal(t, "the flags of DOS", now, before|t.Profile.DOSFlags)
	t.Must(vfs.SetFlags(n, before))
	if !t.Try("marking it as archived", vfs.SetFlags(n, before|archived)) {
		return
	}
	t.Must(vfs.Chtimes(vfs.In(t.Dir, "f"), check.Earlier, check.Earlier))
	now, err = n.Flags()
	t.Must(err)
	check.Equal(t, "the flags of an archived file that has changed", now, before&^archived)
}

func compressed(t *check.T) {
	const flag = 0x20
	t.WriteFile("f", 0o600, "contents")
	n := t.Node("f")
	before, err := n.Flags()
	t.MustOrSkip(err)
	t.Logf("setting it: %v", vfs.SetFlags(n, before|flag))
	got, err := n.Flags()
	t.Must(err)
	check.Equal(t, "what the flags are then", got, before)
	check.Equal(t, "the contents", t.ReadFile("f"), "contents")
}

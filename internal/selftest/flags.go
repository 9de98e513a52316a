package selftest

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"syscall"

	"psync/internal/vfs"
)

func flagChecks() []check {
	return []check{
		{"each flag is kept, and changes no other", 0, anyone, flagsOneByOne},
		{"a volume without a flag refuses all, and those of DOS are kept", mac, anyone, flagsOfDOS},
		{"a file cannot be made a compressed one by its flags", mac, anyone, compressed},
	}
}

// flagsOneByOne skips only where no flag can be set at all. Locks of root are left
// out where it may be that they cannot be taken back before the next start, at a raised
// securelevel(7).
func flagsOneByOne(x *box) {
	all := x.Profile.OwnerFlags
	switch {
	case x.User.Privileged() && x.in() == linux:
		all |= x.Profile.RootFlags
	case x.User.Privileged():
		all |= x.Profile.RootFlags &^ x.Profile.LockFlags
	}
	x.file("f", 0o600, "")
	n := x.node("f")
	before, err := n.Flags()
	x.able(err)
	var kept []string
	for rest := all; rest != 0; rest &= rest - 1 {
		flag := uint32(1) << bits.TrailingZeros32(rest)
		if x.flag(n, before, flag) {
			kept = append(kept, fmt.Sprintf("%#x", flag))
		}
	}
	if len(kept) == 0 {
		x.skipf("the volume keeps none")
	}
	x.notef("kept are %s", strings.Join(kept, " "))
}

// flag sets and clears one flag, and reports whether it was kept.
func (x *box) flag(n vfs.Node, before, flag uint32) bool {
	if !x.noted(fmt.Sprintf("flag %#x", flag), n.SetFlags(before|flag)) {
		return false
	}
	got, err := n.Flags()
	x.must(err)
	if (got^before)&^flag != 0 {
		x.failf("flag %#x makes %#x of %#x", flag, got, before)
	}
	if x.Profile.StatTellsFlags {
		equal(x, "the flags that stat tells", x.attr("f").Flags, got)
	}
	x.must(n.SetFlags(before))
	after, err := n.Flags()
	x.must(err)
	equal(x, "what is left of them", after, before)
	if got == before {
		x.notef("flag %#x is not kept", flag)
	}
	return got != before
}

// flagsOfDOS is about what FAT, exFAT and SMB do. That a file is not archived any more when it
// changes is why psync does not keep that flag.
func flagsOfDOS(x *box) {
	const nodump, archived = 0x1, 0x10000
	x.file("f", 0o600, "contents")
	n := x.node("f")
	before, err := n.Flags()
	x.able(err)
	err = n.SetFlags(before | nodump | x.Profile.DOSFlags)
	switch {
	case err == nil && x.volume.DOSFlags:
		x.failf("flags %#x are taken, so there are more than those of DOS", before|nodump|x.Profile.DOSFlags)
	case err == nil:
		x.must(n.SetFlags(before))
		x.skipf("the volume has other flags, too")
	case !errors.Is(err, syscall.EINVAL):
		x.able(err)
	}
	now, err := n.Flags()
	x.must(err)
	equal(x, "the flags when some were refused", now, before)
	x.must(n.SetFlags(before | x.Profile.DOSFlags))
	now, err = n.Flags()
	x.must(err)
	equal(x, "the flags of DOS", now, before|x.Profile.DOSFlags)
	x.must(n.SetFlags(before))
	if !x.noted("marking it as archived", n.SetFlags(before|archived)) {
		return
	}
	x.must(x.dir.Chtimes("f", long, long))
	now, err = n.Flags()
	x.must(err)
	equal(x, "the flags of an archived file that has changed", now, before&^archived)
}

func compressed(x *box) {
	const flag = 0x20
	x.file("f", 0o600, "contents")
	n := x.node("f")
	before, err := n.Flags()
	x.able(err)
	x.notef("setting it: %v", n.SetFlags(before|flag))
	got, err := n.Flags()
	x.must(err)
	equal(x, "what the flags are then", got, before)
	equal(x, "the contents", x.read("f"), "contents")
}

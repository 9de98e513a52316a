package selftest

import (
	"slices"

	"psync/internal/metadata"
)

func nameChecks() []check {
	return []check{
		{"unusual names are found again", 0, anyone, unusualNames},
		{"names that the volume takes for one are known to be", 0, anyone, foldedNames},
		{"attributes show as companions only where the volume says so", mac, anyone, companions},
	}
}

// unusualNames wants a name either to be refused, or to lead to what was made by it.
func unusualNames(x *box) {
	for _, name := range []string{
		" ", "a b", "trailing ", "dot.", "new\nline", "tab\t", "Icon\r", "col:on", `back\slash`, "q?", "*", `"`, "<>|",
		"-n", ".hidden", "._alone", "...", "\x01", "\x7f",
		"caf\u00e9", "cafe\u0301", "\u65e5\u672c\u8a9e", "\U0001f4be", "\ufb01", "\u200b", "a\u034fb",
		"\xff", "latin\xe9", "\xed\xa0\x80", "con", "aux.txt",
	} {
		x.unusual(name)
	}
}

func (x *box) unusual(name string) {
	before := x.names()
	f, err := x.dir.Create(name, 0o600)
	if err != nil {
		x.notef("%q: %v", name, reason(err))
		return
	}
	x.must(f.Close())
	made := x.attr(name).ID()
	added := slices.DeleteFunc(x.names(), func(n string) bool { return slices.Contains(before, n) })
	if len(added) != 1 || x.attr(added[0]).ID() != made {
		x.failf("after %q was made, %s is new", name, listed(added))
	}
	if added[0] != name {
		x.notef("%q is listed as %q", name, added[0])
		if !x.volume.Folds {
			x.failf("%q is listed as %q, and the volume does not say that it folds names", name, added[0])
		}
	}
	x.must(x.dir.Remove(name))
}

// twins are pairs of names that some volume takes for the same.
var twins = [][2]string{
	{"name", "NAME"},
	{"caf\u00e9", "cafe\u0301"},
	{"CAF\u00c9", "cafe\u0301"},
	{"\u00e4", "\u00c4"},
	{"\u00df", "ss"},
	{"\u00df", "\u1e9e"},
	{"\ufb01", "fi"},
	{"\u212a", "k"},
	{"\u212b", "\u00e5"},
	{"\u03c3", "\u03c2"},
	{"\u0130", "i\u0307"},
	{"\u0131", "i"},
	{"\u0149", "\u02bcn"},
	{"\u1e9b\u0323", "\u1e69"},
	{"a\u200db", "ab"},
	{"\ufeffc", "c"},
	{"\u01c5", "\u01c6"},
	{"\u0345", "\u03b9"},
	{"\u13a0", "\uab70"},
	{"\u1100\u1161", "\uac00"},
	{"\uff21", "\uff41"},
	{"\u2126", "\u03c9"},
	{"trailing", "trailing."},
	{"\xe9", "\xc9"},
	{"\u00b5", "\u03bc"},
}

func foldedNames(x *box) {
	var same, different int
	for _, t := range twins {
		one, err := x.dir.Create(t[0], 0o600)
		if !x.noted(t[0], err) {
			continue
		}
		x.must(one.Close())
		_, err = x.dir.Lstat(t[1])
		if err != nil {
			different++
			x.notef("%U and %U are two", []rune(t[0]), []rune(t[1]))
		} else {
			same++
			x.folds(t)
		}
		x.must(x.dir.Remove(t[0]))
	}
	x.notef("%d pairs are one name, %d two", same, different)
}

// folds wants names that are one to have one key.
func (x *box) folds(t [2]string) {
	switch fold := metadata.Folding(x.volume.Folds); {
	case !x.volume.Folds:
		x.failf("%U and %U are one name, and the volume does not say that it folds names", []rune(t[0]), []rune(t[1]))
	case fold.Key(t[0]) != fold.Key(t[1]):
		x.failf("%U and %U are one name, but have other keys", []rune(t[0]), []rune(t[1]))
	}
}

// companions relies on what Volume.AppleDouble says: psync hides "._f" where it is
// set, and copies it as a file of its own where it is not.
func companions(x *box) {
	x.file("f", 0o600, "")
	x.able(x.node("f").SetXattr(x.xattrName("a"), []byte("value")))
	if got := slices.Contains(x.names(), "._f"); got != x.volume.AppleDouble {
		x.failf("the directory has %s, and the volume says of companions: %v", listed(x.names()), x.volume.AppleDouble)
	}
	if !x.volume.AppleDouble {
		return
	}
	x.must(x.dir.Remove("f"))
	x.notef("when the file is gone, the directory has %s", listed(x.names()))
}

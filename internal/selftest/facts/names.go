package facts

import (
	"slices"

	"psync/internal/metadata"
	"psync/internal/selftest/check"
	"psync/internal/vfs"
)

func nameChecks() []check.Check {
	return []check.Check{
		{Name: "unusual names are found again", Run: unusualNames},
		{Name: "names that the volume takes for one are known to be", Run: foldedNames},
		{Name: "attributes show as AppleDouble files only where the volume says so", On: check.Mac, Run: appleDouble},
	}
}

// unusualNames checks that a name is either refused or leads to the entry that was made with it.
func unusualNames(t *check.T) {
	for _, name := range []string{
		" ", "a b", "trailing ", "dot.", "new\nline", "tab\t", "Icon\r", "col:on", `back\slash`, "q?", "*", `"`, "<>|",
		"-n", ".hidden", "._alone", "...", "\x01", "\x7f",
		"caf\u00e9", "cafe\u0301", "\u65e5\u672c\u8a9e", "\U0001f4be", "\ufb01", "\u200b", "a\u034fb",
		"\xff", "latin\xe9", "\xed\xa0\x80", "con", "aux.txt",
	} {
		unusual(t, name)
	}
}

func unusual(t *check.T, name string) {
	before := t.Names()
	f, err := t.Dir.OpenFile(name, vfs.Create, 0o600)
	if err != nil {
		t.Logf("%q: %v", name, check.Reason(err))
		return
	}
	t.Must(f.Close())
	made := t.Lstat(name).ID()
	added := slices.DeleteFunc(t.Names(), func(n string) bool { return slices.Contains(before, n) })
	if len(added) != 1 || t.Lstat(added[0]).ID() != made {
		t.Fatalf("after %q was made, %s is new", name, check.Listed(added))
	}
	if added[0] != name {
		t.Logf("%q is listed as %q", name, added[0])
		if !t.Volume.Folds {
			t.Fatalf("%q is listed as %q, and the volume does not say that it folds names", name, added[0])
		}
	}
	t.Must(t.Dir.Remove(name, nil))
}

// twins are pairs of names that some volumes treat as the same.
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

func foldedNames(t *check.T) {
	var same, different int
	for _, pair := range twins {
		one, err := t.Dir.OpenFile(pair[0], vfs.Create, 0o600)
		if !t.Try(pair[0], err) {
			continue
		}
		t.Must(one.Close())
		_, err = vfs.Lstat(t.Dir, pair[1])
		if err != nil {
			different++
			t.Logf("%U and %U are two", []rune(pair[0]), []rune(pair[1]))
		} else {
			same++
			folds(t, pair)
		}
		t.Must(t.Dir.Remove(pair[0], nil))
	}
	t.Logf("%d pairs are one name, %d two", same, different)
}

// folds checks that names which the volume treats as the same have the same key.
func folds(t *check.T, pair [2]string) {
	switch fold := metadata.Folding(t.Volume.Folds); {
	case !t.Volume.Folds:
		t.Fatalf("%U and %U are one name, and the volume does not say that it folds names", []rune(pair[0]), []rune(pair[1]))
	case fold.Key(pair[0]) != fold.Key(pair[1]):
		t.Fatalf("%U and %U are one name, but have other keys", []rune(pair[0]), []rune(pair[1]))
	}
}

// appleDouble checks Volume.AppleDouble: psync hides "._f" if it is set, and copies it like any other file
// otherwise.
func appleDouble(t *check.T) {
	t.WriteFile("f", 0o600, "")
	t.MustOrSkip(vfs.SetXattr(t.Node("f"), t.XattrName("a"), []byte("value")))
	if got := slices.Contains(t.Names(), "._f"); got != t.Volume.AppleDouble {
		t.Fatalf("the directory has %s, and AppleDouble is %v", check.Listed(t.Names()), t.Volume.AppleDouble)
	}
	if !t.Volume.AppleDouble {
		return
	}
	t.Must(t.Dir.Remove("f", nil))
	t.Logf("when the file is gone, the directory has %s", check.Listed(t.Names()))
}

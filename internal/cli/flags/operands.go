package flags

import (
	"psync/internal/engine"
)

// operandFlags set what the operands SRC stand for.
func operandFlags(o *ruleOptions, e *engine.Options) []flag {
	return []flag{
		switchable("relative", "R", copying, &o.relative,
			"keep the path of each SRC in DST, or what of it comes after /./, with the directories that lead there"),
		switchable("implied-dirs", "", copying, &o.implied,
			"with -R and --files-from, give the directories that lead to what is named the attributes of those of SRC (always on, but for --no-implied-dirs)"),
		switchable("dirs", "d", copying, &o.dirs,
			"copy directories without what is in them, and of a SRC that is copied as a whole the entries (no effect with -r or -a)").
			also("old-dirs", "old-d"),
		toggle("ignore-missing-args", "", copying, &e.IgnoreMissing,
			"leave out, without a word, a SRC or a name of --files-from that does not exist"),
	}
}

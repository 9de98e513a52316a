package flags

import (
	"psync/internal/cli/values"
	"psync/internal/engine"
)

// operandFlags set what the operands SRC stand for.
func operandFlags(o *ruleOptions, e *engine.Options) []flag {
	refused := new(bool)
	return []flag{
		{
			name: "relative", short: "R", verbs: copying, value: (*values.Toggle)(&o.relative), off: values.Inverse(&o.relative),
			help: "keep the path of each SRC in DST, or what of it comes after /./, with the directories that lead there",
			misuse: misuseIf("--files-from keeps the paths that it names: --relative cannot be switched off",
				func() bool { return !o.relative && o.filesFrom != "" }),
		},
		{
			name: "implied-dirs", verbs: copying, value: (*values.Toggle)(&o.implied), off: values.Inverse(&o.implied),
			help: "with -R and --files-from, give the directories that lead to what is named the attributes of those of SRC (always on, but for --no-implied-dirs)",
		},
		{
			name: "dirs", short: "d", synonyms: []string{"old-dirs", "old-d"}, verbs: copying, value: (*values.Toggle)(&o.dirs), off: values.Inverse(&o.dirs),
			help: "copy directories without what is in them, and of a SRC that is copied as a whole the entries (no effect with -r or -a)",
			misuse: misuseIf("--dirs and --relative exclude each other: psync sync --files-from copies directories without what is in them",
				func() bool { return o.dirs && o.relative }),
		},
		{
			name: "ignore-missing-args", verbs: copying, value: (*values.Toggle)(&e.IgnoreMissing),
			help: "leave out, without a word, a SRC or a name of --files-from that does not exist",
		},
		{
			name: "delete-missing-args", verbs: copying, value: (*values.Toggle)(refused),
			misuse: misuseIf("--delete-missing-args is not offered: --ignore-missing-args copies what is there, and psync delete removes the rest from DST by name",
				func() bool { return *refused }),
		},
	}
}

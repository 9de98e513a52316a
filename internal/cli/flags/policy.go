package flags

import (
	"fmt"
	"time"

	"psync/internal/cli/values"
	"psync/internal/engine"
	"psync/internal/plan"
)

// policyFlags define which files differ.
func policyFlags(p *plan.Policy) []flag {
	comparing := Bare | Sync
	return []flag{
		{name: "sync", verbs: Bare, value: (*values.Toggle)(&p.Sync), help: "copy only what differs, as psync sync does"},
		{
			name: "ignore-times", short: "I", verbs: comparing, value: (*values.Toggle)(&p.IgnoreTimes),
			help: "copy files even if size and time are equal",
			misuse: func() faults {
				return faults{
					{!p.Sync, notSync("ignore-times")},
					{p.Checksum && p.IgnoreTimes, "--checksum and --ignore-times exclude each other"},
					{p.SizeOnly && p.IgnoreTimes, "--size-only and --ignore-times exclude each other"},
				}
			},
		},
		{
			name: "size-only", verbs: comparing | Compare, value: (*values.Toggle)(&p.SizeOnly),
			help: "take files of the same size for equal",
			misuse: func() faults {
				return faults{
					{!p.Sync, notSync("size-only")},
					{p.Checksum && p.SizeOnly, "--checksum and --size-only exclude each other"},
				}
			},
		},
		{
			name: "checksum", short: "c", verbs: comparing | Compare, value: (*values.Toggle)(&p.Checksum),
			help:    "compare the contents of files, not their times",
			helpFor: map[Verbs]string{Compare: "compare the contents of files of the same size"},
			misuse:  misuseIf(notSync("checksum"), func() bool { return !p.Sync }),
		},
		{
			name: "modify-window", verbs: comparing | Compare, value: (*values.Tolerance)(&p.Window),
			help:   "times that differ by at most `SECONDS` are equal (default: the precision of the file systems; -1: none)",
			misuse: misuseIf(notSync("modify-window"), func() bool { return !p.Sync }),
		},
	}
}

// existenceFlags select the files to copy by their existence in DST, and by their size and age.
func existenceFlags(p *plan.Policy) []flag {
	return []flag{
		{
			name: "update", short: "u", verbs: copying, value: (*update)(&p.Update),
			help: "skip files newer in DST, unless they look like interrupted copies",
		},
		{
			name: "existing", synonyms: []string{"ignore-non-existing"}, verbs: copying, value: (*values.Toggle)(&p.Existing),
			help: "make nothing that DST lacks",
		},
		{name: "ignore-existing", synonyms: []string{"no-clobber"}, verbs: copying, value: (*values.Toggle)(&p.IgnoreExisting), help: "leave alone what DST has"},
		{
			name: "max-size", heading: headingScope, verbs: copying, value: &values.Size{N: &p.MaxSize, Typed: &p.LimitSize},
			help: "leave out files larger than `SIZE` (bytes, or with K, M, G, T of 1024, KB, MB of 1000)",
		},
		{name: "min-size", heading: headingScope, verbs: copying, value: &values.Size{N: &p.MinSize, Typed: new(bool)}, help: "leave out files smaller than `SIZE`"},
		{
			name: "max-age", heading: headingScope, verbs: copying, value: &values.Age{At: &p.MinMtime, Now: time.Now},
			help: "leave out files modified before `TIME`: 36h, 2d, 3w, 6M, 1y ago, or 2030-12-31[T23:59[:59]]",
		},
		{
			name: "min-age", heading: headingScope, verbs: copying, value: &values.Age{At: &p.MaxMtime, Now: time.Now},
			help: "leave out files modified after `TIME`",
			misuse: misuseIf("--max-age is a time after that of --min-age: no file is left",
				func() bool { return !p.MinMtime.IsZero() && p.MinMtime.After(p.MaxMtime) }),
		},
	}
}

// update is the value of --update, which may have that of cp's flag of the same meaning.
type update values.Toggle

func (u *update) IsBoolean()     {}
func (u *update) Type() string   { return "bool" }
func (u *update) String() string { return (*values.Toggle)(u).String() }

func (u *update) Set(text string) error {
	switch text {
	case "older":
		text = "true"
	case "all":
		text = "false"
	}
	return (*values.Toggle)(u).Set(text)
}

func notSync(name string) string {
	return fmt.Sprintf("--%s says what differs, and is for -sync", name)
}

// deleteFlags select the entries to remove from the destination, or to report as missing in the source.
func deleteFlags(d *plan.Delete, excluded, oneWay *bool) []flag {
	return []flag{
		{name: "one-way", heading: headingDiffers, verbs: Compare, value: (*values.Toggle)(oneWay), help: "say nothing of what only DST has"},
		{
			name: "delete", synonyms: []string{"del", "delete-before", "delete-during", "delete-after", "delete-delay"},
			verbs: copying, value: (*values.Toggle)(&d.On), help: "remove from DST what SRC lacks",
		},
		{
			name: "delete-excluded", verbs: copying, value: (*values.Toggle)(excluded),
			help: "remove from DST what the rules exclude, too",
		},
		{
			name: "force", verbs: copying, value: (*values.Toggle)(&d.Force),
			help: "replace a directory of DST by something else of SRC even if it is not empty (--delete does, too)",
		},
		{
			name: "max-delete", verbs: copying, value: &values.Limit{Limit: &d.Max},
			help:   "remove nothing if that would be more than `N` entries, or N% of those of DST",
			misuse: misuseIf("--max-delete limits --delete, which is missing", func() bool { return !d.On }),
		},
		{
			name: "ignore-errors", verbs: copying, value: (*values.Toggle)(&d.IgnoreErrors),
			help:   "remove even where SRC could not be read to the end",
			misuse: misuseIf("--ignore-errors is about --delete, which is missing", func() bool { return d.IgnoreErrors && !d.On }),
		},
		{
			name: "force-empty-source", verbs: copying, value: (*values.Toggle)(&d.EmptySource),
			help:   "remove everything if SRC is empty",
			misuse: misuseIf("--force-empty-source is about --delete, which is missing", func() bool { return d.EmptySource && !d.On }),
		},
	}
}

// linkFlags set how symbolic links are copied, and where a run stops.
func linkFlags(e *engine.Options) []flag {
	l := &e.Links
	verbs := copying | Compare
	return []flag{
		{name: "copy-links", short: "L", verbs: verbs, value: (*values.Toggle)(&l.Copy), help: "copy what symbolic links lead to"},
		{
			name: "copy-dirlinks", short: "k", verbs: verbs, value: (*values.Toggle)(&l.CopyDirlinks),
			help: "copy the directories that symbolic links lead to",
		},
		{
			name: "keep-dirlinks", short: "K", verbs: verbs, value: (*values.Toggle)(&l.KeepDirlinks),
			help: "treat a link of DST to a directory as one",
		},
		{name: "safe-links", verbs: verbs, value: (*values.Toggle)(&l.Safe), help: "leave out symbolic links that lead out of SRC"},
		{name: "copy-unsafe-links", verbs: verbs, value: (*values.Toggle)(&l.CopyUnsafe), help: "copy what such links lead to"},
		{
			name: "one-file-system", short: "x", verbs: verbs | Delete, value: (*values.Toggle)(&e.OneFileSystem),
			help:    "do not descend into other file systems than that of SRC",
			helpFor: map[Verbs]string{Delete: "leave alone what is mounted in a tree (=false: remove that, too)"},
		},
	}
}

// linksFlags exist for users who are used to typing them: links are always copied.
func linksFlags(links *bool) []flag {
	return []flag{{
		name: "links", short: "l", verbs: copying, value: (*values.Toggle)(links), off: values.Inverse(links),
		help:   "copy symbolic links as links (always on, but for what -L and -k say)",
		misuse: misuseIf("symbolic links are copied as what they are: --links cannot be switched off", func() bool { return !*links }),
	}}
}

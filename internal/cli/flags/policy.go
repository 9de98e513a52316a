package flags

import (
	"time"

	"psync/internal/cli/values"
	"psync/internal/engine"
	"psync/internal/plan"
)

// policyFlags define which files differ.
func policyFlags(p *plan.Policy) []flag {
	comparing := Bare | Sync
	return []flag{
		toggle("sync", "", Bare, &p.Sync, "copy only what differs, as psync sync does"),
		toggle("ignore-times", "I", comparing, &p.IgnoreTimes, "copy files even if size and time are equal"),
		toggle("size-only", "", comparing|Compare, &p.SizeOnly, "take files of the same size for equal"),
		toggle("checksum", "c", comparing|Compare, &p.Checksum, "compare the contents of files, not their times").
			helpIn(Compare, "compare the contents of files of the same size"),
		newFlag("modify-window", "", comparing|Compare, (*values.Tolerance)(&p.Window),
			"times that differ by at most `SECONDS` are equal (default: the precision of the file systems; -1: none)"),
	}
}

// existenceFlags select the files to copy by their existence in DST, and by their size and age.
func existenceFlags(p *plan.Policy) []flag {
	return []flag{
		newFlag("update", "u", copying, update{(*values.Toggle)(&p.Update)},
			"skip files newer in DST, unless they look like interrupted copies"),
		toggle("existing", "", copying, &p.Existing, "make nothing that DST lacks").also("ignore-non-existing"),
		toggle("ignore-existing", "", copying, &p.IgnoreExisting, "leave alone what DST has").also("no-clobber"),
		newFlag("max-size", "", copying, &values.Size{N: &p.MaxSize, Typed: &p.LimitSize},
			"leave out files larger than `SIZE` (bytes, or with K, M, G, T of 1024, KB, MB of 1000)").under(headingScope),
		newFlag("min-size", "", copying, &values.Size{N: &p.MinSize, Typed: new(bool)},
			"leave out files smaller than `SIZE`").under(headingScope),
		newFlag("max-age", "", copying, &values.Age{At: &p.MinMtime, Now: time.Now},
			"leave out files modified before `TIME`: 36h, 2d, 3w, 6M, 1y ago, or 2030-12-31[T23:59[:59]]").under(headingScope),
		newFlag("min-age", "", copying, &values.Age{At: &p.MaxMtime, Now: time.Now},
			"leave out files modified after `TIME`").under(headingScope),
	}
}

// update is the value of --update, which may have that of cp's flag of the same meaning.
type update struct{ *values.Toggle }

func (u update) Set(text string) error {
	switch text {
	case "older":
		text = "true"
	case "all":
		text = "false"
	}
	return u.Toggle.Set(text)
}

// deleteFlags select the entries to remove from the destination, or to report as missing in the source.
func deleteFlags(d *plan.Delete, excluded, oneWay *bool) []flag {
	return []flag{
		toggle("one-way", "", Compare, oneWay, "say nothing of what only DST has").under(headingDiffers),
		toggle("delete", "", copying, &d.On, "remove from DST what SRC lacks").
			also("del", "delete-before", "delete-during", "delete-after", "delete-delay"),
		toggle("delete-excluded", "", copying, excluded, "remove from DST what the rules exclude, too"),
		toggle("force", "", copying, &d.Force,
			"replace a directory of DST by something else of SRC even if it is not empty (--delete does, too)"),
		newFlag("max-delete", "", copying, &values.Limit{Limit: &d.Max},
			"remove nothing if that would be more than `N` entries, or N% of those of DST"),
		toggle("ignore-errors", "", copying, &d.IgnoreErrors, "remove even where SRC could not be read to the end"),
		toggle("force-empty-source", "", copying, &d.EmptySource, "remove everything if SRC is empty"),
	}
}

// linkFlags set how symbolic links are copied, and where a run stops.
func linkFlags(e *engine.Options) []flag {
	l := &e.Links
	verbs := copying | Compare
	return []flag{
		toggle("copy-links", "L", verbs, &l.Copy, "copy what symbolic links lead to"),
		toggle("copy-dirlinks", "k", verbs, &l.CopyDirlinks, "copy the directories that symbolic links lead to"),
		toggle("keep-dirlinks", "K", verbs, &l.KeepDirlinks, "treat a link of DST to a directory as one"),
		toggle("safe-links", "", verbs, &l.Safe, "leave out symbolic links that lead out of SRC"),
		toggle("copy-unsafe-links", "", verbs, &l.CopyUnsafe, "copy what such links lead to"),
		toggle("one-file-system", "x", verbs|Delete, &e.OneFileSystem,
			"do not descend into other file systems than that of SRC").
			helpIn(Delete, "leave alone what is mounted in a tree (=false: remove that, too)"),
	}
}

// linksFlags exist for users who are used to typing them: links are always copied.
func linksFlags(links *bool) []flag {
	return []flag{switchable("links", "l", copying, links, "copy symbolic links as links (always on, but for what -L and -k say)")}
}

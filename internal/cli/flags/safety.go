package flags

import (
	"psync/internal/cli/values"
	"psync/internal/engine"
	"psync/internal/operand"
)

// backupFlags set what happens to old files.
func backupFlags(a *operand.AuxOptions) []flag {
	return []flag{
		toggle("backup", "b", copying, &a.Backup, "keep what is replaced or removed, under another name"),
		word("backup-dir", "", copying, &a.BackupDir, "keep it in `DIR`, relative to DST (implies -b)"),
		word("suffix", "", copying, &a.Suffix,
			"add `SUFFIX` to the names of backups (default ~, with --backup-dir none)"),
	}
}

// safetyFlags set how files get to their places.
func safetyFlags(o *operand.Options, a *operand.AuxOptions, e *engine.Options) []flag {
	return []flag{
		word("temp-dir", "T", copying, &a.TempDir, "write files in `DIR`, relative to DST, until they are complete"),
		word("partial-dir", "", copying, &a.PartialDir,
			"keep what is copied of a file when a run ends early in `DIR`, below the directory of the file unless it is an absolute path; over ssh, the next run sends only the rest of files from 16 MiB on"),
		toggle("inplace", "", copying, &e.InPlace, "write into existing files instead of replacing them"),
		toggle("append", "", copying, &e.Append,
			"continue files that are shorter in DST at their end, and skip those that are not (implies --inplace); what DST has is believed"),
		toggle("append-verify", "", copying, &e.AppendVerify,
			"as --append, but copy a file as a whole unless DST has its beginning"),
		toggle("delay-updates", "", copying, &e.DelayUpdates,
			"put files in place when all are copied, at the end of the run"),
		toggle("remove-source-files", "", copying, &e.RemoveSource, "remove files of SRC once DST has them").
			under(headingRemoved),
		toggle("open-noatime", "", copying, &o.Noatime,
			"leave the access times of SRC alone, where it is ours (-U does, too)"),
		toggle("insecure-links", "", all, &o.InsecureLinks,
			"follow links on the paths of DST, of what flags name, and of -K even if other users may have planted them (so they choose where psync writes)").
			helpIn(Compare|Delete, "follow links on the paths of files that flags name even if other users may have planted them (so they choose where psync writes)"),
	}
}

// alternativeFlags name trees that resemble the destination.
func alternativeFlags(a *operand.AuxOptions) []flag {
	return []flag{
		newFlag("link-dest", "", copying, (*values.Words)(&a.LinkDest),
			"hard-link files that are unchanged in `DIR`, relative to DST"),
		newFlag("copy-dest", "", copying, (*values.Words)(&a.CopyDest),
			"copy files that are unchanged in `DIR` from there"),
		newFlag("compare-dest", "", copying, (*values.Words)(&a.CompareDest),
			"leave out files that are unchanged in `DIR`"),
	}
}

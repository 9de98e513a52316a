package scope

// A Class says what a flag has to do with the other hosts of a job.
type Class uint8

// The classes of flags.
const (
	Unknown Class = iota
	Shared        // it must be the same on all hosts
	Local         // it may differ from host to host
	Refused       // it cannot be used
)

// shared are the flags that change what a run does.
const shared = `
	acls archive atimes backup checksum chmod chown compare-dest create crtimes cvs-exclude D dataless delete
	delete-excluded devices dirs exclude exclude-from exclude-regex executability existing
	fileflags files-from filter force force-empty-source from0 fsync group groupmap ignore-errors
	ignore-missing-args ignore-times implied-dirs include include-from include-regex insecure-links links max-age
	max-size metadata min-age min-size min-source-files mkpath modify-window numeric-ids omit-dir-times omit-link-times
	on-unsupported one-file-system open-noatime owner partial-dir perms preallocate recursive reflink relative require
	rsync-filter safe-links size-only sparse specials strict-rsync-a suffix super sync temp-dir times update hard-links archive-all max-delete usermap
	verify volume-files xattrs bwlimit link-dest copy-dest`

// local are the flags of what a host shows and records, and of how its own workers go about their work.
const local = `
	threads landlock verbose quiet itemize-changes out-format human-readable journal resume retry-for
	multi-thread-streams multi-thread-cutoff whole-file fuzzy cache progress failures metrics json log-file log-file-format
	stats rsh ssh-config ssh-accept-new remote-psync compress timeout contimeout bootstrap
	queue queue-ca queue-creds insecure-queue`

const (
	followed = "a directory that links lead to has several paths, and two hosts would work on it at a time"
	counted  = "each host would count for itself"
	inPlace  = "when a host is lost in the middle of a file, another one could no longer find out what of it is new"
)

// refused are the flags of what one process has to know all about, with the reasons.
var refused = map[string]string{
	"copy-links":          followed,
	"copy-dirlinks":       followed,
	"copy-unsafe-links":   followed,
	"keep-dirlinks":       followed,
	"inplace":             inPlace,
	"append":              inPlace,
	"append-verify":       inPlace,
	"delay-updates":       "files that wait to be put in place are known only to the host that has copied them",
	"remove-source-files": "a file of SRC may have other names, which other hosts copy",
	"max-transfer":        counted,
	"stop-after":          "what the host has not done would be left undone; interrupt psync on a host for it to leave",
	"stop-at":             "what the host has not done would be left undone; interrupt psync on a host for it to leave",
	"backup-dir":          "hosts would make the directories below it at the same time; -b keeps backups where the files are",
	"prune-empty-dirs":    "whether there are files below a directory may be known only to other hosts",
	"dry-run":             "only a run that changes something can prove that nothing is missing",
	"ignore-existing":     "a file would stay as a host leaves it that is lost in the middle of it",
	"list-only":           "nothing is copied",
	"manifest":            "the file would have only what this host copies; write it afterwards",
	"mhl":                 "the history needs the checksums of all files, and each host has only those of its own",
}

// values are those values of flags that are refused, with the reasons.
var values = []struct {
	flags   string
	refuses func(value string) bool
	why     string
}{
	{"threads", func(v string) bool { return v == "auto" }, "several hosts that measure how fast they are would measure each other; give a number"},
	{"max-age min-age", isAgo, "each host would count back from when it began; give a date"},
	{"chown usermap groupmap", hasNames, "a name may stand for another number on another host; give numbers"},
}

// isAgo reports whether a value of --max-age says how long ago a time was.
func isAgo(v string) bool { return len(v) < len("2006-01-02") || v[4] != '-' }

// hasNames reports whether a value of --chown, --usermap or --groupmap has names of accounts.
func hasNames(v string) bool {
	for _, c := range v {
		switch {
		case c >= '0' && c <= '9', c == ':', c == ',', c == '*', c == '-':
		default:
			return true
		}
	}
	return false
}

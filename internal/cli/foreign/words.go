package foreign

import (
	"slices"
	"strings"
)

// Words are words of other programs, separated by blanks, and what to write instead.
type Words struct{ Words, Instead string }

// Verbs are programs, and verbs of rclone, that people type where psync expects a verb, and what to type instead.
var Verbs = []Words{
	{"rm rmdir rd del unlink rmz remove purge deletefile rmdirs", "psync delete removes trees"},
	{"mv move moveto ren rename", "psync sync --remove-source-files SRC DST moves files"},
	{"diff cmp cryptcheck checksum", "psync compare SRC DST says what differs"},
	{"mirror robocopy clone", "psync sync --delete SRC DST makes DST equal to SRC"},
	{"update backup synchronize synchronise replicate fpsync parsyncfp msrsync", "psync sync SRC DST copies what differs"},
	{"xcp fcp cpz gcp copyto copydir copyurl xcopy dup ditto scp sftp tar cpio pax restore", "psync copy SRC DST copies trees"},
	{"ls lsf lsl lsd lsjson dir tree", "psync copy --list-only SRC lists a tree, in rsync's format; there is no other listing"},
	{"size du ncdu df about", "psync adds up no sizes; psync copy --list-only SRC lists them"},
	{"md5sum sha1sum sha256sum hashsum", "psync copy --manifest=FILE SRC DST writes checksums of what it copies"},
	{"bisync unison", "psync copies in one direction, from SRC to DST"},
	{"resume continue", "the same command with --journal=FILE and --resume goes on with a run"},
	{"cat rcat mkdir touch cleanup dedupe mount config listremotes obscure", "psync has no verb like that"},
}

// InsteadOfVerb returns the hint for a word that is a verb of other programs, or "".
func InsteadOfVerb(word string) string {
	for _, v := range Verbs {
		if slices.Contains(strings.Fields(v.Words), word) {
			return v.Instead
		}
	}
	return ""
}

// Robocopy are flags of robocopy, and what to write instead.
var Robocopy = []Words{
	{"/MIR /PURGE", "psync sync --delete"},
	{"/E /S", "nothing, as directories are copied with what is in them, and -m for /S, which leaves out empty ones"},
	{"/MT", "-j N"},
	{"/COPYALL /COPY /DCOPY /SEC", "-aAX"},
	{"/L", "-n"},
	{"/XO", "--update"},
	{"/XD", "--exclude=NAME/"},
	{"/XF", "--exclude=NAME"},
	{"/XJ /SL", "nothing, as symbolic links are copied as links"},
	{"/R /W", "--retry-for=SECONDS"},
	{"/LOG /LOG+ /UNILOG /UNILOG+", "--log-file=FILE"},
	{"/NP", "--no-progress"},
	{"/NFL /NDL /NJH /NJS /NS /NC /TEE /UNICODE /BYTES /TS /FP /X", "nothing, as entries are listed only with -v"},
	{"/V /ETA", "-v, and -P for progress"},
	{"/FFT", "--modify-window=2"},
	{"/DST", "--modify-window=3600"},
	{"/MAX", "--max-size=SIZE"},
	{"/MIN", "--min-size=SIZE"},
	{"/MAXAGE", "--max-age=TIME"},
	{"/MINAGE", "--min-age=TIME"},
	{"/LEV", "--exclude='/*/*/*' for two levels"},
	{"/IPG", "--bwlimit=RATE"},
	{"/XN /XC", "--ignore-existing, which leaves alone all that DST has"},
	{"/XL", "--existing"},
	{"/SECFIX /TIMFIX", "psync sync -aAX, which corrects attributes"},
	{"/NODCOPY", "--omit-dir-times"},
	{"/SPARSE", "--sparse"},
	{"/COMPRESS", "--compress"},
	{"/A /M /IA /XA /A+ /A- /RH /PF /MON /MOT /JOB /SAVE /QUIT /NOOFFLOAD /IM", "nothing, as psync has no flag like it"},
	{"/MOV /MOVE", "--remove-source-files"},
	{"/Z /B /ZB /J", "nothing: what was copied is not copied again by psync sync"},
	{"/IS /IT", "-I"},
	{"/XX", "nothing: without --delete, what only DST has stays"},
	{"/? /H /HELP", "psync --help, or psync VERB --help"},
}

// InsteadOfRobocopy returns what to write instead of a flag of robocopy, which a value may follow behind a colon; or "".
func InsteadOfRobocopy(flag string) string {
	name, _, _ := strings.Cut(flag, ":")
	if !strings.HasPrefix(name, "/") {
		return ""
	}
	for _, f := range Robocopy {
		if slices.Contains(strings.Fields(f.Words), strings.ToUpper(name)) {
			return f.Instead
		}
	}
	return ""
}

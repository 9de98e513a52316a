package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What has become of dst after a command line.
const (
	copied  = "copied"  // it has src/file with its time
	bare    = "bare"    // it has src/file, but not its time
	missing = "missing" // nothing was made
	refused = "refused" // nothing was made, and a sentence says what to do
	kept    = "kept"    // as copied, and what src lacks is still there
	removed = "removed" // as copied, and what src lacks is gone
)

// Command lines that people have in their fingers, of rsync, cp, rclone, parsync, fcp and hweidner's psync, with the verb
// that they would write for it.
var habits = []struct{ line, want string }{
	// rsync
	{"sync -a src/ dst", copied},
	{"sync -av src/ dst", copied},
	{"sync -avz src/ dst", copied},
	{"sync -avh src/ dst", copied},
	{"sync -avzh src/ dst", copied},
	{"sync -avP src/ dst", copied},
	{"sync -avhP src/ dst", copied},
	{"sync -aP src/ dst", copied},
	{"sync -avzP src/ dst", copied},
	{"sync -avHAX src/ dst", copied},
	{"sync -aHAXx src/ dst", copied},
	{"sync -aAXv src/ dst", copied},
	{"sync -aHAXS --numeric-ids src/ dst", copied},
	{"sync -rtv src/ dst", copied},
	{"sync -rltv src/ dst", copied},
	{"sync -rlptgoD src/ dst", copied},
	{"sync -ru src/ dst", copied},
	{"sync -au src/ dst", copied},
	{"sync -ai src/ dst", copied},
	{"sync -aq src/ dst", copied},
	{"sync -ac src/ dst", copied},
	{"sync -aW src/ dst", copied},
	{"sync -aS src/ dst", copied},
	{"sync -as src/ dst", copied},
	{"sync -ahn src/ dst", missing},
	{"sync -avn --delete src/ dst", missing},
	{"sync --archive --verbose --compress src/ dst", copied},
	{"sync --archive --no-whole-file src/ dst", copied},
	{"sync -a --progress src/ dst", copied},
	{"sync -a --info=progress2 src/ dst", copied},
	{"sync -a --info=progress2 --no-inc-recursive src/ dst", copied},
	{"sync -ah --info=name0,progress2 --no-i-r src/ dst", copied},
	{"sync -a --info=stats2 src/ dst", copied},
	{"sync -a --stats --human-readable src/ dst", copied},
	{"sync -a --partial src/ dst", copied},
	{"sync -a --partial --progress src/ dst", copied},
	{"sync -a --inplace src/ dst", copied},
	{"sync -a --no-o --no-g src/ dst", copied},
	{"sync -a --no-owner --no-group --no-perms src/ dst", copied},
	{"sync -a --chmod=D755,F644 src/ dst", copied},
	{"sync -a --exclude=*.tmp src/ dst", copied},
	{"sync -a --exclude *.tmp --exclude .git src/ dst", copied},
	{"sync -a --include=*/ --include=file --exclude=* src/ dst", copied},
	{"sync -a --include file --exclude * src/ dst", copied},
	{"sync -am --include=*/ --include=file --exclude=* src/ dst", copied},
	{"sync -a --max-size=1g src/ dst", copied},
	{"sync -a --ignore-existing src/ dst", copied},
	{"sync -a --size-only src/ dst", copied},
	{"sync -a --modify-window=1 src/ dst", copied},
	{"sync -a --checksum src/ dst", copied},
	{"sync -a --ignore-times src/ dst", copied},
	{"sync -a --bwlimit=10000 src/ dst", copied},
	{"sync -a --bwlimit=10m src/ dst", copied},
	{"sync -a --backup --suffix=.old src/ dst", copied},
	{"sync -ab --backup-dir=../old src/ dst", copied},
	{"sync -a --link-dest=../other src/ dst", copied},
	{"sync -a --safe-links src/ dst", copied},
	{"sync -aL src/ dst", copied},
	{"sync -ak src/ dst", copied},
	{"sync -a --copy-unsafe-links src/ dst", copied},
	{"sync -a --omit-dir-times src/ dst", copied},
	{"sync -aO src/ dst", copied},
	{"sync -a --mkpath src/ dst", copied},
	{"sync -a --numeric-ids src/ dst", copied},
	{"sync -a --one-file-system src/ dst", copied},
	{"sync -a --prune-empty-dirs src/ dst", copied},
	{"sync -a --sparse --preallocate src/ dst", copied},
	{"sync -a --fsync src/ dst", copied},
	{"sync -a --ignore-missing-args src/ dst", copied},
	{"sync -a --out-format=%n src/ dst", copied},
	{"sync -a --protect-args src/ dst", copied},
	{"sync -a --compress-level=9 src/ dst", copied},
	{"sync -a --zl=1 --skip-compress=gz/jpg src/ dst", copied},
	{"sync -a --checksum-choice=xxh3 src/ dst", copied},
	{"sync -a --block-size=4096 src/ dst", copied},
	{"sync -a --debug=NONE --stderr=all src/ dst", copied},
	{"sync -a --blocking-io --outbuf=L src/ dst", copied},
	{"sync -a -8 src/ dst", copied},
	{"sync -a --usermap=0:0 src/ dst", copied},
	{"sync -a --no-links src/ dst", refused},
	{"sync -a --append src/ dst", copied},
	{"sync -a --append-verify src/ dst", copied},
	{"sync -a --partial-dir=.part src/ dst", copied},
	{"sync -a --timeout=60 --contimeout=10 src/ dst", copied},
	{"sync -a --iconv=UTF-8-MAC,UTF-8 src/ dst", refused},
	{"sync -a --fuzzy src/ dst", copied},
	{"sync -ayy src/ dst", copied},
	{"sync -a --log-file=log --log-file-format=%n src/ dst", copied},
	{"sync -a --rsync-path=rsync src/ dst", refused},
	{"sync -a --password-file=secret src/ dst", refused},
	{"sync -a --port=873 src/ dst", refused},
	{"sync -a -e ssh src/ dst", refused},
	{"sync -a --delete src/ held", removed},
	{"sync -av --delete src/ held", removed},
	{"sync -avz --delete --progress src/ held", removed},
	{"sync -a --delete-after src/ held", removed},
	{"sync -a --delete-before src/ held", removed},
	{"sync -a --delete-during src/ held", removed},
	{"sync -a --delete-delay src/ held", removed},
	{"sync -a --del src/ held", removed},
	{"sync -a --delete --delete-excluded --exclude=extra src/ held", removed},
	{"sync -a --delete --exclude=extra src/ held", kept},
	{"sync -a --delete --max-delete=10 src/ held", removed},
	{"sync -a --delete --force src/ held", removed},
	{"sync -a src/ held", kept},
	{"sync -a --existing src/ held", missing},

	// hweidner's psync, fcp and parsync
	{"src dst", refused},
	{"-create src dst", bare},
	{"-threads 4 -create src dst", bare},
	{"-threads 32 -owner -times -create src dst", copied},
	{"-verbose -create src dst", bare},
	{"-quiet -times -create src dst", copied},
	{"--threads 4 -times -create src dst", copied},
	{"copy -threads 4 src dst", copied},
	{"copy --threads 4 src dst", copied},
	{"copy -times -verbose src dst", copied},
	{"sync -threads 4 -delete src held", removed},

	// rclone
	{"copy src dst --transfers 8", copied},
	{"copy src dst --transfers=8 --checkers=16", copied},
	{"sync src dst --transfers 8 --checkers 16 -P", copied},
	{"copy -P src dst", copied},
	{"copy -v --progress src dst", copied},
	{"copy -L src dst", copied},
	{"copy --links src dst", copied},
	{"copy --metadata src dst", copied},
	{"sync src dst --exclude **/._* -P --transfers=4 --checkers=8 --metadata --links", copied},
	{"copy src dst --max-age 24h", missing},
	{"copy src dst --min-age 24h", copied},
	{"copy src dst --max-age 2001-02-03", copied},
	{"sync src dst --fast-list --retries 3 --log-level INFO --stats-one-line", copied},
	{"copy src dst --create-empty-src-dirs --no-traverse --buffer-size 64M", copied},
	{"sync src dst --track-renames", refused},
	{"sync src dst --order-by size,desc", refused},
	{"sync -P src dst --stats 5s", refused},
	{"copy src dst --interactive", refused},
	{"copy src dst --immutable", refused},
	{"sync src dst --iconv utf8,latin1", refused},
	{"check src src2 --one-way --checkers 16", copied},
	{"check held src --combined -", refused},
	{"copy --dry-run src dst", missing},
	{"sync --exclude=*.tmp src dst", copied},
	{"copy --multi-thread-streams=4 src dst", copied},
	{"copy --bwlimit 10M src dst", copied},
	{"check src src2", copied},

	// xcp and others
	{"copy --workers 8 src dst", copied},
	{"copy --jobs=8 src dst", copied},
	{"copy --parallel=8 src dst", copied},
	{"copy -w 8 src dst", refused},
	{"copy --gitignore src dst", refused},
	{"copy --no-timestamps src dst", refused},
	{"copy --exclude-dir tmp src dst", refused},
	{"copy --mirror src dst", refused},

	// robocopy
	{"src dst /MIR /MT:32", refused},
	{"copy src dst /E", refused},
	{"sync src dst /MIR", refused},

	// cp
	{"copy -r src dst", copied},
	{"copy -rf src dst", refused},
	{"copy --no-clobber src dst", copied},
	{"copy --target-directory=dst src", refused},
	{"copy --preserve=all src dst", refused},
	{"copy --no-preserve=mode src dst", refused},
	{"cp -r src dst", bare},
	{"cp -R src dst", bare},
	{"cp -a src dst", copied},
	{"cp -rp src dst", copied},
	{"cp -pr src dst", copied},
	{"cp -av src dst", copied},
	{"cp -rf src dst", bare},
	{"cp -rv src dst", bare},
	{"cp -rn src dst", bare},
	{"cp -ru src dst", bare},
	{"cp -rT src dst", bare},
	{"cp -dR --preserve=all src dst", copied},
	{"cp --recursive --preserve=timestamps src dst", copied},
	{"cp -a --reflink=auto src dst", copied},
	{"cp -rL src dst", bare},
	{"cp -t held -r src", kept + " in a directory"},
}

func TestHabits(t *testing.T) {
	for _, habit := range habits {
		t.Run(habit.line, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for _, file := range []string{"src/file", "src2/file", "other/file", "held/extra"} {
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte("text"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			for _, file := range []string{"src/file", "src2/file", "src", "src2"} {
				if err := os.Chtimes(file, someday, someday); err != nil {
					t.Fatal(err)
				}
			}
			var stdout, stderr bytes.Buffer
			line := append([]string{"psync"}, strings.Fields(habit.line)...)
			code := Run(t.Context(), line, Process{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr})
			if got := outcomeOf(habit.line, code, stderr.String()); got != habit.want {
				t.Errorf("%s, exit %d, want %s:\n%s", got, code, habit.want, stderr.String())
			}
		})
	}
}

var someday = time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)

// outcomeOf says what became of the destination of a command line.
func outcomeOf(line string, code int, stderr string) string {
	dst := "dst"
	if strings.Contains(line, "held") {
		dst = "held"
	}
	exists := func(path string) bool { _, err := os.Lstat(path); return err == nil }
	info, err := os.Stat(dst + "/file")
	switch {
	case code != 0 && err != nil && strings.HasPrefix(stderr, "psync: error: ") && !strings.Contains(stderr, "no such flag"):
		return refused
	case code != 0:
		return "failed"
	case strings.HasPrefix(line, "check "):
		return copied
	case exists("held/src/file") && exists("held/extra"):
		return kept + " in a directory"
	case err != nil:
		return missing
	case !info.ModTime().Equal(someday):
		return bare
	case dst == "dst":
		return copied
	case exists("held/extra"):
		return kept
	}
	return removed
}

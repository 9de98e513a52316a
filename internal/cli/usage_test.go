package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Wrong command lines: each ends with an error of one line that names what is wrong and what to do, and with a hint.
var wrongLines = []struct {
	line string
	code int
	want string // part of the error
}{
	{"", 1, "SRC and DST are missing"},
	{"src", 1, "DST is missing after src"},
	{"copy", 1, "SRC and DST are missing"},
	{"copy src", 1, "DST is missing after src"},
	{"sync src", 1, "DST is missing after src"},
	{"compare", 2, "SRC and DST are missing"},
	{"compare src", 2, "DST is missing after src"},
	{"compare src dst third", 2, "third is one too many"},
	{"delete", 1, "PATH is missing"},
	{"delete src", 1, "no terminal to ask"},
	{"delete -f /", 3, "/"},
	{"delete -f .", 3, "."},
	{"delete missing", 1, "no terminal"},
	{"version now", 1, "now: one operand too many"},
	{"man a b", 1, "b: one operand too many"},
	{"man missing/dir", 1, "missing/dir"},
	{"help nothing", 1, "help nothing: there is no such verb"},
	{"help sync more", 1, "there is no such verb"},
	{"completion ksh", 1, "bash, zsh, fish"},
	{"completion", 1, "bash, zsh, fish"},
	{"serve", 1, "--stdio"},
	{"snyc src dst", 3, "snyc: the source does not exist"},
	{"cpoy src dst", 3, "cpoy: the source does not exist"},

	{"sync --exlude=x src dst", 1, "did you mean --exclude?"},
	{"sync --progres src dst", 1, "did you mean --progress?"},
	{"sync --cheksum src dst", 1, "did you mean --checksum?"},
	{"copy --thread=3 src dst", 1, "did you mean --threads?"},
	{"copy --nonsense src dst", 1, "--nonsense: there is no such flag"},
	{"sync --track-renames src dst", 1, "--track-renames: files that were renamed are copied anew"},
	{"sync -w 3 src dst", 1, "-w: write -j N"},
	{"copy -rf src dst", 1, "DST is missing after dst; src became the value of -f in -rf"},
	{"copy --exclude src dst", 1, "src became the value of --exclude"},
	{"copy --exclude=src dst", 1, "DST is missing after dst"},
	{"copy src dst /MIR", 1, "/MIR is a flag of robocopy, and no path here: write psync sync --delete"},
	{"copy src dst /mt:32", 1, "/mt:32 is a flag of robocopy, and no path here: write -j N; if it is a path, write /mt:32/"},
	{"copy src dst /TEE", 1, "/TEE is a flag of robocopy, and no path here: write nothing"},
	{"copy src dst /XN", 1, "write --ignore-existing"},
	{"copy src dst /MAXAGE:30", 1, "write --max-age=TIME"},
	{"copy src dst/sub/ /mir/", 3, "dst/sub/: the source does not exist"},
	{"copy /E dst", 1, "/E is a flag of robocopy"},
	{"copy src dst /?", 1, "/? is a flag of robocopy"},
	{"copy missing /log", 3, "missing: the source does not exist"},
	{"sync missing /mir", 3, "missing: the source does not exist"},
	{"copy --max-age=soon src dst", 1, "\"soon\" is no time"},
	{"copy --max-age=1d --min-age=2d src dst", 1, "no file is left"},
	{"sync -Q src dst", 1, "-Q: there is no such flag"},
	{"sync -avQ src dst", 1, "-Q: there is no such flag"},
	{"sync -Q5 src dst", 1, "-Q in -Q5: there is no such flag; if it is a name, write ./-Q5, or"},
	{"sync -a -@1 src dst", 1, "write --modify-window=SECONDS"},
	{"copy src dst --config rclone.conf", 1, "remotes of rclone"},
	{"copy src dst --cutoff-mode soft", 1, "--max-transfer completes the files in hand"},
	{"copy --ownership src dst", 1, "write --owner --group"},
	{"copy --driver parblock src dst", 1, "leave it out"},
	{"sync --remove-sent-files src dst", 1, "write --remove-source-files"},
	{"compare --delete src dst", 2, "--delete is no flag of psync compare, but of "},
	{"delete --exclude=x src", 1, "--exclude is no flag of psync delete, but of "},
	{"copy --size-only src dst", 1, "--size-only is no flag of psync copy"},
	{"copy -sync src dst", 1, "--sync is no flag of psync copy"},
	{"sync --create src dst", 1, "--create is no flag of psync sync, but of psync without a verb"},
	{"compare --link-dest=x src dst", 2, "--link-dest is no flag of psync compare"},
	{"--copy src dst", 1, "--copy: a verb has no dashes: write psync copy"},
	{"--compare src dst", 1, "write psync compare"},
	{"sync -links src dst", 1, "-links would be the letters of other flags: write --links"},
	{"sync src dst -acls", 1, "write --acls"},
	{"copy src other \u2014delete", 1, "\u2014delete begins with a dash that no flag has: write --delete; if it is a path, write ./\u2014delete"},
	{"sync \u2013a src dst", 1, "write --a; if"},
	{"sync --source=src --dest=dst", 1, "--source: operands have no names"},
	{"sync --follow src dst", 1, "--follow: write --copy-links"},
	{"sync --remove src dst", 1, "--remove: psync sync --delete removes"},
	{"sync --hash src dst", 1, "--hash: -c compares contents"},
	{"copy -dash.txt dst", 1, "-dash.txt begins like a flag, and is a name here: write ./-dash.txt, or --"},
	{"delete -f file -dash.txt", 1, "write ./-dash.txt, or --"},
	{"copy -d.x dst", 1, "write ./-d.x, or -- before it"},
	{"sync --simulate src dst", 1, "--simulate: write -n, or --dry-run"},
	{"sync --newer-than 1d src dst", 1, "--newer-than: write --max-age=TIME"},
	{"sync --silent src dst", 1, "--silent: write --quiet"},
	{"delete --yes src", 1, "--yes: psync asks only before psync delete, and not with -f"},
	{"compare --contents src dst", 2, "--contents: -c compares contents"},
	{"-?", 1, "-?: psync --help"},
	{"man sync", 1, "psync help sync explains the verb"},
	{"sync --=x src dst", 1, "a flag has a name"},

	{"copy --threads", 1, "--threads: the value is missing: write --threads=N"},
	{"copy src dst --exclude", 1, "--exclude: the value is missing: write --exclude=PATTERN"},
	{"copy src dst -j", 1, "--threads: the value is missing"},
	{"copy -j many src dst", 1, "--threads=many: want a number, or auto"},
	{"copy -j 2000 src dst", 1, "the number of workers is 1 to 1024"},
	{"sync --delete=maybe src dst", 1, "--delete=maybe: "},
	{"sync --bwlimit=fast src dst", 1, "--bwlimit: \"fast\" is not a rate; write for instance"},
	{"sync --max-size=big src dst", 1, "--max-size: \"big\" is not a size"},
	{"sync --modify-window=x src dst", 1, "--modify-window: \"x\" is not a number of seconds"},
	{"sync --chown= src dst", 1, "--chown=: neither a user nor a group"},
	{"sync --chmod=rwx src dst", 1, "--chmod: \"rwx\" "},
	{"copy --reflink=maybe src dst", 1, "--reflink: \"maybe\" "},
	{"copy --cache=none src dst", 1, "--cache: \"none\" "},
	{"copy --on-unsupported=x src dst", 1, "--on-unsupported: \"x\" "},
	{"sync --delete --max-delete=x src dst", 1, "--max-delete: \"x\" "},
	{"sync --files-from=missing src dst", 1, "missing"},
	{"sync --exclude-from=missing src dst", 1, "missing"},
	{"sync -f ??x src dst", 1, "??x"},
	{"sync --exclude-regex=( src dst", 1, "("},
	{"sync --max-delete=3 src dst", 1, "--max-delete limits --delete, which is missing"},
	{"sync --ignore-errors src dst", 1, "--delete, which is missing"},
	{"sync --suffix=x src dst", 1, "--suffix is about --backup, which is missing"},
	{"sync --backup-dir= src dst", 1, "--backup-dir"},
	{"sync --temp-dir= src dst", 1, "--temp-dir"},
	{"sync --progress --no-progress src dst", 1, "exclude each other"},
	{"copy --reflink=always --preallocate src dst", 1, "exclude each other"},
	{"copy --reflink=always --sparse src dst", 1, "exclude each other"},
	{"sync --failures= src dst", 1, "the name of the file is missing"},
	{"sync --failures=- src dst", 1, "takes a file"},
	{"sync --failures=f src other dst", 1, "more than one"},
	{"sync -e ssh src dst", 1, "every operand is on this one"},
	{"sync --retry-for=soon src dst", 1, "--retry-for: \"soon\" is not a time; write for instance 90, 90s, 10m or 1h30m"},
	{"sync --retry-for=-1 src dst", 1, "--retry-for: \"-1\" "},
	{"delete -f --retry-for= path", 1, "--retry-for: \"\" "},
	{"sync --stop-after=soon src dst", 1, "--stop-after: \"soon\" "},

	{"sync --append -W src dst", 1, "--append and --whole-file exclude each other"},
	{"sync --append-verify -T t src dst", 1, "--append-verify and --temp-dir exclude each other"},
	{"sync --partial-dir= src dst", 1, "--partial-dir: the directory is missing"},
	{"sync --partial-dir=x/y src dst", 1, "--partial-dir x/y: write a name"},
	{"sync --partial-dir=x --append src dst", 1, "--partial-dir and --append exclude each other"},
	{"sync --partial-dir=x --inplace src dst", 1, "--partial-dir and --inplace exclude each other"},
	{"sync --iconv=utf8,latin1 src dst", 1, "--iconv: names are kept byte for byte"},
	{"sync --fake-super src dst", 1, "--fake-super: "},
	{"sync --timeout=-1 src dst", 1, "not a number of seconds"},
	{"sync --timeout=soon src dst", 1, "not a number of seconds"},
	{"sync --daemon src dst", 1, "--daemon: "},
	{"sync --write-batch=b src dst", 1, "--write-batch: "},
	{"sync --rsync-path=x src dst", 1, "--remote-psync=PATH"},
	{"sync --port=22 src dst", 1, "ssh://HOST:PORT/PATH"},
	{"sync -4 src dst", 1, "ssh -4"},
	{"sync --copy-as=me src dst", 1, "sudo -u USER"},
	{"sync --protocol=29 src dst", 1, "--protocol: "},

	{"sync --contimeout=-3 src dst", 1, "not a number of seconds"},
	{"sync --munge-links src dst", 1, "--munge-links: "},
	{"sync --copy-devices src dst", 1, "copied by dd"},
	{"sync -M--x src dst", 1, "-M"},
	{"sync -V", 1, "psync version"},
	{"sync --version", 1, "psync version"},
	{"sync --stop-at=never src dst", 1, "--stop-at: \"never\" "},
	{"sync --usermap=a src dst", 1, "--usermap: \"a\" "},
	{"sync --out-format=%Q src dst", 1, "%Q"},
	{"sync --delay-updates --inplace src dst", 1, "--inplace"},
	{"sync --no-nonsense src dst", 1, "--no-nonsense: there is no such flag"},
	{"sync -f", 1, "--filter: the value is missing: write --filter=RULE"},

	{"copy missing dst", 3, "missing: the source does not exist"},
	{"copy src/file/below dst", 3, "src/file/below: "},
	{"copy src src", 3, "src"},
	{"copy src src/dir", 3, "src/dir"},
	{"src missing", 3, "missing"},
	{"src src/file", 3, "src/file"},
	{"copy src other file", 3, "file"},
	{"copy src missing/deep/dst", 3, "missing/deep"},
	{"compare src missing", 2, "missing"},
}

func TestWrongCommandLines(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"src/dir", "other"} {
		if err := os.MkdirAll(name, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"src/file", "file", "-dash.txt"} {
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	raw := []string{"unknown flag", "unknown shorthand", "invalid argument", "arg(s)", "strconv", "lstat ", "unknown command", "flag needs"}
	for _, test := range wrongLines {
		var stdout, stderr bytes.Buffer
		code := Main(t.Context(), strings.Fields(test.line), Process{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr})
		text := stderr.String()
		first, rest, _ := strings.Cut(text, "\n")
		if code != test.code || !strings.HasPrefix(first, "psync: error: ") || !strings.Contains(first, test.want) || stdout.Len() > 0 {
			t.Errorf("psync %s: exit %d, want %d and an error with %q:\n%s%s", test.line, code, test.code, test.want, stdout.String(), text)
		}
		if rest != "" && (!strings.HasPrefix(rest, "psync: hint: ") || strings.Count(rest, "\n") != 1) {
			t.Errorf("psync %s: more than an error and a hint:\n%s", test.line, text)
		}
		for _, word := range raw {
			if strings.Contains(text, word) {
				t.Errorf("psync %s: raw text %q:\n%s", test.line, word, text)
			}
		}
		if entries, _ := filepath.Glob("dst*"); len(entries) > 0 {
			t.Fatalf("psync %s has made %q", test.line, entries)
		}
	}
}

func TestMistypedVerbsGetAHint(t *testing.T) {
	t.Chdir(t.TempDir())
	for line, want := range map[string]string{
		"snyc a b": "did you mean psync sync?", "cpoy a b": "did you mean psync copy?", "photos a b": "check the spelling",
		"rm a": "psync delete removes trees", "mv a b": "psync sync --remove-source-files", "diff a b": "psync compare SRC DST",
		"ls a": "psync copy --list-only", "du a": "psync adds up no sizes", "mirror a b": "psync sync --delete", "cpy a b": "check the spelling",
		"copy a/*.jpg b": "psync expands no patterns",
		"rm -rf a":       "psync delete removes trees", "config": "psync has no verb", "-dry-run a b": "-dry-run is a number of letters", "-archive a b": "-archive is a number of letters", "Sync a b": "did you mean psync sync?", "resume j": "the same command",
		"ditto a b": "psync copy SRC DST", "synchronize a b": "psync sync SRC DST", "scp a :b": "psync copy SRC DST",
		"sync -recursive a b": "-recursive is a number of letters, each of them a flag; did you mean --recursive?",
		"-thread 8 a b":       "-thread is a number of letters", "sync a smb://nas/b": "another host is HOST:PATH", "sync a ::1:b": "an IPv6 address",
		"copy photos b": "check the spelling", "sync --cheksum": "psync sync --help", "-Q": "psync --help",
	} {
		var stderr bytes.Buffer
		Main(t.Context(), strings.Fields(line), Process{Stdin: strings.NewReader(""), Stdout: new(bytes.Buffer), Stderr: &stderr})
		if got := stderr.String(); !strings.Contains(got, "psync: hint: "+want) {
			t.Errorf("psync %s: want the hint %q:\n%s", line, want, got)
		}
	}
}

package flags

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"psync/internal/cli/foreign"
)

// The flags that rsync 3.5.0 lists.
const rsyncNames = `
 verbose info debug stderr quiet no-motd checksum archive recursive inc-recursive i-r no-inc-recursive no-i-r
relative no-implied-dirs backup backup-dir suffix update inplace append append-verify dirs old-dirs old-d
mkpath links copy-links copy-unsafe-links safe-links insecure-links confine-root munge-links copy-dirlinks
keep-dirlinks hard-links perms executability chmod acls xattrs owner group devices copy-devices write-devices
specials drop-D times atimes open-noatime crtimes omit-dir-times omit-link-times super fake-super sparse
preallocate dry-run whole-file no-whole-file no-W checksum-choice one-file-system block-size rsh rsync-path
existing ignore-non-existing ignore-existing remove-source-files del delete delete-before delete-during
delete-delay delete-after delete-excluded ignore-missing-args delete-missing-args ignore-errors force
max-delete max-size min-size max-alloc partial partial-dir delay-updates prune-empty-dirs numeric-ids usermap
groupmap chown timeout contimeout ignore-times size-only modify-window temp-dir fuzzy compare-dest copy-dest
link-dest compress compress-choice compress-level compress-threads skip-compress cvs-exclude filter exclude
exclude-from include include-from files-from from0 old-args secluded-args trust-sender copy-as address port
sockopts blocking-io outbuf stats 8-bit-output human-readable progress itemize-changes remote-option
out-format log-file log-file-format password-file early-input list-only bwlimit stop-after stop-at fsync
write-batch only-write-batch read-batch protocol iconv checksum-seed ipv4 ipv6 version
`

const rsyncLetters = "vqcarRbudlLkKHpEAXogDtUNOJSnWxBemITyzCfF0s8hPiM46V"

// TestEveryFlagOfRsyncIsKnown checks that none is called unknown: each is a flag of psync sync, is ignored or refused.
func TestEveryFlagOfRsyncIsKnown(t *testing.T) {
	c := new(cobra.Command)
	Define(c, Sync)
	names := strings.Fields(rsyncNames)
	if help, err := exec.Command("rsync", "--help").Output(); err == nil { // that of another version has others
		for _, m := range regexp.MustCompile(`(?m)^ *(?:-\w, *)?--([A-Za-z0-9-]+)`).FindAllStringSubmatch(string(help), -1) {
			if m[1] != "help" && m[1] != "no-OPTION" {
				names = append(names, m[1])
			}
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if _, known := foreign.Named(name); !known && c.Flags().Lookup(name) == nil {
			t.Errorf("--%s is not known", name)
		}
	}
	for _, letter := range strings.Split(rsyncLetters, "") {
		if _, known := foreign.Named(letter); !known && c.Flags().ShorthandLookup(letter) == nil {
			t.Errorf("-%s is not known", letter)
		}
	}
}

func TestFlagsThatPsyncHasAreNotForeign(t *testing.T) {
	c := new(cobra.Command)
	Define(c, Sync)
	known := make(map[string]bool)
	flags := append(foreign.Ignored(), foreign.Refused()...)
	if len(flags) != 123 {
		t.Errorf("%d rows", len(flags))
	}
	for _, f := range flags {
		for _, name := range f.Names {
			if known[name] {
				t.Errorf("%s is there twice", name)
			}
			known[name] = true
			if len(name) == 1 && c.Flags().ShorthandLookup(name) != nil || len(name) > 1 && c.Flags().Lookup(name) != nil {
				t.Errorf("%s is a flag of psync", name)
			}
		}
		if f.Why == "" {
			t.Errorf("%s: want a reason or a remedy", f.Names)
		}
	}
}

func TestIgnoredFlags(t *testing.T) {
	c := new(cobra.Command)
	o := Define(c, Copy)
	o.DefineIgnored(c.Flags())
	if err := c.Flags().Parse([]string{"-avs", "--partial", "--info=name,progress2", "--zl=9", "--checkers", "8", "a"}); err != nil {
		t.Fatal(err)
	}
	if got := c.Flags().Args(); !slices.Equal(got, []string{"a"}) || !o.Shown.Progress {
		t.Errorf("operands %q, progress %v", got, o.Shown.Progress)
	}
	for i, want := range []string{"--secluded-args", "--partial", "--zl", "--checkers"} {
		if got := o.Ignored(); i >= len(got) || !strings.HasPrefix(got[i], want+" has no effect: ") {
			t.Errorf("%q, want %s as number %d", got, want, i)
		}
	}
}

// TestManualListsFlagsThatWork compares the list of flags in psync-rsync(7), which stands before its tables, with those of
// psync sync; UPDATE=1 in the environment writes it.
func TestManualListsFlagsThatWork(t *testing.T) {
	c := new(cobra.Command)
	Define(c, Sync)
	var works []string
	for name := range strings.FieldsSeq(rsyncNames) {
		if c.Flags().Lookup(name) != nil {
			works = append(works, "`--"+name+"`")
		}
	}
	for letter := range strings.SplitSeq(rsyncLetters, "") {
		if c.Flags().ShorthandLookup(letter) != nil {
			works = append(works, "`-"+letter+"`")
		}
	}
	const page, next = "../manual/psync-rsync.md", "\n## Flags without effect\n"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, tables, _ := strings.Cut(string(text), next)
	want := "# psync-rsync - what psync does with the flags of rsync\n\n## Flags that work\n\n" +
		"These do what they do in rsync, after `psync copy` and `psync sync`; psync(1) says more:\n" +
		strings.Join(works, ",\n") + ".\n" + next + tables
	if os.Getenv("UPDATE") == "1" {
		if err := os.WriteFile(page, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if string(text) != want {
		t.Errorf("%s lists other flags; UPDATE=1 writes it", page)
	}
}

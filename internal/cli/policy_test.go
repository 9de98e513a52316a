package cli

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"psync/internal/engine"
	"psync/internal/plan"
)

// parse returns the flags of a verb as they are after some arguments.
func parse(v verb, args ...string) (*copyFlags, error) {
	c, f := new(cobra.Command), &copyFlags{verb: v}
	f.add(c)
	err := c.ParseFlags(args)
	if err == nil {
		err = f.check(c.Flags())
	}
	return f, err
}

func TestPolicyOfFlags(t *testing.T) {
	type policy = plan.Policy
	tests := []struct {
		verb verb
		args string
		want plan.Policy
	}{
		{bareVerb, "", policy{}},
		{copyVerb, "", policy{}},
		{syncVerb, "", policy{Sync: true}},
		{bareVerb, "--sync", policy{Sync: true}},
		{bareVerb, "--sync --checksum", policy{Sync: true, Checksum: true}},
		{syncVerb, "-I", policy{Sync: true, IgnoreTimes: true}},
		{syncVerb, "--size-only", policy{Sync: true, SizeOnly: true}},
		{syncVerb, "-c", policy{Sync: true, Checksum: true}},
		{syncVerb, "-u", policy{Sync: true, Update: true}},
		{copyVerb, "-u", policy{Update: true}},
		{syncVerb, "--existing", policy{Sync: true, Existing: true}},
		{syncVerb, "--ignore-non-existing", policy{Sync: true, Existing: true}},
		{copyVerb, "--ignore-existing", policy{IgnoreExisting: true}},
		{copyVerb, "--min-size 1K --max-size 2M", policy{MinSize: 1 << 10, MaxSize: 2 << 20, LimitSize: true}},
		{copyVerb, "--max-size 0", policy{LimitSize: true}},
		{copyVerb, "-D", policy{Devices: true, Specials: true}},
		{copyVerb, "--devices", policy{Devices: true}},
		{copyVerb, "--specials", policy{Specials: true}},
		{syncVerb, "-a --no-devices", policy{Sync: true, Specials: true}},
		{syncVerb, "-a --no-D", policy{Sync: true}},
		{syncVerb, "--no-D -a", policy{Sync: true, Devices: true, Specials: true}},
		{syncVerb, "--modify-window 1.5", policy{Sync: true, Window: 1500 * time.Millisecond}},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%d %s", tt.verb, tt.args), func(t *testing.T) {
			f, err := parse(tt.verb, strings.Fields(tt.args)...)
			if err != nil {
				t.Fatal(err)
			}
			if got := f.policy(); got != tt.want {
				t.Errorf("policy %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestDeleteOfFlags(t *testing.T) {
	type del = engine.Delete
	tests := []struct {
		args string
		want engine.Delete
	}{
		{"", del{}},
		{"--delete", del{On: true}},
		{"--del", del{On: true}},
		{"--delete-before", del{On: true}},
		{"--delete-during", del{On: true}},
		{"--delete-delay", del{On: true}},
		{"--delete-after", del{On: true}},
		{"--delete-excluded", del{On: true}},
		{"--delete --ignore-errors", del{On: true, IgnoreErrors: true}},
		{"--delete --force-empty-source", del{On: true, EmptySource: true}},
	}
	for _, tt := range tests {
		for _, v := range []verb{bareVerb, copyVerb, syncVerb} {
			t.Run(fmt.Sprintf("%d %s", v, tt.args), func(t *testing.T) {
				f, err := parse(v, strings.Fields(tt.args)...)
				if err != nil {
					t.Fatal(err)
				}
				if got := f.deleteFlags.options(); got != tt.want {
					t.Errorf("delete %+v, want %+v", got, tt.want)
				}
			})
		}
	}
	f, err := parse(syncVerb, "--delete", "--max-delete=5%")
	if err != nil || f.max.Limit == nil || *f.deleteFlags.options().Max != (engine.Limit{N: 5, Percent: true}) {
		t.Errorf("limit %+v, %v; want 5%%", f.max, err)
	}
}

func TestLinksOfFlags(t *testing.T) {
	tests := []struct {
		args string
		want plan.Links
	}{
		{"", plan.Links{}},
		{"-l", plan.Links{}},
		{"-L", plan.Links{Copy: true}},
		{"-k", plan.Links{CopyDirlinks: true}},
		{"-K", plan.Links{KeepDirlinks: true}},
		{"--safe-links", plan.Links{Safe: true}},
		{"--copy-unsafe-links", plan.Links{CopyUnsafe: true}},
		{"-LkK --safe-links --copy-unsafe-links", plan.Links{Copy: true, CopyDirlinks: true, KeepDirlinks: true, Safe: true, CopyUnsafe: true}},
	}
	for _, tt := range tests {
		f, err := parse(syncVerb, strings.Fields(tt.args)...)
		if err != nil || f.linkFlags.options() != tt.want {
			t.Errorf("%q: links %+v, %v; want %+v", tt.args, f.linkFlags.options(), err, tt.want)
		}
	}
}

// TestFlagsThatDoNotGoTogether says which are refused, and what is said.
func TestFlagsThatDoNotGoTogether(t *testing.T) {
	tests := []struct {
		verb verb
		args string
		err  string
	}{
		{syncVerb, "-c --size-only", "--checksum and --size-only exclude each other"},
		{syncVerb, "-c -I", "--checksum and --ignore-times exclude each other"},
		{syncVerb, "-I --size-only", "--size-only and --ignore-times exclude each other"},
		{bareVerb, "-c", "--checksum says what differs"},
		{bareVerb, "-I", "--ignore-times says what differs"},
		{bareVerb, "--size-only", "--size-only says what differs"},
		{bareVerb, "--modify-window 1", "--modify-window says what differs"},
		{copyVerb, "-c", "unknown shorthand"},
		{copyVerb, "--size-only", "unknown flag"},
		{syncVerb, "--sync", "unknown flag"},
		{syncVerb, "--max-delete 1", "--max-delete limits --delete"},
		{syncVerb, "--ignore-errors", "--ignore-errors is about --delete"},
		{syncVerb, "--force-empty-source", "--force-empty-source is about --delete"},
		{syncVerb, "--delete --max-delete 101%", "neither a number"},
		{syncVerb, "--suffix .old", "--suffix is about --backup"},
		{syncVerb, "-b --suffix a/b", "no slash"},
		{syncVerb, "--link-dest a --copy-dest b", "exclude each other"},
		{syncVerb, "--link-dest a --compare-dest b", "exclude each other"},
		{syncVerb, "--copy-dest a --compare-dest b", "exclude each other"},
		{syncVerb, "--inplace -T tmp", "--inplace and --temp-dir exclude each other"},
		{syncVerb, "--inplace --link-dest a", "--inplace would write"},
		{syncVerb, "--inplace -u", "--inplace and --update exclude each other"},
		{syncVerb, "--dataless=never", "neither skip nor fetch"},
		{syncVerb, "--max-size many", "is no size"},
		{syncVerb, "--modify-window -1", "no number of seconds"},
		{syncVerb, "--files-from=", "name of the file is missing"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%d %s", tt.verb, tt.args), func(t *testing.T) {
			if _, err := parse(tt.verb, strings.Fields(tt.args)...); err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("error %v, want one about %q", err, tt.err)
			}
		})
	}
}

func TestFlagsThatGoTogether(t *testing.T) {
	for _, args := range []string{
		"--link-dest a --link-dest b",
		"--inplace --copy-dest a",
		"--inplace -b --suffix .old",
		"--backup-dir bak --suffix .old",
		"-T tmp --link-dest a -b",
		"-c -u --delete --max-delete 0",
		"--existing --ignore-existing",
		"--delete-excluded --max-delete 10%",
		"--del --ignore-errors --force-empty-source",
		"--inplace -S",
		"-H --remove-source-files",
		"--size-only -a",
	} {
		if _, err := parse(syncVerb, strings.Fields(args)...); err != nil {
			t.Errorf("%s: %v", args, err)
		}
	}
}

func TestSuffixByDefault(t *testing.T) {
	tests := []struct {
		args       string
		on         bool
		wantSuffix string
	}{
		{"-b", true, "~"},
		{"-b --suffix .old", true, ".old"},
		{"--backup-dir bak", true, ""},
		{"--backup-dir bak --suffix .old", true, ".old"},
	}
	for _, tt := range tests {
		f, err := parse(copyVerb, strings.Fields(tt.args)...)
		if err != nil || f.Backup != tt.on || f.Suffix != tt.wantSuffix {
			t.Errorf("%s: backup %v, suffix %q, %v; want %v, %q", tt.args, f.Backup, f.Suffix, err, tt.on, tt.wantSuffix)
		}
	}
}

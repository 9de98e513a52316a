package flags

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"psync/internal/metadata"
	"psync/internal/plan"
)

// parse returns the options of a verb after parsing args.
func parse(v Verbs, args ...string) (*Options, error) { return parseOn(metadata.Native(), v, args...) }

func TestPolicyOfFlags(t *testing.T) {
	type policy = plan.Policy
	tests := []struct {
		verb Verbs
		args string
		want plan.Policy
	}{
		{Bare, "", policy{}},
		{Copy, "", policy{}},
		{Sync, "", policy{Sync: true}},
		{Bare, "--sync", policy{Sync: true}},
		{Bare, "--sync --checksum", policy{Sync: true, Checksum: true}},
		{Sync, "-I", policy{Sync: true, IgnoreTimes: true}},
		{Sync, "--size-only", policy{Sync: true, SizeOnly: true}},
		{Sync, "-c", policy{Sync: true, Checksum: true}},
		{Sync, "-u", policy{Sync: true, Update: true}},
		{Copy, "-u", policy{Update: true}},
		{Sync, "--existing", policy{Sync: true, Existing: true}},
		{Sync, "--ignore-non-existing", policy{Sync: true, Existing: true}},
		{Copy, "--ignore-existing", policy{IgnoreExisting: true}},
		{Copy, "--min-size 1K --max-size 2M", policy{MinSize: 1 << 10, MaxSize: 2 << 20, LimitSize: true}},
		{Copy, "--max-size 0", policy{LimitSize: true}},
		{Copy, "-D", policy{Devices: true, Specials: true}},
		{Copy, "--devices", policy{Devices: true}},
		{Copy, "--specials", policy{Specials: true}},
		{Sync, "-a --no-devices", policy{Sync: true, Specials: true}},
		{Sync, "-a --no-D", policy{Sync: true}},
		{Sync, "--no-D -a", policy{Sync: true, Devices: true, Specials: true}},
		{Sync, "--modify-window -1", policy{Sync: true, Window: -time.Second}},
		{Sync, "--modify-window=-1", policy{Sync: true, Window: -time.Second}},
		{Sync, "--modify-window 1.5", policy{Sync: true, Window: 1500 * time.Millisecond}},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%d %s", tt.verb, tt.args), func(t *testing.T) {
			f, err := parse(tt.verb, strings.Fields(tt.args)...)
			if err != nil {
				t.Fatal(err)
			}
			if got := f.Engine.Policy; got != tt.want {
				t.Errorf("policy %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestDeleteOfFlags(t *testing.T) {
	type del = plan.Delete
	tests := []struct {
		args string
		want plan.Delete
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
		for _, v := range []Verbs{Bare, Copy, Sync} {
			t.Run(fmt.Sprintf("%d %s", v, tt.args), func(t *testing.T) {
				f, err := parse(v, strings.Fields(tt.args)...)
				if err != nil {
					t.Fatal(err)
				}
				if got := f.Engine.Delete; got != tt.want {
					t.Errorf("delete %+v, want %+v", got, tt.want)
				}
			})
		}
	}
	f, err := parse(Sync, "--delete", "--max-delete=5%")
	if err != nil || f.Engine.Delete.Max == nil || *f.Engine.Delete.Max != (plan.Limit{N: 5, Percent: true}) {
		t.Errorf("limit %+v, %v; want 5%%", f.Engine.Delete.Max, err)
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
		f, err := parse(Sync, strings.Fields(tt.args)...)
		if err != nil || f.Engine.Links != tt.want {
			t.Errorf("%q: links %+v, %v; want %+v", tt.args, f.Engine.Links, err, tt.want)
		}
	}
}

// TestFlagsThatDoNotGoTogether lists the refused combinations of flags and their messages.
func TestFlagsThatDoNotGoTogether(t *testing.T) {
	tests := []struct {
		verb Verbs
		args string
		err  string
	}{
		{Sync, "-c --size-only", "--checksum and --size-only exclude each other"},
		{Sync, "-c -I", "--checksum and --ignore-times exclude each other"},
		{Sync, "-I --size-only", "--size-only and --ignore-times exclude each other"},
		{Bare, "-c", "--checksum says what differs"},
		{Bare, "-I", "--ignore-times says what differs"},
		{Bare, "--size-only", "--size-only says what differs"},
		{Bare, "--modify-window 1", "--modify-window says what differs"},
		{Copy, "-c", "unknown shorthand"},
		{Copy, "--size-only", "unknown flag"},
		{Sync, "--sync", "unknown flag"},
		{Sync, "--max-delete 1", "--max-delete limits --delete"},
		{Sync, "--ignore-errors", "--ignore-errors is about --delete"},
		{Sync, "--force-empty-source", "--force-empty-source is about --delete"},
		{Sync, "--delete --max-delete 101%", "neither a number"},
		{Sync, "--suffix .old", "--suffix is about --backup"},
		{Sync, "-b --suffix a/b", "no slash"},
		{Sync, "--link-dest a --copy-dest b", "exclude each other"},
		{Sync, "--link-dest a --compare-dest b", "exclude each other"},
		{Sync, "--copy-dest a --compare-dest b", "exclude each other"},
		{Sync, "--inplace -T tmp", "--inplace and --temp-dir exclude each other"},
		{Sync, "--inplace --link-dest a", "--inplace would write"},
		{Sync, "--inplace -u", "--inplace and --update exclude each other"},
		{Sync, "--dataless=never", "neither skip nor fetch"},
		{Sync, "--max-size many", "is not a size"},
		{Sync, "--modify-window -x", "not a number of seconds"},
		{Sync, "--files-from=", "name of the file is missing"},
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
		if _, err := parse(Sync, strings.Fields(args)...); err != nil {
			t.Errorf("%s: %v", args, err)
		}
	}
}

package rsyncflags_test

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"psync/internal/cli/flags"
	"psync/internal/cli/rsyncflags"
)

func parse(args ...string) (rsyncflags.Line, error) {
	c := new(cobra.Command)
	o := flags.Define(c, flags.Sync)
	o.DefineIgnored(c.Flags())
	return rsyncflags.Parse(args, c.Flags())
}

const nothing = " --no-perms --no-times --no-owner --no-group --no-devices --no-specials"

func TestFlags(t *testing.T) {
	tests := []struct{ args, flags, operands string }{
		{"", nothing, ""},
		{"s d", nothing, "s d"},
		{"-a s d", "", "s d"},
		{"-ad s d", "", "s d"},
		{"-r s d", nothing + " --recursive", "s d"},
		{"s -rt d -p", " --no-owner --no-group --no-devices --no-specials --recursive", "s d"},
		{"-rlptgoD s d", " --recursive", "s d"},
		{"-a --no-o --no-group s d", " --no-owner --no-group", "s d"},
		{"--no-o -a s d", "", "s d"}, // the last one counts
		{"-a --no-D s d", " --no-devices --no-specials", "s d"},
		{"-a --no-D --specials s d", " --no-devices", "s d"},
		{"-a --no-r s d", "", "s d"},
		{"-dt s d", " --no-perms --no-owner --no-group --no-devices --no-specials --dirs", "s d"},
		{"-d --no-d s d", nothing, "s d"},
		{"-a -- -s d", "", "-s d"},
		{"-a - d", "", "- d"},

		{"-a --del --max-delete=5 s d", " --delete --force-empty-source --max-delete=5", "s d"},
		{"-a --max-delete=5 --ignore-errors s d", "", "s d"}, // without --delete, which psync refuses
		{"-a --delete-after --max-delete -1 s d", " --delete --force-empty-source --max-delete=0", "s d"},
		{"-a --delete-excluded s d", " --delete --force-empty-source --delete-excluded", "s d"},
		{"-a --delete --no-delete s d", "", "s d"},

		{"-acI s d", " --checksum", "s d"},
		{"-a --size-only -I s d", " --size-only", "s d"},
		{"-acI --no-c s d", " --ignore-times", "s d"},

		{"-an s d", " --dry-run", "s d"},
		{"-ae ssh s h:d", " --rsh=ssh", "s h:d"},
		{"-a -essh s h:d", " --rsh=ssh", "s h:d"},
		{"-a -e=ssh s h:d", " --rsh=ssh", "s h:d"},
		{"-a --rsh ssh s h:d", " --rsh=ssh", "s h:d"},
		{"-a --rsync-path=/opt/psync s h:d", " --remote-psync=/opt/psync", "s h:d"},
		{"-aP s d", " --progress", "s d"},
		{"-aP --no-progress s d", " --progress --progress=false", "s d"},
		{"-a -@1 s d", " --modify-window=1", "s d"},
		{"-a --no-bwlimit s d", " --bwlimit=0", "s d"},
		{"-aH --no-H s d", " --hard-links --no-hard-links", "s d"},
		{"-az --no-z s d", " --compress --no-compress", "s d"},
		{"-az --compress-level=0 s d", " --compress --no-compress", "s d"},
		{"-ab --no-b s d", " --backup --backup=false", "s d"},
		{"-aR --no-implied-dirs s d", " --relative --no-implied-dirs", "s d"},
		{"-aFF s d", " --rsync-filter --rsync-filter", "s d"},
		{"-a --exclude=x -f -_y --include z s d", " --exclude=x --filter=-_y --include=z", "s d"},
		{"-a --files-from=l s d", " --files-from=l", "s d"},
		{"-ar --files-from=l s d", " --recursive --files-from=l", "s d"},
		{"-aB 700 -s s d", " --block-size=700 --secluded-args", "s d"},
		{"-a --unknown s d", " --unknown", "s d"},
		{"-aê s d", " -ê", "s d"},
		{"-a --links=x s d", " --links=x", "s d"},
		{"-a s d -e", " --rsh", "s d"},
	}
	for _, tt := range tests {
		line, err := parse(strings.Fields(tt.args)...)
		want := "--strict-rsync-a --archive" + tt.flags
		if got := strings.Join(line.Flags, " "); err != nil || got != want || strings.Join(line.Operands, " ") != tt.operands {
			t.Errorf("%s:\n got %s of %q, %v\nwant %s of %q", tt.args, got, line.Operands, err, want, tt.operands)
		}
	}
}

func TestWhatIsCopied(t *testing.T) {
	tests := []struct {
		args                             string
		recursive, dirs, oneLevel, links bool
		listOnly                         bool
	}{
		{"s d", false, false, false, false, false},
		{"-a s d", true, true, false, true, false},
		{"-r s d", true, true, false, false, false},
		{"-rl s d", true, true, false, true, false},
		{"-a --no-l s d", true, true, false, false, false},
		{"-a --no-r s d", false, false, false, true, false},
		{"-a --no-r -d s d", false, true, true, true, false},
		{"-d s d", false, true, true, false, false},
		{"-a --files-from=l s d", false, true, false, true, false},
		{"-r --files-from=l s d", true, true, false, false, false},
		{"s", false, true, true, false, true},
		{"-r s", true, true, false, false, true},
		{"--list-only s d", false, true, true, false, true},
	}
	for _, tt := range tests {
		l, err := parse(strings.Fields(tt.args)...)
		if err != nil || l.Recursive != tt.recursive || l.Dirs != tt.dirs || l.OneLevel != tt.oneLevel || l.Links != tt.links || l.ListOnly != tt.listOnly {
			t.Errorf("%s: %+v, %v", tt.args, l, err)
		}
	}
}

func TestWhatIsShown(t *testing.T) {
	tests := []struct {
		args string
		want rsyncflags.Line
	}{
		{"-vvq s d", rsyncflags.Line{Verbose: 2, Quiet: true}},
		{"-vv --no-v s d", rsyncflags.Line{}},
		{"-P s d", rsyncflags.Line{Names: true}},
		{"-in s d", rsyncflags.Line{Itemize: true, DryRun: true}},
		{"-i --no-i s d", rsyncflags.Line{}},
		{"--out-format=%n s d", rsyncflags.Line{OutFormat: "%n", HasOutFormat: true}},
		{"--log-format %n s d", rsyncflags.Line{OutFormat: "%n", HasOutFormat: true}},
		{"--info=stats2,name0 s d", rsyncflags.Line{Stats: true}},
		{"--info=name s d", rsyncflags.Line{Names: true}},
		{"--stats s d", rsyncflags.Line{Stats: true}},
		{"-h", rsyncflags.Line{Help: true}},
		{"-h s d", rsyncflags.Line{}},
		{"-V", rsyncflags.Line{Version: true}},
	}
	for _, tt := range tests {
		l, err := parse(strings.Fields(tt.args)...)
		got := rsyncflags.Line{
			Help: l.Help, Version: l.Version, Verbose: l.Verbose, Quiet: l.Quiet, Names: l.Names, Itemize: l.Itemize,
			OutFormat: l.OutFormat, HasOutFormat: l.HasOutFormat, Stats: l.Stats, DryRun: l.DryRun,
		}
		if err != nil || got.OutFormat != tt.want.OutFormat || got.Verbose != tt.want.Verbose ||
			[8]bool{got.Help, got.Version, got.Quiet, got.Names, got.Itemize, got.HasOutFormat, got.Stats, got.DryRun} !=
				[8]bool{tt.want.Help, tt.want.Version, tt.want.Quiet, tt.want.Names, tt.want.Itemize, tt.want.HasOutFormat, tt.want.Stats, tt.want.DryRun} {
			t.Errorf("%s: %+v, %v, want %+v", tt.args, got, err, tt.want)
		}
	}
}

func TestInfoIsKnown(t *testing.T) {
	for value, refused := range map[string]bool{
		"name": false, "NAME2,stats0,,progress2": false, "": false, "help": false, "del,foo": true, "2": true, "na me": true,
	} {
		if _, err := parse("--info="+value, "s", "d"); (err != nil) != refused {
			t.Errorf("%s: %v", value, err)
		}
	}
}

func TestDeleteNeedsDirectories(t *testing.T) {
	for args, refused := range map[string]bool{
		"--delete s d": true, "-r --delete s d": false, "-d --delete s d": false, "--files-from=l --delete s d": false,
	} {
		if _, err := parse(strings.Fields(args)...); (err != nil) != refused {
			t.Errorf("%s: %v", args, err)
		}
	}
}

package rsyncflags_test

import (
	"fmt"
	"slices"
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

		{"-a --delay-updates s d", " --partial-dir=.~tmp~ --delay-updates", "s d"},
		{"-a --delay-updates --partial-dir .part s d", " --partial-dir=.part --delay-updates", "s d"},
		{"-a --delay-updates --no-delay-updates s d", " --delay-updates --delay-updates=false", "s d"},

		{"-an s d", " --dry-run", "s d"},
		{"-ae ssh s h:d", " --rsh=ssh", "s h:d"},
		{"-a -essh s h:d", " --rsh=ssh", "s h:d"},
		{"-a -e=ssh s h:d", " --rsh=ssh", "s h:d"},
		{"-a --rsh ssh s h:d", " --rsh=ssh", "s h:d"},
		{"-a --rsync-path=/opt/psync s h:d", " --remote-psync=/opt/psync", "s h:d"},
		{"-aP s d", " --progress", "s d"},
		{"-aP --no-progress s d", "", "s d"},
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

func TestOperandsOnAnotherHost(t *testing.T) {
	tests := []struct {
		args []string
		want string
	}{
		{[]string{"h:a", ":b", "h:c", "d"}, "h:a|h:b|h:c|d"},
		{[]string{"u@h:a", ":", ":b c", ":d"}, "u@h:a|u@h:|u@h:b c|:d"},
		{[]string{"[::1]:a", ":b", "d"}, "[::1]:a|[::1]:b|d"},
		{[]string{"a", ":b", "d"}, "a|:b|d"},
		{[]string{":a", ":b", "d"}, ":a|:b|d"},
		{[]string{"ssh://h/a", ":b", "d"}, "ssh://h/a|:b|d"},
		{[]string{"h::a", "::b", "d"}, "h::a|::b|d"},
		{[]string{"h:a b"}, "h:a b"},
		{[]string{"--old-args", "h:a 'b c'", ":d e", "f g", "h:i j"}, "h:a|h:b c|h:d|h:e|f g|h:i j"},
		{[]string{"--old-args", "h:", "d"}, "h:|d"},
		{[]string{"--old-args", "h:a b"}, "h:a|h:b"},
		{[]string{"--old-args", "--no-old-args", "h:a b", "d"}, "h:a b|d"},
		{[]string{"--old-args", "-s", "h:a b", "d"}, "h:a b|d"},
	}
	for _, tt := range tests {
		if line, err := parse(tt.args...); err != nil || strings.Join(line.Operands, "|") != tt.want {
			t.Errorf("%q: %q, %v", tt.args, line.Operands, err)
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
		args    string
		format  string
		current bool
		info    string // the levels that are not 0
	}{
		{"-v s d", "%n%L", false, "COPY1 DEL1 FLIST1 MISC1 NAME1 NONREG1 STATS1 SYMSAFE1"},
		{"-vv s d", "%n%L", true, "BACKUP1 COPY1 DEL1 FLIST1 MISC2 MOUNT1 NAME2 NONREG1 REMOVE1 SKIP1 STATS1 SYMSAFE1"},
		{"-vvq s d", "", false, ""},
		{"-vv --no-v s d", "", false, "NONREG1"},
		{"-P s d", "%n%L", false, "FLIST2 NAME1 NONREG1 PROGRESS1"},
		{"-Pi s d", "%i %n%L", false, "FLIST2 NONREG1 PROGRESS1"},
		{"-in s d", "%i %n%L", false, "NONREG1"},
		{"-ii s d", "%i %n%L", true, "NONREG1"},
		{"-ii --no-i s d", "", false, "NONREG1"},
		{"-i --info=name2 s d", "%i %n%L", true, "NAME2 NONREG1"},
		{"--out-format=%n s d", "%n", false, "NONREG1"},
		{"--log-format %n s d", "%n", false, "NONREG1"},
		{"-v --out-format= --info=none,del s d", "", false, "DEL1"},
		{"--info=stats2,NAME0 s d", "", false, "NONREG1 STATS2"},
		{"--info=name s d", "%n%L", false, "NAME1 NONREG1"},
		{"--stats --info=nonreg0 s d", "", false, "STATS2"},
		{"-v --info=stats0 --stats s d", "%n%L", false, "COPY1 DEL1 FLIST1 MISC1 NAME1 NONREG1 SYMSAFE1"},
	}
	for _, tt := range tests {
		l, err := parse(strings.Fields(tt.args)...)
		var levels []string
		for kind, level := range l.Shown.Info {
			if level > 0 {
				levels = append(levels, fmt.Sprint(kind, level))
			}
		}
		slices.Sort(levels)
		if got := strings.Join(levels, " "); err != nil || l.Shown.Format != tt.format || l.Shown.Current != tt.current || got != tt.info {
			t.Errorf("%s: %q, %v, %s, %v", tt.args, l.Shown.Format, l.Shown.Current, got, err)
		}
	}
}

func TestPrintBegin(t *testing.T) {
	for args, want := range map[string][2]string{
		"-a s d":                  {"", ""},
		"-av s d":                 {"sending incremental file list\n", "receiving incremental file list\n"},
		"-av -m s d":              {"building file list ... done\n", "receiving file list ... done\n"},
		"-av --delete-before s d": {"building file list ... done\n", "receiving file list ... done\n"},
	} {
		line, err := parse(strings.Fields(args)...)
		for i, receives := range []bool{false, true} {
			var b strings.Builder
			line.PrintBegin(&b, receives)
			if err != nil || b.String() != want[i] {
				t.Errorf("%s, receives %t: %q, %v", args, receives, b.String(), err)
			}
		}
	}
}

func TestHelpIsAskedFor(t *testing.T) {
	for args, want := range map[string]string{
		"-h": "Usage: psync rsync", "-h s d": "", "--help": "Usage", "-v --info=name,help": "Use OPT", "--debug=HELP s d": "Use OPT",
	} {
		if l, err := parse(strings.Fields(args)...); err != nil || !strings.HasPrefix(l.Help, want) || (l.Help == "") != (want == "") {
			t.Errorf("%s: %q, %v", args, l.Help, err)
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

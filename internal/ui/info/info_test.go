package info_test

import (
	"maps"
	"os/exec"
	"testing"

	"psync/internal/ui/info"
)

// TestHelp compares the help with that of rsync.
func TestHelp(t *testing.T) {
	if out, _ := exec.Command("rsync", "--version").Output(); len(out) < 20 || string(out[:20]) != "rsync  version 3.5.0" {
		t.Skip("no rsync 3.5.0 here")
	}
	for name, flag := range map[string]*info.Flag{"info": info.Info(), "debug": info.Debug()} {
		want, err := exec.Command("rsync", "--"+name+"=help").Output()
		if got := flag.Help(); err != nil || got != string(want) {
			t.Errorf("--%s=help: got\n%swant\n%s%v", name, got, want, err)
		}
	}
}

func TestLevels(t *testing.T) {
	tests := []struct {
		verbose int
		value   string
		want    info.Levels
	}{
		{0, "", info.Levels{"NONREG": 1}},
		{0, "nonreg0,Name2,,SKIP", info.Levels{"NONREG": 0, "NAME": 2, "SKIP": 1}},
		{0, "stats99999999999999999999", info.Levels{"NONREG": 1, "STATS": 4}},
		{1, "", info.Levels{"NONREG": 1, "COPY": 1, "DEL": 1, "FLIST": 1, "MISC": 1, "NAME": 1, "STATS": 1, "SYMSAFE": 1}},
		{9, "none,flist", info.Levels{"FLIST": 1}},
	}
	for _, tt := range tests {
		got := info.Info().Verbose(tt.verbose)
		err := info.Info().Set(got, tt.value)
		maps.DeleteFunc(got, func(k info.Kind, n int) bool { return n == 0 && tt.want[k] == 0 })
		maps.DeleteFunc(tt.want, func(_ info.Kind, n int) bool { return n == 0 })
		if err != nil || !maps.Equal(got, tt.want) {
			t.Errorf("-v %d times, --info=%s: got %v, %v, want %v", tt.verbose, tt.value, got, err, tt.want)
		}
	}
	for _, value := range []string{"nonsense", "name,nam2", "2"} {
		if err := info.Info().Set(info.Levels{}, value); err == nil {
			t.Errorf("--info=%s is no error", value)
		}
	}
	if !info.AsksForHelp("name,HELP") || info.AsksForHelp("helper") {
		t.Error("help is not found, or found in another word")
	}
}

package flags

import (
	"strings"
	"testing"

	"psync/internal/run"
	"psync/internal/wire"
)

func TestSwitchesThatChooseAValue(t *testing.T) {
	for _, tt := range []struct {
		args     string
		confine  run.Confinement
		compress wire.Compression
	}{
		{"", run.ConfineExposed, wire.CompressAuto},
		{"--landlock -z", run.ConfineAlways, wire.CompressAlways},
		{"--no-landlock --no-compress", run.ConfineNever, wire.CompressNever},
		{"--landlock=false --compress=false", run.ConfineNever, wire.CompressNever},
		{"--no-landlock=false --no-compress=false", run.ConfineAlways, wire.CompressAlways},
		{"--no-landlock --landlock --no-compress -z", run.ConfineAlways, wire.CompressAlways},
	} {
		o, err := parse(Copy, strings.Fields(tt.args)...)
		if err != nil || o.Confine != tt.confine || o.Remote.Compress != tt.compress {
			t.Errorf("%s: %v, %v, %v", tt.args, o.Confine, o.Remote.Compress, err)
		}
	}
}

func TestTheLastOfTwoRivalsCounts(t *testing.T) {
	for _, tt := range []struct {
		args           string
		verbose, quiet bool
	}{
		{"", false, false},
		{"-v", true, false},
		{"-q", false, true},
		{"-vq", false, true},
		{"-qv", true, false},
		{"-q -v=false", false, true},
		{"-v -q=false", true, false},
	} {
		o, err := parse(Copy, strings.Fields(tt.args)...)
		if err != nil || o.UI.Verbose != tt.verbose || o.UI.Quiet != tt.quiet {
			t.Errorf("%q: verbose %v, quiet %v, %v", tt.args, o.UI.Verbose, o.UI.Quiet, err)
		}
	}
}

func TestUpdateTakesTheWordsOfCp(t *testing.T) {
	for text, want := range map[string]bool{"--update": true, "-u": true, "--update=older": true, "--update=all": false, "--update=false": false} {
		if o, err := parse(Copy, text); err != nil || o.Engine.Update != want {
			t.Errorf("%s: %v, %v", text, o.Engine.Update, err)
		}
	}
	if _, err := parse(Copy, "--update=newer"); err == nil {
		t.Error("--update=newer is accepted")
	}
}

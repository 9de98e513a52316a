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

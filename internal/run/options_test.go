package run

import (
	"testing"

	"psync/internal/operand"
)

func TestSuffixByDefault(t *testing.T) {
	for _, tt := range []struct {
		aux  operand.AuxOptions
		want string // the suffix
	}{
		{operand.AuxOptions{Backup: true}, "~"},
		{operand.AuxOptions{Backup: true, Suffix: ".old"}, ".old"},
		{operand.AuxOptions{BackupDir: "bak"}, ""},
		{operand.AuxOptions{BackupDir: "bak", Suffix: ".old"}, ".old"},
	} {
		o := Options{Aux: tt.aux}
		o.complete()
		if !o.Aux.Backup || !o.Engine.BacksUp || o.Aux.Suffix != tt.want {
			t.Errorf("%+v: backup %v, suffix %q; want true, %q", tt.aux, o.Aux.Backup, o.Aux.Suffix, tt.want)
		}
	}
}

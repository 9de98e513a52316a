package bench

import (
	"slices"
	"strings"
	"testing"
)

func TestParseKinds(t *testing.T) {
	for _, tt := range []struct {
		list string
		want []kind // nil: refused
	}{
		{"copy", []kind{copying}},
		{"delete,noop,delete", []kind{deleting, noop}},
		{"copy,changed", []kind{copying, changed}},
		{"", nil},
		{"copy,", nil},
		{"move", nil},
	} {
		got, err := parseKinds(tt.list)
		if !slices.Equal(got, tt.want) || (err == nil) != (tt.want != nil) {
			t.Errorf("%q: got %v, %v; want %v", tt.list, got, err, tt.want)
		}
	}
}

func TestKindsTakeCommandsWithTheirPlaces(t *testing.T) {
	for _, tt := range []struct {
		command string
		want    string // kinds that take it
	}{
		{"cp {src} {dst}", "copy noop changed"},
		{"cp {src} {dir}", "copy"},
		{"cp {src} {dst} {dir}", ""},
		{"cp {src}", ""},
		{"rm {dst}", "delete"},
		{"rm {dir}", ""},
	} {
		var got []string
		for _, k := range kinds() {
			if k.takes(strings.Fields(tt.command)) == nil {
				got = append(got, string(k))
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q: taken by %v, want %s", tt.command, got, tt.want)
		}
	}
}

func TestEveryKindHasABaselineAndSeveralTools(t *testing.T) {
	for _, k := range kinds() {
		tools := able(knownPeers(), k)
		if !slices.ContainsFunc(tools, func(p peer) bool { return p.name == k.baseline() }) || len(tools) < 2 {
			t.Errorf("%s: baseline %s, tools %v", k, k.baseline(), tools)
		}
	}
}

package getopt

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// Two names of one option, an option that takes an argument under one name only, and names
// that begin alike.
const (
	all = iota
	backup
	debug
	noClobber
	noPreserve
	parents
	preserve
	target
	help
)

var table = []Option{
	{ID: all, Short: 'a', Long: "all"},
	{ID: backup, Short: 'b'},
	{ID: backup, Long: "backup", Arg: OptionalArgument},
	{ID: debug, Long: "debug"},
	{ID: debug, Short: 'd', Arg: OptionalArgument},
	{ID: noClobber, Short: 'n', Long: "no-clobber"},
	{ID: noPreserve, Long: "no-preserve", Arg: RequiredArgument},
	{ID: parents, Long: "parents"},
	{ID: parents, Long: "path"},
	{ID: preserve, Long: "preserve", Arg: OptionalArgument},
	{ID: preserve, Long: "pre"},
	{ID: target, Short: 't', Long: "target-directory", Arg: RequiredArgument},
	{ID: help, Long: "help"},
}

func TestParse(t *testing.T) {
	plain := func(id int) Setting { return Setting{ID: id} }
	valued := func(id int, value string) Setting { return Setting{id, value, true} }
	for _, tt := range []struct {
		args     string // separated by blanks
		settings []Setting
		operands string
		err      string
	}{
		{args: ""},
		{args: "x y", operands: "x y"},
		{args: "x -a - y --debug z", settings: []Setting{plain(all), plain(debug)}, operands: "x - y z"},
		{args: "-a x -- -b -- y", settings: []Setting{plain(all)}, operands: "x -b -- y"},
		{args: "-abn", settings: []Setting{plain(all), plain(backup), plain(noClobber)}},
		{args: "-atx y", settings: []Setting{plain(all), valued(target, "x")}, operands: "y"},
		{args: "-at x y", settings: []Setting{plain(all), valued(target, "x")}, operands: "y"},
		{args: "-t -- -a", settings: []Setting{valued(target, "--"), plain(all)}},
		{args: "-t=x", settings: []Setting{valued(target, "=x")}},
		{args: "-d x", settings: []Setting{plain(debug)}, operands: "x"},
		{args: "-adx y", settings: []Setting{plain(all), valued(debug, "x")}, operands: "y"},
		{args: "--target-directory x y", settings: []Setting{valued(target, "x")}, operands: "y"},
		{args: "--target-directory=x=z y", settings: []Setting{valued(target, "x=z")}, operands: "y"},
		{args: "--target-directory=", settings: []Setting{valued(target, "")}},
		{args: "--target-directory --help", settings: []Setting{valued(target, "--help")}},
		{args: "--backup x", settings: []Setting{plain(backup)}, operands: "x"},
		{args: "--backup=x", settings: []Setting{valued(backup, "x")}},
		{args: "--backup=", settings: []Setting{valued(backup, "")}},

		// Abbreviations: one name, names of one option, the whole of one name.
		{args: "--targ x", settings: []Setting{valued(target, "x")}},
		{args: "--b=x", settings: []Setting{valued(backup, "x")}},
		{args: "--pa", settings: []Setting{plain(parents)}},
		{args: "--pre", settings: []Setting{plain(preserve)}},
		{args: "--pr", err: "option '--pr' is ambiguous; possibilities: '--preserve' '--pre'"},
		{args: "--no=x", err: "option '--no=x' is ambiguous; possibilities: '--no-clobber' '--no-preserve'"},
		{args: "--p", err: "option '--p' is ambiguous; possibilities: '--parents' '--preserve' '--pre'"},
		// Only names that mean the same as the first are left out.
		{args: "--=", err: "option '--=' is ambiguous; possibilities: '--all' '--backup' '--debug' " +
			"'--no-clobber' '--no-preserve' '--parents' '--path' '--preserve' '--pre' '--target-directory' '--help'"},

		{args: "--bogus=x", err: "unrecognized option '--bogus=x'"},
		{args: "---a", err: "unrecognized option '---a'"},
		{args: "--al=x", err: "option '--all' doesn't allow an argument"},
		{args: "--all=", err: "option '--all' doesn't allow an argument"},
		{args: "--targ", err: "option '--target-directory' requires an argument"},
		{args: "-t", err: "option requires an argument -- 't'"},
		{args: "-y", err: "invalid option -- 'y'"},
		{args: "-é", err: "invalid option -- '\xc3'"},
		{args: "x --help -a- -n y", settings: []Setting{plain(help), plain(all)}, operands: "x", err: "invalid option -- '-'"},
	} {
		settings, operands, err := Parse(strings.Fields(tt.args), table, false)
		if !slices.Equal(settings, tt.settings) || strings.Join(operands, " ") != tt.operands {
			t.Errorf("%s: got %v and operands %q, want %v and %q", tt.args, settings, operands, tt.settings, tt.operands)
		}
		if text := message(t, err); text != tt.err {
			t.Errorf("%s: got error %q, want %q", tt.args, text, tt.err)
		}
	}
}

func TestParsePosixly(t *testing.T) {
	for _, tt := range []struct{ args, operands string }{
		{"-a x --bogus -- y", "x --bogus -- y"},
		{"-a -- -x", "-x"},
		{"-a - -x", "- -x"},
	} {
		settings, operands, err := Parse(strings.Fields(tt.args), table, true)
		if err != nil || !slices.Equal(settings, []Setting{{ID: all}}) || strings.Join(operands, " ") != tt.operands {
			t.Errorf("%s: got %v, operands %q, error %v", tt.args, settings, operands, err)
		}
	}
}

// message returns the text of err, which must be an Error or nil.
func message(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	if _, ok := errors.AsType[Error](err); !ok {
		t.Errorf("%v is a %T, not an Error", err, err)
	}
	return err.Error()
}

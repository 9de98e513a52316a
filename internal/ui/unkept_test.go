package ui

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"psync/internal/report"
)

func TestWhatCouldNotBeKeptInWords(t *testing.T) {
	var (
		chown   = &fs.PathError{Op: "fchownat", Path: "f", Err: syscall.EPERM}
		mknod   = &fs.PathError{Op: "mknodat", Path: "f", Err: syscall.EPERM}
		setattr = fmt.Errorf("user.x: %w", errors.ErrUnsupported)
		link    = &os.LinkError{Op: "linkat", Old: "f", New: "g", Err: syscall.EMLINK}
	)
	tests := []struct {
		attr      report.Attr
		err       error
		without   string // the flag that disables the attribute
		one, many string
	}{
		{report.Mode, chown, "--no-perms", "dst/a/f: the mode could not be kept: operation not permitted", "the mode of 1,003 files could not be kept: operation not permitted (first: dst/a/f)"},
		{report.Group, chown, "--no-group", "dst/a/f: the group could not be kept: operation not permitted", "the group of 1,003 files could not be kept: operation not permitted (first: dst/a/f)"},
		{report.Btime, setattr, "--no-crtimes", "dst/a/f: the birth time could not be kept: user.x: unsupported operation", "the birth time of 1,003 files could not be kept: user.x: unsupported operation (first: dst/a/f)"},
		{report.ACLs, chown, "--no-acls", "dst/a/f: the ACL could not be kept: operation not permitted", "the ACL of 1,003 files could not be kept: operation not permitted (first: dst/a/f)"},
		{report.Xattrs, chown, "--no-xattrs", "dst/a/f: the extended attributes could not be kept: operation not permitted", "the extended attributes of 1,003 files could not be kept: operation not permitted (first: dst/a/f)"},
		{report.Flags, chown, "--no-fileflags", "dst/a/f: the flags could not be kept: operation not permitted", "the flags of 1,003 files could not be kept: operation not permitted (first: dst/a/f)"},
		{report.HardLinks, link, "--no-hard-links", "dst/a/f: the hard link was copied as a file of its own: too many links", "1,003 hard links were copied as files of their own: too many links (first: dst/a/f)"},
		{report.Devices, mknod, "--no-devices", "dst/a/f: the device could not be made: operation not permitted", "1,003 devices could not be made: operation not permitted (first: dst/a/f)"},
		{report.Specials, mknod, "--no-specials", "dst/a/f: the special file could not be made: operation not permitted", "1,003 special files could not be made: operation not permitted (first: dst/a/f)"},
	}
	for _, test := range tests {
		remedy := test.without + " or --on-unsupported=warn accepts that)"
		e := report.Event{Kind: report.Unkept, Root: "dst", Dir: "a", Name: "f", Attr: test.attr, Err: test.err}
		for _, tt := range []struct {
			events []report.Event
			want   string
		}{
			{times(1, e), "psync: warning: " + test.one},
			{times(1003, e), "psync: warning: " + test.many},
			{times(1, asked(e)), "psync: " + test.one + " (" + remedy},
			{times(1003, asked(e)), "psync: " + strings.TrimSuffix(test.many, ")") + "; " + remedy},
		} {
			p, _, errs := newTest(Config{})
			for _, e := range tt.events {
				p.Event(e)
			}
			p.Summary(Outcome{})
			if got := errs.String(); got != tt.want+"\n" {
				t.Errorf("%s:\ngot  %swant %s", test.attr, got, tt.want)
			}
		}
	}
}

func TestUnkeptAttributesNameWhatTheyAreOf(t *testing.T) {
	of := func(e report.Event) report.Event {
		e.Kind, e.Root, e.Attr, e.Err = report.Unkept, "dst", report.Owner, syscall.EPERM
		return e
	}
	var (
		file   = of(report.Event{Name: "f"})
		dir    = of(report.Event{Dir: "d", IsDir: true})
		link   = of(report.Event{Name: "l", Type: fs.ModeSymlink})
		device = of(report.Event{Name: "nul", Type: fs.ModeDevice | fs.ModeCharDevice})
	)
	tests := []struct {
		events []report.Event
		want   string
	}{
		{times(2, file), "2 files could not be kept: operation not permitted (first: dst/f)"},
		{times(2, dir), "2 directories could not be kept: operation not permitted (first: dst/d)"},
		{times(2, link), "2 links could not be kept: operation not permitted (first: dst/l)"},
		{times(2, device), "2 entries could not be kept: operation not permitted (first: dst/nul)"},
		{[]report.Event{link, file, dir, device}, "4 entries could not be kept: operation not permitted (first: dst/l)"},
	}
	for _, test := range tests {
		p, _, errs := newTest(Config{})
		for _, e := range test.events {
			p.Event(e)
		}
		p.Summary(Outcome{})
		if got, want := errs.String(), "psync: warning: the owner of "+test.want+"\n"; got != want {
			t.Errorf("got  %swant %s", got, want)
		}
	}
}

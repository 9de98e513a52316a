package ui

import (
	"testing"

	"psync/internal/report"
)

func TestAttributesNotAskedForAreNotedOnce(t *testing.T) {
	var (
		all = report.Totals{report.DroppedHardLinks: 1412, report.DroppedACLs: 3, report.DroppedXattrs: 9}
		one = report.Totals{report.DroppedHardLinks: 1, report.DroppedACLs: 1, report.DroppedXattrs: 1}
	)
	const note = "psync: note: 1,412 files had other hard links (-H), 3 an ACL (-A), 9 extended attributes (-X): "
	tests := []struct {
		what   string
		config Config
		totals report.Totals
		want   string
	}{
		{"nothing", Config{}, report.Totals{report.FilesCopied: 9}, ""},
		{"all", Config{}, all, note + "not kept\n"},
		{"dry run", Config{DryRun: true}, all, note + "would not be kept\n"},
		{"quiet", Config{Quiet: true}, all, ""},
		{"comparison", Config{Compare: true}, all, ""},
		{"removal", Config{Removal: true}, all, ""},
		{
			"one of each",
			Config{},
			one,
			"psync: note: 1 file had other hard links (-H), 1 an ACL (-A), 1 extended attributes (-X): not kept\n",
		},
		{
			"no hard links",
			Config{},
			report.Totals{report.DroppedACLs: 3, report.DroppedXattrs: 1},
			"psync: note: 3 files had an ACL (-A), 1 extended attributes (-X): not kept\n",
		},
		{"an ACL", Config{}, report.Totals{report.DroppedACLs: 1}, "psync: note: 1 file had an ACL (-A): not kept\n"},
		{
			"no ACL",
			Config{DryRun: true},
			report.Totals{report.DroppedHardLinks: 1, report.DroppedXattrs: 2},
			"psync: note: 1 file had other hard links (-H), 2 extended attributes (-X): would not be kept\n",
		},
		{"extended attributes", Config{}, report.Totals{report.DroppedXattrs: 2}, "psync: note: 2 files had extended attributes (-X): not kept\n"},
		{"a fork", Config{}, report.Totals{report.DroppedForks: 1}, "psync: warning: the resource fork or Finder info of 1 file was not copied: -X copies it\n"},
		{
			"forks, which are attributes, too",
			Config{},
			report.Totals{report.DroppedForks: 2, report.DroppedXattrs: 3},
			"psync: warning: the resource fork or Finder info of 2 files was not copied: -X copies it\n" +
				"psync: note: 3 files had extended attributes (-X): not kept\n",
		},
		{"forks, dry run", Config{DryRun: true}, report.Totals{report.DroppedForks: 2}, "psync: warning: the resource fork or Finder info of 2 files would not be copied: -X copies it\n"},
		{"times", Config{DropsTimes: true}, report.Totals{report.FilesCopied: 2}, "psync: note: modification times (-times): not kept\n"},
		{"times, dry run", Config{DropsTimes: true, DryRun: true}, report.Totals{report.FilesCopied: 2}, "psync: note: modification times (-times): would not be kept\n"},
		{"times of nothing", Config{DropsTimes: true}, report.Totals{}, ""},
		{"times, quiet", Config{DropsTimes: true, Quiet: true}, report.Totals{report.FilesCopied: 2}, ""},
		{"forks, quiet", Config{Quiet: true}, report.Totals{report.DroppedForks: 2}, ""},
		{
			"before what failed",
			Config{},
			report.Totals{report.DroppedACLs: 1, report.Failed: 1},
			"psync: note: 1 file had an ACL (-A): not kept\n" +
				"psync: 1 entry could not be copied; the rest is complete\n",
		},
	}
	for _, test := range tests {
		p, out, errs := newTest(test.config)
		p.Summary(Outcome{Totals: test.totals})
		if got := errs.String(); got != test.want {
			t.Errorf("%s: got\n%swant\n%s", test.what, got, test.want)
		}
		if out.Len() != 0 {
			t.Errorf("%s: stdout %q, want nothing", test.what, out)
		}
	}
}

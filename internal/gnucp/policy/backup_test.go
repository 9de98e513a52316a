package policy

import (
	"strings"
	"testing"
)

func TestBackupNumbers(t *testing.T) {
	for _, c := range []struct {
		name, want string
		ok         bool
	}{
		{"f.~1~", "1", true},
		{"f.~10~", "10", true},
		{"f.~99999999999999999999~", "99999999999999999999", true},
		{"f.~01~", "", false},
		{"f.~0~", "", false},
		{"f.~~", "", false},
		{"f.~1", "", false},
		{"f.~1x~", "", false},
		{"g.~1~", "", false},
		{"f~", "", false},
	} {
		if got, ok := BackupNumber(c.name, "f"); got != c.want || ok != c.ok {
			t.Errorf("BackupNumber(%q) = %q, %v, want %q, %v", c.name, got, ok, c.want, c.ok)
		}
	}
}

func TestLongNamesOfBackups(t *testing.T) {
	long := strings.Repeat("x", 255)
	for _, c := range []struct{ base, extension, want string }{
		{"f", "~", "f~"},
		{long[:253], "~", long[:253] + "~"},
		{long[:254], "~", long[:253] + "~"},
		{long, "~", long[:253] + "~"},
		{long[:250], ".suffix", long[:250] + "~"},
		{long[:249], ".~12~", long[:249] + ".~12~"},
	} {
		if got := fit(c.base, c.extension); got != c.want {
			t.Errorf("fit(%d letters, %q) has %d letters, %q at the end", len(c.base), c.extension, len(got), got[max(0, len(got)-10):])
		}
	}
}

func TestSuccessor(t *testing.T) {
	for n, want := range map[string]string{
		"":                     "1",
		"1":                    "2",
		"9":                    "10",
		"9223372036854775807":  "9223372036854775808",
		"99999999999999999999": "100000000000000000000",
		"18446744073709551619": "18446744073709551620",
	} {
		if got := successor(n); got != want {
			t.Errorf("successor(%q) = %q, want %q", n, got, want)
		}
	}
}

func TestBackupName(t *testing.T) {
	highest := map[string]string{"numbered": "10"}
	for _, c := range []struct {
		kind       Backup
		name, want string
	}{
		{SimpleBackups, "numbered", "numbered.bak"},
		{ExistingBackups, "numbered", "numbered.~11~"},
		{ExistingBackups, "plain", "plain.bak"},
		{NumberedBackups, "numbered", "numbered.~11~"},
		{NumberedBackups, "plain", "plain.~1~"},
	} {
		o := &Options{Backup: c.kind, Suffix: ".bak"}
		if got := o.BackupName(c.name, func() string { return highest[c.name] }); got != c.want {
			t.Errorf("%d: backup of %s is %s, want %s", c.kind, c.name, got, c.want)
		}
	}
}

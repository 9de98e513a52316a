package policy

import (
	"math/big"
	"strings"
)

// BackupName returns the name that the backup of a file gets. highest returns the highest number of its
// numbered backups, in digits, or "" if there are none.
func (o *Options) BackupName(base string, highest func() string) string {
	if o.Backup == SimpleBackups {
		return fit(base, o.Suffix)
	}
	n := highest()
	if n == "" && o.Backup == ExistingBackups {
		return fit(base, o.Suffix)
	}
	return fit(base, ".~"+successor(n)+"~")
}

// Higher reports whether one backup number is higher than another; both are in digits.
func Higher(n, other string) bool {
	return len(n) > len(other) || len(n) == len(other) && n > other
}

// maxName is the longest name, in bytes, that cp gives a backup: one byte less than file systems allow.
const maxName = 254

// fit returns base with an extension. If that would be too long, fit instead puts a single character in the
// last possible place.
func fit(base, extension string) string {
	if len(base)+len(extension) <= maxName {
		return base + extension
	}
	return base[:min(len(base), maxName-1)] + "~"
}

// BackupNumber returns the number in the name of a backup of base. The number has no leading zero and no upper
// limit.
func BackupNumber(name, base string) (string, bool) {
	n, ok := strings.CutPrefix(name, base+".~")
	if ok {
		n, ok = strings.CutSuffix(n, "~")
	}
	if !ok || n == "" || n[0] == '0' || strings.Trim(n, "0123456789") != "" {
		return "", false
	}
	return n, true
}

// successor returns the number after n. "" counts as zero.
func successor(n string) string {
	number, _ := new(big.Int).SetString("0"+n, 10) // n is digits
	return number.Add(number, big.NewInt(1)).String()
}

// Package facts checks what a system and a volume do that psync goes by: what manuals and
// published sources say, and what a volume says of itself.
package facts

import (
	"slices"

	"psync/internal/selftest/check"
)

// Checks returns all checks of facts.
func Checks() []check.Check {
	return slices.Concat(volumeChecks(), nameChecks(), timeChecks(), birthChecks(), ownerChecks(),
		xattrChecks(), macACLChecks(), posixACLChecks(), flagChecks(), dataChecks())
}

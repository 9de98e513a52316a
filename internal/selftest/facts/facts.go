// Package facts checks the facts about a system and a volume that psync relies on: what manuals and published
// sources say, and what a volume reports about itself.
package facts

import (
	"slices"

	"psync/internal/selftest/check"
)

// Checks returns all checks of facts.
func Checks() []check.Check {
	return slices.Concat(volumeChecks(), nameChecks(), timeChecks(), creationTimeChecks(), ownerChecks(),
		xattrChecks(), macACLChecks(), posixACLChecks(), flagChecks(), dataChecks())
}

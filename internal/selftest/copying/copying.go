// Package copying checks what becomes of trees when psync copies them to a volume: package engine
// copies, and both sides are read anew, by other means than those of the engine.
package copying

import (
	"slices"

	"psync/internal/selftest/check"
)

// Checks returns all checks of copies.
func Checks() []check.Check {
	return slices.Concat(copyChecks(), syncChecks(), refusalChecks())
}

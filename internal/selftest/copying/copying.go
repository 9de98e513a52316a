// Package copying checks copies of trees on a volume: package engine copies a tree, and the checks read both
// sides by other means than those of the engine.
package copying

import (
	"slices"

	"psync/internal/selftest/check"
)

// Checks returns all checks of copies.
func Checks() []check.Check {
	return slices.Concat(copyChecks(), syncChecks(), refusalChecks())
}

package filter

import "strings"

// Anchored returns the pattern that matches the entry at path, and no other. Without
// wildcards in it, backslashes stand for themselves.
func Anchored(path string) string {
	if !strings.ContainsAny(path, "*?[") {
		return "/" + path
	}
	return "/" + strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

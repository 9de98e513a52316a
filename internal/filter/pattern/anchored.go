package pattern

import "strings"

// Anchored returns the pattern that matches only the entry at path. In a path without wildcards, backslashes
// stand for themselves.
func Anchored(path string) string {
	if !strings.ContainsAny(path, "*?[") {
		return "/" + path
	}
	return "/" + strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

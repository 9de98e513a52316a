// Package glob expands patterns in paths, as rsync has the shell of another host do, and cuts operands into words for
// --old-args. No shell takes part, so a name never runs a command.
package glob

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"psync/internal/filter/pattern"
	"psync/internal/vfs"
)

const wildcards = "*?[]"

// Expand returns the paths on a host that match a path with patterns, sorted. Wildcards match neither a slash nor a dot at
// the beginning of a name, and a backslash takes the meaning from a wildcard that follows. Without patterns, or if nothing
// matches, the result is the path itself, for whose absence the caller finds words. Expand calls ahead with questions before it
// asks the host many.
func Expand(h vfs.Host, path string, ahead func(vfs.Questions)) ([]string, error) {
	plain, hasPattern := unescape(path)
	if !hasPattern {
		return []string{plain}, nil
	}
	found := []string{""}
	matched := false // an element above is a pattern, so what follows need not exist
	for element, rest := range elements(path) {
		var next, doubtful []string
		name, isPattern := unescape(element)
		for _, above := range found {
			switch {
			case isPattern:
				entries, err := match(h, above, element)
				if err != nil {
					return nil, err
				}
				for _, e := range entries {
					switch {
					case rest == "" || e.Type.IsDir():
						next = append(next, above+e.Name)
					case e.Type == fs.ModeSymlink:
						doubtful = append(doubtful, above+e.Name)
					}
				}
			case matched:
				doubtful = append(doubtful, above+name)
			default:
				next = append(next, above+name)
			}
		}
		matched = matched || isPattern
		exist, err := existing(h, doubtful, rest != "", ahead)
		if err != nil {
			return nil, err
		}
		found = append(next, exist...)
		for i := range found {
			found[i] += slashes(rest)
		}
	}
	slices.Sort(found)
	if len(found) == 0 {
		return []string{plain}, nil
	}
	return found, nil
}

// elements yields the elements of a path, each with what follows it. The first is empty if the path is absolute.
func elements(path string) func(yield func(element, rest string) bool) {
	return func(yield func(element, rest string) bool) {
		for {
			i := strings.IndexByte(path, '/')
			if i < 0 {
				i = len(path)
			}
			element, rest := path[:i], path[i:]
			if !yield(element, rest) {
				return
			}
			if path = strings.TrimLeft(rest, "/"); path == "" {
				return
			}
		}
	}
}

// slashes returns the slashes that a path begins with.
func slashes(path string) string { return path[:len(path)-len(strings.TrimLeft(path, "/"))] }

// unescape returns an element, or a path, without the backslashes before wildcards, and whether it has other wildcards.
func unescape(text string) (plain string, isPattern bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text) && strings.IndexByte(wildcards, text[i+1]) >= 0:
			i++
			b.WriteByte(text[i])
		default:
			isPattern = isPattern || c != ']' && strings.IndexByte(wildcards, c) >= 0
			b.WriteByte(c)
		}
	}
	return b.String(), isPattern
}

// match returns the entries of a directory that match a pattern. The path of the directory ends in a slash, or is empty.
// There are none in what is not a directory.
func match(h vfs.Host, dir, element string) (found []vfs.Entry, err error) {
	compiled, err := pattern.Compile(escapeRest(element))
	if err != nil {
		return nil, err
	}
	if dir == "" {
		dir = "."
	}
	d, err := h.Open(dir, vfs.OpenOptions{})
	if isMissing(err) || errors.Is(err, fs.ErrPermission) { // which the caller finds out of the path itself
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = d.Close() }()
	err = d.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			hidden := strings.HasPrefix(e.Name, ".") && !strings.HasPrefix(element, ".")
			if !hidden && compiled.Match(e.Name, false) {
				found = append(found, e)
			}
		}
		return nil
	})
	return found, err
}

// escapeRest doubles the backslashes that stand for themselves, which are those before other characters than wildcards.
func escapeRest(element string) string {
	var b strings.Builder
	for i := range len(element) {
		b.WriteByte(element[i])
		if element[i] == '\\' && (i+1 == len(element) || strings.IndexByte(wildcards, element[i+1]) < 0) {
			b.WriteByte('\\')
		}
	}
	return b.String()
}

// existing returns those of some paths that exist, or that lead to directories.
func existing(h vfs.Host, paths []string, dirs bool, ahead func(vfs.Questions)) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	how, questions := vfs.NoFollow, vfs.Questions{Lstat: paths}
	if dirs {
		how, questions = vfs.Follow, vfs.Questions{Stat: paths}
	}
	ahead(questions)
	var kept []string
	for _, path := range paths {
		attr, err := h.Stat(path, how)
		switch {
		case isMissing(err):
		case err != nil:
			return nil, err
		case !dirs || attr.Mode.IsDir():
			kept = append(kept, path)
		}
	}
	return kept, nil
}

// isMissing reports whether an error says that there is no entry, or not the directory that leads to it.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP)
}

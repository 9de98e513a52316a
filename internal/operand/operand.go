// Package operand parses SOURCE and DEST arguments, and decides where sources go.
package operand

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// Errors of [Parse] and [Place].
var (
	ErrEmpty  = errors.New("empty operand")
	ErrRemote = errors.New("remote operand")
	ErrClash  = errors.New("two sources would get the same name")
)

// Parse checks an operand and returns it as a path of this host. A trailing
// slash stays. Operands of the forms [USER@]HOST:PATH, ssh:// and sftp:// are
// remote; a colon after the first slash, as in ./a:b, is part of a name.
func Parse(operand string) (path string, err error) {
	if operand == "" {
		return "", ErrEmpty
	}
	for _, scheme := range []string{"ssh://", "sftp://"} {
		if strings.HasPrefix(operand, scheme) {
			return "", fmt.Errorf("%w: %s", ErrRemote, operand)
		}
	}
	first, _, _ := strings.Cut(operand, "/")
	if strings.Contains(first, ":") {
		return "", fmt.Errorf("%w: %s", ErrRemote, operand)
	}
	return operand, nil
}

// A Source is a parsed source operand and what it was found to be.
type Source struct {
	Path  string
	Name  string // what it is called in its directory
	IsDir bool   // after following symbolic links
}

// A Placement says what to copy from one directory.
type Placement struct {
	Dir   string   // the directory to open, symbolic links followed
	Names []string // entries of Dir to copy under their own names; none: all that is in Dir
	Into  string   // the name below DEST to copy into, or "" for DEST itself
}

// Place decides where sources go: one directory puts its contents into DEST,
// with or without a trailing slash; of several, and of files, each is copied to
// DEST/NAME. A symbolic link among several is copied as a link, unless a
// trailing slash asks for the directory it leads to.
func Place(sources []Source) ([]Placement, error) {
	if len(sources) == 1 && sources[0].IsDir {
		return []Placement{{Dir: sources[0].Path}}, nil
	}
	var placed []Placement
	byDir := make(map[string]int)     // index in placed of the one with Names
	byName := make(map[string]string) // operand that a name below DEST comes from
	for _, s := range sources {
		name := s.Name
		if other, taken := byName[name]; taken {
			return nil, fmt.Errorf("%w: %s and %s", ErrClash, other, s.Path)
		}
		byName[name] = s.Path

		dir, last := Split(s.Path)
		if s.IsDir && last != name {
			placed = append(placed, Placement{Dir: s.Path, Into: name})
			continue
		}
		i, known := byDir[dir]
		if !known {
			i = len(placed)
			byDir[dir] = i
			placed = append(placed, Placement{Dir: dir})
		}
		placed[i].Names = append(placed[i].Names, name)
	}
	return placed, nil
}

// Split splits a path before its last element, which is empty after a trailing
// slash. Nothing is cleaned: only the kernel knows where link/.. leads.
func Split(path string) (dir, last string) {
	dir, last = filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	return dir, last
}

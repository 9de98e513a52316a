package bench

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// A marked is the part of a Markdown file between two lines:
//
//	<!-- bench NAME -->
//	<!-- /bench -->
//
// The zero marked belongs to no file, and its replace does nothing.
type marked struct {
	file, name string
}

// between returns where in text the marked part begins and ends.
func (m marked) between(text []byte) (start, end int, err error) {
	opening := fmt.Appendf(nil, "<!-- bench %s -->\n", m.name)
	const closing = "<!-- /bench -->"
	if n := bytes.Count(text, opening); n != 1 {
		return 0, 0, fmt.Errorf("%s has %d lines %q, want 1", m.file, n, bytes.TrimSpace(opening))
	}
	start = bytes.Index(text, opening) + len(opening)
	length := bytes.Index(text[start:], []byte(closing))
	if next := bytes.Index(text[start:], []byte("<!-- bench ")); length < 0 || next >= 0 && next < length {
		return 0, 0, fmt.Errorf("%s has no line %q after that of bench %s", m.file, closing, m.name)
	}
	return start, start + length, nil
}

// check returns an error if replace would fail.
func (m marked) check() error {
	if m.file == "" {
		return nil
	}
	text, err := os.ReadFile(m.file)
	if err != nil {
		return err
	}
	_, _, err = m.between(text)
	return err
}

// replace replaces the marked part with text. It replaces the file atomically.
func (m marked) replace(text []byte) (err error) {
	if m.file == "" {
		return nil
	}
	old, err := os.ReadFile(m.file)
	if err != nil {
		return err
	}
	start, end, err := m.between(old)
	if err != nil {
		return err
	}
	info, err := os.Stat(m.file)
	if err != nil {
		return err
	}
	path, err := realPath(m.file) // a link stays a link
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".bench-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(slices.Concat(old[:start], text, old[end:]))
	if err = errors.Join(err, f.Chmod(info.Mode()), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

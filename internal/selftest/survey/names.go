package survey

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"psync/internal/vfs"
)

// names tries names in a directory of its own.
type names struct {
	dir        vfs.Dir
	tried      memo[string, nameResult]
	anyUnicode bool // no letter is refused or changed
	folds      bool // the volume treats some different names as the same
}

// A nameResult is the result of trying a name.
type nameResult struct {
	bad    bool
	kind   Kind // Name or Spelling
	detail string
}

func newNames(in vfs.Dir) (*names, error) {
	if err := vfs.Mkdir(in, "names", 0o700); err != nil {
		return nil, err
	}
	dir, err := in.OpenDir("names", vfs.NoFollow)
	if err != nil {
		return nil, err
	}
	n := &names{dir: dir}
	if err := n.learn(); err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	return n, nil
}

// learn determines properties of the volume that make trials of single names unnecessary.
func (n *names) learn() error {
	n.anyUnicode = true
	for _, sample := range []string{"\u00e9", "e\u0301", "\u0101", "\u0416\u4e2d", "\U0001f4be", "\u2126", "\uf022"} {
		got, err := n.try(sample, "")
		if err != nil {
			return err
		}
		n.anyUnicode = n.anyUnicode && !got.bad
	}
	for _, pair := range [][2]string{{"name", "NAME"}, {"\u00e9", "e\u0301"}, {"\u00e4", "\u00c4"}, {"end", "end."}, {"end", "end "}} {
		same, err := n.same(pair[0], pair[1])
		if err != nil {
			return err
		}
		n.folds = n.folds || same
	}
	return nil
}

// same reports whether the destination treats two names as the same.
func (n *names) same(a, b string) (bool, error) {
	n.tried.mu.Lock()
	defer n.tried.mu.Unlock()
	if err := makeFile(n.dir, a); err != nil {
		_, fatal := refused(err)
		return false, fatal
	}
	_, err := vfs.Lstat(n.dir, b)
	if err != nil && isFatal(err) {
		return false, errors.Join(err, n.dir.Remove(a, nil))
	}
	return err == nil, n.dir.Remove(a, nil)
}

// plainLength is a length of names, in bytes, that every file system supports.
const plainLength = 100

// check returns the result for a name in the destination. It tries the parts that may matter: characters, both ends,
// device names, and the length.
func (n *names) check(name string) (got nameResult, err error) {
	before := ""
	for rest := name; rest != ""; {
		r, width := utf8.DecodeRuneInString(rest)
		if r == utf8.RuneError && width == 1 {
			width = invalid(rest)
		}
		part := rest[:width]
		rest = rest[width:]
		if isPlain(r) || n.anyUnicode && r != utf8.RuneError && width > 1 {
			before = part
			continue
		}
		context := "a"
		if unicode.Is(unicode.M, r) { // it may be composed with the letter
			context = before
		}
		before = part
		if got, err = n.try(context+part+"b", quotedPart(part)); err != nil || got.bad {
			return got, err
		}
	}
	if strings.HasSuffix(name, ".") || strings.HasSuffix(name, " ") {
		last := name[len(name)-1:]
		if got, err = n.try("a"+last, quotedPart(last)+" at the end"); err != nil || got.bad {
			return got, err
		}
	}
	if isDevice(name) {
		if got, err = n.try(name, "a reserved name"); err != nil || got.bad {
			return got, err
		}
	}
	if len(name) > plainLength {
		return n.length(name)
	}
	return nameResult{}, nil
}

// maxInvalid is how many bytes that are not UTF-8 are tried together. A file system may treat several bytes as one
// character.
const maxInvalid = 6

// invalid returns how many bytes at the start of s are not UTF-8.
func invalid(s string) (n int) {
	for n < maxInvalid && n < len(s) {
		if r, width := utf8.DecodeRuneInString(s[n:]); r != utf8.RuneError || width > 1 {
			break
		}
		n++
	}
	return n
}

// isPlain reports whether every file system accepts a character.
func isPlain(r rune) bool {
	return r == '.' || r == '-' || r == '_' || r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// isDevice reports whether a name is reserved for a device on DOS.
func isDevice(name string) bool {
	base, _, _ := strings.Cut(strings.ToLower(name), ".")
	base = strings.TrimRight(base, " ")
	if len(base) == 4 && base[3] >= '0' && base[3] <= '9' {
		base = base[:3] + "1"
	}
	return slices.Contains([]string{"con", "prn", "aux", "nul", "com1", "lpt1"}, base)
}

// length returns the result for a long name. One trial suffices for names of equal length, in bytes and in units
// of UTF-16.
func (n *names) length(name string) (nameResult, error) {
	key := fmt.Sprintf("/%d/%d", len(name), len(utf16.Encode([]rune(name))))
	return n.tried.get(key, func() (nameResult, error) { return n.probe(name, "too long") })
}

// try returns the result of probe for a name, and remembers it.
func (n *names) try(name, detail string) (nameResult, error) {
	return n.tried.get(name, func() (nameResult, error) { return n.probe(name, detail) })
}

// probe makes a file with a name, looks it up, and removes it.
func (n *names) probe(name, detail string) (nameResult, error) {
	if err := makeFile(n.dir, name); err != nil {
		_, fatal := refused(err)
		return nameResult{true, Name, detail}, fatal
	}
	listed, err := list(n.dir)
	if err != nil {
		return nameResult{}, err
	}
	if err = n.dir.Remove(name, nil); errors.Is(err, fs.ErrNotExist) && len(listed) > 0 {
		err = n.dir.Remove(listed[0], nil)
	}
	switch {
	case err != nil:
		return nameResult{}, err
	case len(listed) == 1 && listed[0] == name:
		return nameResult{}, nil
	}
	return nameResult{true, Spelling, detail}, nil
}

// list returns the names in a directory.
func list(dir vfs.Dir) (names []string, err error) {
	err = dir.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			names = append(names, e.Name)
		}
		return nil
	})
	return names, err
}

// quotedPart returns a part of a name for messages.
func quotedPart(part string) string {
	r, _ := utf8.DecodeRuneInString(part)
	switch {
	case r == utf8.RuneError && part != "\ufffd":
		return "bytes that are not UTF-8"
	case r < ' ' || r == 0x7f:
		return "control characters"
	case unicode.IsPrint(r) && !unicode.Is(unicode.M, r):
		return part
	}
	return fmt.Sprintf("%U", r)
}

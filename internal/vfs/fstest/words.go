package fstest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/memfs/kernel"
)

// maxText is the length in bytes of the longest contents and values that Tree prints.
const maxText = 64

// A TreeOption makes [Tree] print more.
type TreeOption int

const (
	// WithMtimes shows modification times.
	WithMtimes TreeOption = iota
	// WithRoot shows the directory itself, as "./".
	WithRoot
	// WithBtimes shows creation times.
	WithBtimes
	// WithOwners shows owners and groups.
	WithOwners
	// WithFlags shows the flags of entries that have any.
	WithFlags
	// WithXattrs shows extended attributes, including ACLs, except those that a system sets on its own:
	// com.apple.provenance and security.selinux.
	WithXattrs
	// WithLinks shows the second and later names of an entry as hard links to the first.
	WithLinks
)

type options []TreeOption

func (o options) with(want TreeOption) bool { return slices.Contains(o, want) }

// words returns the mode of an entry, and the attributes that opts ask for, as words of a line.
func words(d vfs.Dir, name string, a vfs.Attr, opts options) (words []string, err error) {
	if a.Mode.Type() != fs.ModeSymlink {
		words = append(words, formatMode(a.Mode))
	}
	if opts.with(WithMtimes) {
		words = append(words, "@"+formatTime(a.Mtime))
	}
	if opts.with(WithBtimes) && !a.Btime.IsZero() {
		words = append(words, "@btime="+formatTime(a.Btime))
	}
	if opts.with(WithOwners) {
		words = append(words, fmt.Sprintf("@owner=%d:%d", a.UID, a.GID))
	}
	if !opts.with(WithFlags) && !opts.with(WithXattrs) {
		return words, nil
	}
	n, err := d.Node(name)
	if err != nil {
		return words, ignoreLacking(err)
	}
	if opts.with(WithFlags) {
		flags, ferr := n.Flags()
		if flags != 0 {
			words = append(words, fmt.Sprintf("@flags=%#x", flags))
		}
		err = ignoreLacking(ferr)
	}
	if opts.with(WithXattrs) {
		xattrs, xerr := xattrWords(n)
		words = append(words, xattrs...)
		err = errors.Join(err, ignoreLacking(xerr))
	}
	return words, errors.Join(err, n.Close())
}

// ignoreLacking returns nil if err says that the file system lacks something or that the caller lacks permission.
func ignoreLacking(err error) error {
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}

// xattrWords returns the extended attributes that the system does not set on its own.
func xattrWords(n vfs.Node) (words []string, err error) {
	names, err := n.Xattrs(true)
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	for _, name := range names {
		if name == "com.apple.provenance" || name == "security.selinux" {
			continue
		}
		value, err := n.Xattr(name)
		if err != nil {
			return words, err
		}
		word := quoteWord(name) + "=" + quoteWord(string(value))
		if acl, ok := formatACL(value); ok && name == kernel.ACLName {
			word = "acl=" + acl
		} else if len(value) > maxText {
			sum := sha256.Sum256(value)
			word = quoteWord(name) + "=" + longNote(int64(len(value)), sum[:])
		}
		words = append(words, "@"+word)
	}
	return words, nil
}

func formatTime(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

func longNote(size int64, sum []byte) string {
	return fmt.Sprintf("(%d bytes, sha256 %.6x)", size, sum)
}

// specials are the types of entries that are described by a note. In those of devices, a number follows.
var specials = []struct {
	word string
	mode fs.FileMode
}{
	{"fifo", fs.ModeNamedPipe},
	{"socket", fs.ModeSocket},
	{"block", fs.ModeDevice},
	{"char", fs.ModeDevice | fs.ModeCharDevice},
}

// specialNote returns the note for an entry that is neither file, link nor directory.
func specialNote(a vfs.Attr) string {
	for _, s := range specials {
		switch {
		case s.mode != a.Mode.Type():
		case s.mode&fs.ModeDevice != 0:
			return fmt.Sprintf("(%s %#x)", s.word, a.Rdev)
		default:
			return "(" + s.word + ")"
		}
	}
	return "(irregular)"
}

// plain reports whether a Go string needs no escapes to hold s.
func plain(s string) bool { return strconv.Quote(s) == `"`+s+`"` }

// quoteWord returns s as one word of a line.
func quoteWord(s string) string {
	if s == "" || !plain(s) || strings.ContainsAny(s, " =") || strings.HasPrefix(s, "(") {
		return strconv.Quote(s)
	}
	return s
}

// quotePath returns a path as the first word of a line, in which the slash of a directory is not quoted.
func quotePath(s string) string {
	if path, ok := strings.CutSuffix(s, "/"); ok {
		return quoteWord(path) + "/"
	}
	return quoteWord(s)
}

// notText matches plain text that would be parsed as something else.
var notText = regexp.MustCompile(`^(@|->|\()`)

// quoteText returns s as the end of a line.
func quoteText(s string) string {
	if !plain(s) || s != strings.TrimSpace(s) || notText.MatchString(s) {
		return strconv.Quote(s)
	}
	return s
}

// setIDs maps the special bits of a numeric mode, as chmod(1) takes it.
var setIDs = map[fs.FileMode]fs.FileMode{0o4000: fs.ModeSetuid, 0o2000: fs.ModeSetgid, 0o1000: fs.ModeSticky}

func formatMode(mode fs.FileMode) string {
	octal := mode.Perm()
	for digit, bit := range setIDs {
		if mode&bit != 0 {
			octal |= digit
		}
	}
	return fmt.Sprintf("%03o", uint32(octal))
}

package fstest

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"psync/internal/vfs/memfs/kernel"
)

// lineAttrs are the words of a treeLine that begin with "@": the modification time,
// and what else has been asked for.
type lineAttrs struct {
	mtime, btime time.Time // zero if not told
	owner        *[2]int
	flags        *uint32
	xattrs       []xattr
}

// An xattr is an extended attribute.
type xattr struct {
	name  string
	value []byte
}

// Names of attributes that are not extended ones. Of those, one that has such a name, or
// no plain one, is quoted.
const (
	btimeWord = "btime"
	ownerWord = "owner"
	flagsWord = "flags"
	aclWord   = "acl"
)

var attrWords = []string{btimeWord, ownerWord, flagsWord, aclWord}

func (a lineAttrs) words() (words []string) {
	if !a.mtime.IsZero() {
		words = append(words, "@"+a.mtime.UTC().Format(time.RFC3339Nano))
	}
	if !a.btime.IsZero() {
		words = append(words, "@"+btimeWord+"="+a.btime.UTC().Format(time.RFC3339Nano))
	}
	if a.owner != nil {
		words = append(words, fmt.Sprintf("@%s=%d:%d", ownerWord, a.owner[0], a.owner[1]))
	}
	if a.flags != nil {
		words = append(words, fmt.Sprintf("@%s=%#x", flagsWord, *a.flags))
	}
	slices.SortFunc(a.xattrs, func(x, y xattr) int { return cmp.Compare(x.name, y.name) })
	for _, x := range a.xattrs {
		if acl, ok := quoteACL(x.value); ok && x.name == kernel.ACLName {
			words = append(words, "@"+aclWord+"="+acl)
			continue
		}
		words = append(words, "@"+quoteName(x.name)+"="+quoteValue(x.value))
	}
	return words
}

func quoteName(name string) string {
	if slices.Contains(attrWords, name) || strings.ContainsAny(name, "= ") || !plain(name) {
		return strconv.Quote(name)
	}
	return name
}

// quoteValue returns what stands for a value: a note for one that is long.
func quoteValue(value []byte) string {
	s := string(value)
	switch {
	case len(s) > shortText:
		return fmt.Sprintf("(%d bytes, sha256 %.6x)", len(s), sha256.Sum256(value))
	case s == "", !plain(s), strings.Contains(s, " "), strings.HasPrefix(s, "("):
		return strconv.Quote(s)
	}
	return s
}

// cut reads the words that begin with "@", and returns what follows them.
func (a *lineAttrs) cut(s string) (rest string, err error) {
	for strings.HasPrefix(s, "@") {
		if s, err = a.cutOne(s[1:]); err != nil {
			return "", err
		}
		s = strings.TrimLeft(s, " ")
	}
	return s, nil
}

func (a *lineAttrs) cutOne(s string) (rest string, err error) {
	name, s, quoted, err := cutWord(s, "= ")
	if err != nil {
		return "", err
	}
	s, ok := strings.CutPrefix(s, "=")
	switch {
	case !ok && quoted:
		return "", errors.New("an attribute without a value")
	case !ok:
		a.mtime, err = time.Parse(time.RFC3339Nano, name)
		return s, err
	}
	value, rest, err := cutValue(s)
	switch {
	case err != nil:
		return "", err
	case quoted:
		a.xattrs = append(a.xattrs, xattr{name, []byte(value)})
		return rest, nil
	}
	return rest, a.set(name, value)
}

// cutValue reads a word, or a Go string that may have spaces, and may be repeated.
func cutValue(s string) (value, rest string, err error) {
	end := strings.IndexByte(s+" ", ' ')
	if strings.HasPrefix(s, `"`) {
		quoted, err := strconv.QuotedPrefix(s)
		if err != nil {
			return "", "", err
		}
		end = len(quoted) + strings.IndexByte(s[len(quoted):]+" ", ' ')
	}
	value, err = parseRest(s[:end])
	return value, s[end:], err
}

// set takes the value of an attribute of a name that was not quoted.
func (a *lineAttrs) set(name, value string) (err error) {
	switch name {
	case btimeWord:
		a.btime, err = time.Parse(time.RFC3339Nano, value)
	case ownerWord:
		a.owner = new([2]int)
		_, err = fmt.Sscanf(value, "%d:%d", &a.owner[0], &a.owner[1])
	case flagsWord:
		var flags uint64
		flags, err = strconv.ParseUint(value, 0, 32)
		a.flags = new(uint32(flags))
	case aclWord:
		var acl []byte
		acl, err = parseACL(value)
		a.xattrs = append(a.xattrs, xattr{kernel.ACLName, acl})
	case "":
		err = errors.New("an attribute without a name")
	default:
		a.xattrs = append(a.xattrs, xattr{name, []byte(value)})
	}
	return err
}

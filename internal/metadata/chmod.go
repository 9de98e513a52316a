package metadata

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"psync/internal/vfs"
)

// A Chmod is a list of changes to modes, which are made one after the other. Lists may be joined, as rsync does
// for several --chmod options.
type Chmod []ChmodRule

// A ChmodRule is one change. Its numbers are mode bits of chmod(2).
type ChmodRule struct {
	For   byte   // 'D' for directories, 'F' for all else, 0 for both
	Op    byte   // '+', '-', '=', or 0 for a number
	Bits  uint32 // the bits that Op applies to
	Clear uint32 // the bits that '=' clears first
	Copy  byte   // 'u', 'g' or 'o': the bits of this class count among Bits, too ...
	Into  uint32 // ... moved to the positions of these bits
	IfX   bool   // the x bits apply to directories and to entries that had an x bit at first
}

// The bits of chmod(2).
const (
	anyX   uint32 = 0o111
	sticky uint32 = 0o1000
	setgid uint32 = 0o2000
	setuid uint32 = 0o4000
)

// ParseChmod returns the changes that rsync makes for --chmod=s. Where s does not say whose bits change, the
// bits in umask do not change, but special bits and numbers apply.
func ParseChmod(s string, umask fs.FileMode) (Chmod, error) {
	var all Chmod
	for item := range strings.SplitSeq(s, ",") {
		r, err := parseRule(item, vfs.UnixMode(umask.Perm()))
		if err != nil {
			return nil, fmt.Errorf("%q %v; right are, for instance, ug+w, D2775, Fo-x, g=u and a+rX", item, err)
		}
		all = append(all, r)
	}
	return all, nil
}

// parseRule parses the part before the operator.
func parseRule(s string, umask uint32) (r ChmodRule, err error) {
	var who, special uint32 // the x bits of the named classes, and what s means for these classes
	for i := range len(s) {
		switch c := s[i]; c {
		case 'D', 'F':
			if r.For != 0 && r.For != c {
				return r, errors.New("is for D and F, which is for nothing")
			}
			r.For = c
		case 'u':
			who, special = who|0o100, special|setuid
		case 'g':
			who, special = who|0o010, special|setgid
		case 'o':
			who |= 0o001
		case 'a':
			who, special = anyX, special|setuid|setgid
		case '+', '-', '=':
			r.Op = c
			return r, r.parseBits(s[i+1:], who, special, umask)
		case '0', '1', '2', '3', '4', '5', '6', '7':
			if who != 0 {
				return r, errors.New("has a number after u, g, o or a")
			}
			return r, r.parseNumber(s[i:])
		default:
			return r, fmt.Errorf("has %q where u, g, o, a, +, - or = may stand", rune(c))
		}
	}
	if s == "" {
		return r, errors.New("is no change")
	}
	return r, errors.New("has no +, - or =")
}

func (r *ChmodRule) parseNumber(s string) error {
	n, err := strconv.ParseUint(s, 8, 32)
	if err != nil || n > 0o7777 {
		return fmt.Errorf("has %s, which is no octal number up to 7777", s)
	}
	r.Bits = uint32(n)
	return nil
}

// parseBits parses the part after the operator.
func (r *ChmodRule) parseBits(s string, who, special, umask uint32) error {
	var what, top uint32
	for i := range len(s) {
		c := s[i]
		if r.Copy != 0 || strings.IndexByte("ugo", c) >= 0 && what|top != 0 {
			return errors.New("has more than one of u, g, o and rwxXst after its operator")
		}
		switch c {
		case 'r':
			what |= 4
		case 'w':
			what |= 2
		case 'X':
			r.IfX = true
			what |= 1
		case 'x':
			what |= 1
		case 's':
			if special == 0 { // for rsync, o means no class here, and clears a t before it
				top = setuid
			}
			top |= special
		case 't':
			top |= sticky
		case 'u', 'g', 'o':
			r.Copy = c
		default:
			return fmt.Errorf("has %q where r, w, x, X, s, t, u, g or o may stand", rune(c))
		}
	}
	r.Into = who * 7
	if who == 0 {
		who = anyX
		r.Into = who * 7 &^ umask
	}
	r.Bits = who*what&r.Into | top
	r.Clear = who * 7
	if top != 0 {
		r.Clear |= special
	}
	if r.Copy != 0 { // as in GNU chmod
		r.Clear |= who&0o100<<5 | who&0o010<<7 | who&0o001<<9
	}
	return nil
}

// Apply returns mode with all changes made. The caller has to leave symbolic links unchanged.
func (c Chmod) Apply(mode fs.FileMode) fs.FileMode {
	bits := vfs.UnixMode(mode)
	executable := mode.IsDir() || bits&anyX != 0
	for _, r := range c {
		if r.For == 0 || (r.For == 'D') == mode.IsDir() {
			bits = r.apply(bits, executable)
		}
	}
	return vfs.WithUnixMode(mode, bits)
}

func (r ChmodRule) apply(bits uint32, executable bool) uint32 {
	change := r.Bits
	if r.IfX && !executable && r.Op != '-' { // rsync removes x from all entries
		change &^= anyX
	}
	switch r.Copy {
	case 'u':
		change |= bits >> 6 & 7 * anyX & r.Into
	case 'g':
		change |= bits >> 3 & 7 * anyX & r.Into
	case 'o':
		change |= bits & 7 * anyX & r.Into
	}
	switch r.Op {
	case '+':
		return bits | change
	case '-':
		return bits &^ change
	case '=':
		return bits&^r.Clear | change
	}
	return change
}

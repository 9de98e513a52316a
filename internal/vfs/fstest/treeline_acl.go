package fstest

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"psync/internal/vfs/memfs/kernel"
)

// quoteACL returns an ACL of macOS as the words of a line have it, if it is one that
// they can tell: WHO:FLAGS:RIGHTS for each entry, with commas between them.
func quoteACL(value []byte) (string, bool) {
	aces, _, err := kernel.ParseACL(value)
	if err != nil || !bytes.Equal(kernel.FormatACL(aces...), value) {
		return "", false
	}
	var words []string
	for _, a := range aces {
		words = append(words, fmt.Sprintf("%s:%#x:%#x", formatWho(a.Who), a.Flags, a.Rights))
	}
	return strings.Join(words, ","), true
}

// parseACLWord is the inverse of quoteACL.
func parseACLWord(s string) ([]byte, error) {
	var aces []kernel.ACE
	for word := range strings.SplitSeq(s, ",") {
		if s == "" {
			break
		}
		fields := strings.Split(word, ":")
		if len(fields) != 3 {
			return nil, fmt.Errorf("%q is no entry of an ACL", word)
		}
		who, err := parseWho(fields[0])
		if err != nil {
			return nil, err
		}
		flags, err := strconv.ParseUint(fields[1], 0, 32)
		if err != nil {
			return nil, err
		}
		rights, err := strconv.ParseUint(fields[2], 0, 32)
		if err != nil {
			return nil, err
		}
		aces = append(aces, kernel.ACE{Who: who, Flags: uint32(flags), Rights: uint32(rights)})
	}
	return kernel.FormatACL(aces...), nil
}

// formatWho returns "everyone", "u501", "g20", or the digits of another UUID.
func formatWho(who [16]byte) string {
	id := uint32(who[12])<<24 | uint32(who[13])<<16 | uint32(who[14])<<8 | uint32(who[15])
	switch who {
	case kernel.Everyone:
		return "everyone"
	case kernel.UserUUID(id):
		return fmt.Sprintf("u%d", id)
	case kernel.GroupUUID(id):
		return fmt.Sprintf("g%d", id)
	}
	return hex.EncodeToString(who[:])
}

func parseWho(s string) ([16]byte, error) {
	if s == "everyone" {
		return kernel.Everyone, nil
	}
	if kind, number, ok := cutKind(s); ok {
		id, err := strconv.ParseUint(number, 10, 32)
		if kind == 'u' {
			return kernel.UserUUID(uint32(id)), err
		}
		return kernel.GroupUUID(uint32(id)), err
	}
	p, err := hex.DecodeString(s)
	if err == nil && len(p) != 16 {
		err = fmt.Errorf("%q is no UUID", s)
	}
	if err != nil {
		return [16]byte{}, err
	}
	return [16]byte(p), nil
}

// cutKind takes the letter of a user or group off.
func cutKind(s string) (kind byte, number string, ok bool) {
	if s == "" || s[0] != 'u' && s[0] != 'g' {
		return 0, "", false
	}
	return s[0], s[1:], true
}

package fstest

import (
	"bytes"
	"encoding/hex"
	"fmt"
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

// parseACL is the inverse of quoteACL.
func parseACL(s string) ([]byte, error) {
	var aces []kernel.ACE
	for word := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == ',' }) {
		who, bits, _ := strings.Cut(word, ":")
		var a kernel.ACE
		_, err := fmt.Sscanf(bits+" .", "%v:%v .", &a.Flags, &a.Rights)
		if err == nil {
			a.Who, err = parseWho(who)
		}
		if err != nil {
			return nil, fmt.Errorf("%q is no entry of an ACL: %w", word, err)
		}
		aces = append(aces, a)
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

func parseWho(s string) (who [16]byte, err error) {
	var id uint32
	if s == "everyone" {
		return kernel.Everyone, nil
	}
	if _, err := fmt.Sscanf(s, "u%d", &id); err == nil {
		return kernel.UserUUID(id), nil
	}
	if _, err := fmt.Sscanf(s, "g%d", &id); err == nil {
		return kernel.GroupUUID(id), nil
	}
	if n, err := hex.Decode(who[:], []byte(s)[:min(len(s), 32)]); err != nil || n != len(who) || len(s) != 32 {
		return who, fmt.Errorf("%q is no UUID", s)
	}
	return who, nil
}

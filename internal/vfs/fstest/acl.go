package fstest

import (
	"bytes"
	"fmt"
	"strings"

	"psync/internal/vfs/memfs/kernel"
)

// formatACL returns a macOS ACL as comma-separated everyone:FLAGS:RIGHTS entries, if all its entries are for everyone.
func formatACL(value []byte) (string, bool) {
	aces, _, err := kernel.ParseACL(value)
	if err != nil || !bytes.Equal(kernel.FormatACL(aces...), value) {
		return "", false
	}
	var words []string
	for _, a := range aces {
		if a.Who != kernel.Everyone {
			return "", false
		}
		words = append(words, fmt.Sprintf("everyone:%#x:%#x", a.Flags, a.Rights))
	}
	return strings.Join(words, ","), true
}

// parseACL is the inverse of formatACL.
func parseACL(s string) ([]byte, error) {
	var aces []kernel.ACE
	for word := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == ',' }) {
		a := kernel.ACE{Who: kernel.Everyone}
		if _, err := fmt.Sscanf(word, "everyone:%v:%v", &a.Flags, &a.Rights); err != nil {
			return nil, fmt.Errorf("%q is no entry of an ACL: %w", word, err)
		}
		aces = append(aces, a)
	}
	return kernel.FormatACL(aces...), nil
}

package queue

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// The texts of identifiers, directories and facts are for messages in JSON, the strings of which cannot hold every name.

// MarshalText returns an identifier in hexadecimal.
func (id ID) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, id[:]), nil }

// UnmarshalText is the reverse of MarshalText.
func (id *ID) UnmarshalText(text []byte) error {
	if len(text) != hex.EncodedLen(len(id)) {
		return fmt.Errorf("an identifier of %d characters", len(text))
	}
	_, err := hex.Decode(id[:], text)
	return err
}

// MarshalText returns the index of the root, a colon and the path in base64.
func (d Dir) MarshalText() ([]byte, error) {
	return base64.StdEncoding.AppendEncode(fmt.Appendf(nil, "%d:", d.Root), []byte(d.Path)), nil
}

// UnmarshalText is the reverse of MarshalText. It does not check the path.
func (d *Dir) UnmarshalText(text []byte) error {
	root, path, _ := strings.Cut(string(text), ":")
	n, err := strconv.Atoi(root)
	if err != nil {
		return err
	}
	decoded, err := base64.StdEncoding.DecodeString(path)
	*d = Dir{Root: n, Path: string(decoded)}
	return err
}

// MarshalText returns the name, a colon and the value, both in base64.
func (f Fact) MarshalText() ([]byte, error) {
	text := base64.StdEncoding.AppendEncode(nil, []byte(f.Name))
	return base64.StdEncoding.AppendEncode(append(text, ':'), []byte(f.Value)), nil
}

// UnmarshalText is the reverse of MarshalText.
func (f *Fact) UnmarshalText(text []byte) error {
	name, value, _ := strings.Cut(string(text), ":")
	decodedName, err := base64.StdEncoding.DecodeString(name)
	if err != nil {
		return err
	}
	decodedValue, err := base64.StdEncoding.DecodeString(value)
	*f = Fact{Name: string(decodedName), Value: string(decodedValue)}
	return err
}

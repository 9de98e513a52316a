package hostkey

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"encoding/base64"
	"io"
	"os"
	"strings"

	"golang.org/x/crypto/ssh"

	"psync/internal/sshconn/pattern"
)

// The markers of lines.
const (
	markerAuthority = "@cert-authority"
	markerRevoked   = "@revoked"
)

// A line is a line of a known_hosts file.
type line struct {
	file   string
	number int
	marker string // "" for the key of a host
	names  string // hashed, or patterns separated by commas
	key    ssh.PublicKey
}

// parseLines returns the lines of a file that have a key. Like OpenSSH, it skips other lines.
func parseLines(file string, text []byte) []line {
	var lines []line
	number := 0
	for text := range bytes.Lines(text) {
		number++
		if l, ok := parseLine(string(text)); ok {
			l.file, l.number = file, number
			lines = append(lines, l)
		}
	}
	return lines
}

func parseLine(text string) (l line, ok bool) {
	fields := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n", r) })
	if len(fields) > 0 && (fields[0] == markerAuthority || fields[0] == markerRevoked) {
		l.marker, fields = fields[0], fields[1:]
	}
	if len(fields) < 3 || strings.HasPrefix(fields[0], "@") || strings.HasPrefix(fields[0], "#") {
		return l, false
	}
	l.names = fields[0]
	blob, err := base64.StdEncoding.DecodeString(fields[2])
	if err != nil {
		return l, false
	}
	l.key, err = ssh.ParsePublicKey(blob)
	return l, err == nil && l.key.Type() == fields[1]
}

// isFor reports whether a line is for a host. name is in lower case and in the form of known_hosts files, with
// the port.
func (l line) isFor(name string) bool {
	if strings.HasPrefix(l.names, "|") {
		return isHashOf(l.names, name)
	}
	return pattern.MatchAny(strings.Split(strings.ToLower(l.names), ","), name)
}

// hashOf returns a name in the hashed form of known_hosts files.
func hashOf(name string, salt []byte) string {
	h := hmac.New(sha1.New, salt)
	h.Write([]byte(name))
	text := base64.StdEncoding.EncodeToString
	return "|1|" + text(salt) + "|" + text(h.Sum(nil))
}

// newHash hashes a name with a random salt.
func newHash(name string) string {
	salt := make([]byte, sha1.Size)
	rand.Read(salt)
	return hashOf(name, salt)
}

// isHashOf reports whether hashed is the hashed form of a name.
func isHashOf(hashed, name string) bool {
	parts := strings.Split(hashed, "|")
	if len(parts) != 4 {
		return false
	}
	salt, err := base64.StdEncoding.DecodeString(parts[2])
	return err == nil && hashed == hashOf(name, salt)
}

// appendLine appends a line to a file whose last line may lack a newline.
func appendLine(f *os.File, line string) error {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if size > 0 {
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, size-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			line = "\n" + line
		}
	}
	_, err = f.WriteString(line)
	return err
}

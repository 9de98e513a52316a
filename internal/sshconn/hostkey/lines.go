package hostkey

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"os"
	"strings"

	"golang.org/x/crypto/ssh"
)

func writeTemporary(text []byte) (string, error) {
	f, err := os.CreateTemp("", "psync-known-hosts-")
	if err != nil {
		return "", err
	}
	_, err = f.Write(text)
	return f.Name(), errors.Join(err, f.Close())
}

// validLines empties the lines of a known_hosts file that cannot be understood, and writes the names of
// others in lower case, since they are the same to OpenSSH. It reports whether anything changes.
func validLines(text []byte) (valid []byte, changed bool) {
	for line := range bytes.Lines(text) {
		after := "\n"
		if validLine(string(line)) {
			after = lowerNames(string(line))
		}
		changed = changed || after != string(line)
		valid = append(valid, after...)
	}
	return valid, changed
}

// lowerNames returns a valid line with its names in lower case, unless they are hashed.
func lowerNames(line string) string {
	marker, rest := "", strings.TrimLeft(line, " \t")
	if strings.HasPrefix(rest, "@") {
		end := strings.IndexAny(rest, " \t")
		marker, rest = rest[:end+1], strings.TrimLeft(rest[end:], " \t")
	}
	end := strings.IndexAny(rest, " \t")
	if end < 0 || rest[0] == '|' || rest[0] == '#' || strings.ToLower(rest[:end]) == rest[:end] {
		return line
	}
	return marker + strings.ToLower(rest[:end]) + rest[end:]
}

func validLine(line string) bool {
	fields := strings.FieldsFunc(strings.Trim(line, " \t\r\n"), func(r rune) bool { return r == ' ' || r == '\t' })
	if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
		return true
	}
	if fields[0] == "@cert-authority" || fields[0] == "@revoked" {
		fields = fields[1:]
	}
	if len(fields) < 3 || !validHosts(fields[0]) {
		return false
	}
	blob, err := base64.StdEncoding.DecodeString(strings.TrimRight(fields[2], "\r"))
	if err != nil {
		return false
	}
	key, err := ssh.ParsePublicKey(blob)
	return err == nil && key.Type() == fields[1]
}

// validHosts reports whether the names of a line can be matched.
func validHosts(hosts string) bool {
	if strings.HasPrefix(hosts, "@") {
		return false
	}
	if strings.HasPrefix(hosts, "|") {
		parts := strings.Split(hosts, "|")
		if len(parts) != 4 || parts[1] != "1" {
			return false
		}
		_, saltErr := base64.StdEncoding.DecodeString(parts[2])
		_, hashErr := base64.StdEncoding.DecodeString(parts[3])
		return saltErr == nil && hashErr == nil
	}
	for name := range strings.SplitSeq(hosts, ",") {
		_, _, err := net.SplitHostPort(strings.TrimPrefix(name, "!"))
		if name == "!" || strings.HasPrefix(strings.TrimPrefix(name, "!"), "[") && err != nil {
			return false
		}
	}
	return true
}

// appendLine appends a line to a file whose last line may lack its end.
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

// Package manifest writes and reads lists of files with their SHA-256 checksums, in the format of sha256sum of the GNU
// coreutils: one line per file, with names escaped if they have a newline or a backslash.
package manifest

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"sync"
)

// A Sum is the checksum of a file.
type Sum [sha256.Size]byte

// A Writer writes a list. Its methods are safe for concurrent use.
type Writer struct {
	mu  sync.Mutex // guards what follows
	w   io.WriteCloser
	buf *bufio.Writer
}

// NewWriter returns a Writer that writes to w, which it closes.
func NewWriter(w io.WriteCloser) *Writer { return &Writer{w: w, buf: bufio.NewWriter(w)} }

// Add adds a file. Close returns write errors.
func (w *Writer) Add(sum Sum, path string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _ = w.buf.WriteString(Line(sum, path))
}

// Close completes the list, and returns the first write error.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return cmp.Or(w.buf.Flush(), w.w.Close())
}

// Line returns the line of a file, with its newline. A line that begins with a backslash has an escaped name. sha256sum
// escapes \r since coreutils 9: otherwise a \r at the end of a name would look like part of the line ending.
func Line(sum Sum, path string) string {
	if strings.ContainsAny(path, "\\\n\r") {
		escapes := strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`)
		return fmt.Sprintf("\\%x  %s\n", sum[:], escapes.Replace(path))
	}
	return fmt.Sprintf("%x  %s\n", sum[:], path)
}

// Read reads a list, and returns the checksums by path, without leading "./". It skips empty lines and lines that
// begin with #. A path that is listed twice with different checksums is an error.
func Read(r io.Reader) (map[string]Sum, error) {
	list := make(map[string]Sum)
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		sum, path, ok := parse(line)
		if !ok {
			return nil, fmt.Errorf("line %d is none of sha256sum: %q", n, line)
		}
		if known, twice := list[path]; twice && known != sum {
			return nil, fmt.Errorf("line %d: %q has another checksum before", n, path)
		}
		list[path] = sum
	}
	return list, lines.Err()
}

func parse(line string) (sum Sum, path string, ok bool) {
	line, escaped := strings.CutPrefix(line, `\`)
	digits, path, found := strings.Cut(line, " ")
	if !found || len(digits) != 2*len(sum) || len(path) < 2 || path[0] != ' ' && path[0] != '*' { // * marks binary files
		return sum, "", false
	}
	path = path[1:]
	if escaped {
		if strings.Contains(strings.NewReplacer(`\\`, "", `\n`, "", `\r`, "").Replace(path), `\`) {
			return sum, "", false
		}
		path = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\r`, "\r").Replace(path)
	}
	for strings.HasPrefix(path, "./") {
		path = strings.TrimLeft(path[2:], "/")
	}
	_, err := hex.Decode(sum[:], []byte(digits))
	return sum, path, err == nil
}

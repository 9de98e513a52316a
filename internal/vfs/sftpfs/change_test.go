package sftpfs

import (
	"encoding/binary"
	"testing"

	"psync/internal/vfs"
)

// TestFailedRenameKeepsWhatWasToBeReplaced uses servers without posix-rename that refuse to rename a temporary file but
// remove what they are asked to.
func TestFailedRenameKeepsWhatWasToBeReplaced(t *testing.T) {
	for _, tt := range []struct {
		name     string
		refuses  func(from, to string) bool
		contents string
		left     int // files
	}{
		{"none", func(_, _ string) bool { return false }, "new", 1},
		{"all", func(_, _ string) bool { return true }, "old", 2},
		{"of the temporary file", func(from, _ string) bool { return from == "/home/temp" }, "old", 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{"/home/temp": "new", "/home/f": "old"}
			s := newHostile(entry("temp", 0o100644, 3), entry("f", 0o100644, 3))
			dirs := s.answers[7]
			s.answers[7] = func(id uint32, body []byte) []byte {
				if _, ok := files[text(&body)]; ok {
					return cat([]byte{105}, u32(id), attributes(0o100644, 3))
				}
				return dirs(id, body)
			}
			s.answers[13] = func(id uint32, body []byte) []byte {
				delete(files, text(&body))
				return status(id, 0, "")
			}
			s.answers[18] = func(id uint32, body []byte) []byte {
				from, to := text(&body), text(&body)
				if _, exists := files[to]; exists || tt.refuses(from, to) {
					return status(id, 4, "no")
				}
				files[to] = files[from]
				delete(files, from)
				return status(id, 0, "")
			}
			d, err := newHostileHost(t, s).Open("/home", vfs.OpenOptions{})
			must(t, err)
			must(t, d.ReadDir(func([]vfs.Entry) error { return nil }))
			if err := d.Rename("temp", nil, "f", nil); (err == nil) != (tt.contents == "new") {
				t.Errorf("Rename: %v", err)
			}
			if files["/home/f"] != tt.contents || len(files) != tt.left {
				t.Errorf("got the files %q, want %d with %q in f", files, tt.left, tt.contents)
			}
		})
	}
}

// text cuts the first string from the body of a request.
func text(body *[]byte) string {
	end := 4 + binary.BigEndian.Uint32(*body)
	s := string((*body)[4:end])
	*body = (*body)[end:]
	return s
}

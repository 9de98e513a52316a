package fstest

import (
	"errors"
	"strings"
	"syscall"
	"testing"

	"psync/internal/vfs"
)

func namePromises() (all []promise) {
	for what, name := range map[string]string{
		"of 255 bytes":             strings.Repeat("n", 255),
		"with a newline":           "two\nlines",
		"of a space":               " ",
		"with a leading dash":      "-rf",
		"with a leading dot":       "..f",
		"of backslashes and stars": `\*?"`,
		"beyond ASCII":             "名前",
		"that is not UTF-8":        "\xff\xfe",
	} {
		all = append(all, promise{"a name " + what, func(t *testing.T, d vfs.Dir) { useName(t, d, name) }})
	}
	return all
}

// notUTF8 reports whether err is a system's refusal of what is not UTF-8.
func notUTF8(err error) bool {
	return errors.Is(err, syscall.EILSEQ) || errors.Is(err, syscall.EINVAL)
}

// useName checks that entries can be called name.
func useName(t *testing.T, d vfs.Dir, name string) {
	err := writeFile(d, name, 0o644, "contents")
	if notUTF8(err) {
		t.Skip("the system refuses the name:", err)
	}
	must(t, err)
	wantNames(t, d, name)
	want(t, d, name, "contents")
	must(t, d.Chmod(name, 0o600))
	must(t, d.Rename(name, "temp"))
	must(t, d.Rename("temp", name))
	must(t, d.Remove(name))

	must(t, d.Symlink("target", name))
	if target, err := d.Readlink(name); target != "target" || err != nil {
		t.Errorf("Readlink = %q, %v", target, err)
	}
	must(t, d.Remove(name))

	put(t, mkdir(t, d, name), name, "within")
	want(t, openDir(t, d, name), name, "within")
	wantNames(t, d, name)
}

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// shellScript returns commands that make the tree at dir.
func shellScript(dir string) (string, error) {
	inv, err := inventoryOpened(dir)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	paths := inv.paths()
	for _, at := range paths {
		if err := scriptEntry(&b, dir, at, inv[at]); err != nil {
			return "", err
		}
	}
	for _, at := range slices.Backward(paths) {
		i, name := inv[at], quoteForShell(at)
		fmt.Fprintf(&b, "touch -hd @%d.%09d %s", i.st.Mtim.Sec, i.st.Mtim.Nsec, name)
		if owner := fmt.Sprintf("%d:%d", i.st.Uid, i.st.Gid); owner != "0:0" {
			fmt.Fprintf(&b, "; chown -h %s %s", owner, name)
		}
		if i.st.Mode&unix.S_IFMT != unix.S_IFLNK {
			fmt.Fprintf(&b, "; chmod %04o %s", i.st.Mode&0o7777, name)
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}

// scriptEntry writes what makes an entry, without its attributes.
func scriptEntry(b *strings.Builder, dir, at string, i *item) error {
	name := quoteForShell(at)
	switch kind := i.st.Mode & unix.S_IFMT; {
	case i.peers != at && kind != unix.S_IFDIR:
		fmt.Fprintf(b, "ln %s %s\n", quoteForShell(i.peers), name)
		return nil
	case kind == unix.S_IFDIR:
		fmt.Fprintf(b, "mkdir -p %s\n", name)
	case kind == unix.S_IFLNK:
		fmt.Fprintf(b, "ln -s %s %s\n", quoteForShell(i.inside), name)
	case kind == unix.S_IFIFO:
		fmt.Fprintf(b, "mkfifo %s\n", name)
	case kind == unix.S_IFSOCK:
		fmt.Fprintf(b, "python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' %s\n", name)
	case kind == unix.S_IFREG:
		if err := scriptFile(b, filepath.Join(dir, at), name, i); err != nil {
			return err
		}
	default:
		letter := map[uint32]string{unix.S_IFCHR: "c", unix.S_IFBLK: "b"}[kind]
		fmt.Fprintf(b, "mknod %s %s %d %d\n", name, letter, unix.Major(i.st.Rdev), unix.Minor(i.st.Rdev))
	}
	for attr := range strings.FieldsSeq(i.attrs) {
		attr, value, _ := strings.Cut(attr, "=")
		fmt.Fprintf(b, "setfattr -hn %s -v 0x%s %s\n", attr, value, name)
	}
	return nil
}

func scriptFile(b *strings.Builder, full, name string, i *item) error {
	if i.st.Size > 100_000 {
		fmt.Fprintf(b, "truncate -s %d %s # with %d bytes of data somewhere\n", i.st.Size, name, i.data)
		return nil
	}
	data, err := os.ReadFile(full)
	if n := len(data); n > 100 && len(bytes.Trim(data, string(data[0]))) == 0 {
		fmt.Fprintf(b, "head -c %d /dev/zero | tr '\\0' '\\%o' > %s\n", n, data[0], name)
	} else {
		fmt.Fprintf(b, "printf %%s %s > %s\n", quoteForShell(string(data)), name)
	}
	return err
}

// quoteForShell quotes a word for bash.
func quoteForShell(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%"
	switch {
	case word != "" && strings.Trim(word, plain) == "":
		return word
	case !strings.ContainsFunc(word, func(r rune) bool { return r < ' ' || r == '\'' || r >= 0x7f }):
		return "'" + word + "'"
	}
	var b strings.Builder
	for _, c := range []byte(word) {
		if strings.IndexByte(plain, c) >= 0 || c == ' ' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, `\%03o`, c)
		}
	}
	return "$'" + b.String() + "'"
}

package sftpfs

import (
	"io/fs"
	"math"
	"strings"
	"syscall"
	"time"

	"github.com/pkg/sftp"
)

// attrs are the attributes of an entry as the server reports them.
type attrs struct {
	size                         int64
	mode, uid, gid, atime, mtime uint32
}

// typeBits are the bits of st_mode that hold the type.
const typeBits = 0o170000

// attrsOf returns the attributes that package sftp has received. A size that no file can have is an error of the
// server.
func attrsOf(info fs.FileInfo) (attrs, error) {
	st, ok := info.Sys().(*sftp.FileStat)
	if !ok || st.Size > math.MaxInt64 {
		return attrs{}, syscall.EOVERFLOW
	}
	return attrs{int64(st.Size), st.Mode, st.UID, st.GID, st.Atime, st.Mtime}, nil
}

// fileMode returns the mode, which is irregular if the server does not report the type.
func (a attrs) fileMode() fs.FileMode {
	mode := (&sftp.FileStat{Mode: a.mode}).FileMode()
	if a.mode&typeBits == 0 {
		mode |= fs.ModeIrregular
	}
	return mode
}

func (a attrs) isDir() bool     { return a.mode&typeBits == 0o040000 }
func (a attrs) isLink() bool    { return a.mode&typeBits == 0o120000 }
func (a attrs) isRegular() bool { return a.mode&typeBits == 0o100000 }

// owners returns the IDs for Chown to set, with those of the entry in place of -1.
func (a attrs) owners(uid, gid int) (int, int) {
	if uid < 0 {
		uid = int(a.uid)
	}
	if gid < 0 {
		gid = int(a.gid)
	}
	return uid, gid
}

// timeOr returns the time for Chtimes to set: t, or that of the entry if t is zero.
func timeOr(t time.Time, old uint32) (time.Time, error) {
	if t.IsZero() {
		return time.Unix(int64(old), 0), nil
	}
	if s := t.Unix(); s < 0 || s > math.MaxUint32 {
		return t, syscall.EOVERFLOW
	}
	return t, nil
}

// maxName is the longest name accepted from a server, and maxPath the longest path or link target.
const (
	maxName = 1024
	maxPath = 1 << 15
)

// isName reports whether name can be the name of a directory entry.
func isName(name string) bool {
	return name != "" && name != "." && name != ".." && len(name) <= maxName && !strings.ContainsAny(name, "/\x00")
}

// isTarget reports whether path can be the target of a symbolic link.
func isTarget(path string) bool {
	return path != "" && len(path) <= maxPath && !strings.Contains(path, "\x00")
}

// isBelow reports whether path is dir or lies below it; both are clean and absolute.
func isBelow(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

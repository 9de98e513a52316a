package sys

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// UnknownType is the type of an entry whose type a listing does not report.
const UnknownType = fs.ModeType

// A Dirent is one entry of a listing. Name points into the listing's buffer, and is valid
// until the next entry is read.
type Dirent struct {
	Name []byte
	Type fs.FileMode // type bits, or UnknownType
	Ino  uint64
}

// direntMode converts the DT_ constants of dirent.h.
func direntMode(t byte) fs.FileMode {
	switch t {
	case unix.DT_REG:
		return 0
	case unix.DT_DIR:
		return fs.ModeDir
	case unix.DT_LNK:
		return fs.ModeSymlink
	case unix.DT_FIFO:
		return fs.ModeNamedPipe
	case unix.DT_SOCK:
		return fs.ModeSocket
	case unix.DT_CHR:
		return fs.ModeDevice | fs.ModeCharDevice
	case unix.DT_BLK:
		return fs.ModeDevice
	}
	return UnknownType
}

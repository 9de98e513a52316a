package pipeline

import (
	"encoding/binary"
	"io/fs"
	"time"

	"psync/internal/vfs"
)

// MaxData is the maximum number of bytes that a request to read or write should carry.
const MaxData = 1 << 15

// The types of requests that pipelines send, and of the answers.
const (
	TypeOpen     = 3
	TypeClose    = 4
	TypeRead     = 5
	TypeWrite    = 6
	TypeLstat    = 7
	TypeFstat    = 8
	TypeSetstat  = 9
	TypeFsetstat = 10
	TypeMkdir    = 14
	TypeExtended = 200

	TypeStatus = 101
	TypeHandle = 102
	TypeData   = 103
	TypeAttrs  = 105
)

// Flags of opening a file, and of the attributes that follow.
const (
	OpenRead      = 1
	OpenReadWrite = 1 | 2
	openCreate    = 2 | 8 | 0x20 // for writing, exclusively

	HasSize  = 1
	HasOwner = 2
	HasMode  = 4
	HasTimes = 8
)

func AppendUint32s(b []byte, all ...uint32) []byte {
	for _, n := range all {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	return b
}

func AppendString(b []byte, s string) []byte { return append(AppendUint32s(b, uint32(len(s))), s...) }

// Create makes a file. No one gets more permissions than perm.
func Create(path string, perm fs.FileMode) Request {
	return Request{Type: TypeOpen, On: path, Rest: AppendUint32s(nil, openCreate, HasMode, uint32(perm.Perm()))}
}

// Open opens an existing file.
func Open(path string, flags uint32) Request {
	return Request{Type: TypeOpen, On: path, Rest: AppendUint32s(nil, flags, 0)}
}

func Read(handle string, n int, off int64) Request {
	return Request{Type: TypeRead, On: handle, Rest: AppendUint32s(binary.BigEndian.AppendUint64(nil, uint64(off)), uint32(n))}
}

func Write(handle string, p []byte, off int64) Request {
	rest := AppendUint32s(binary.BigEndian.AppendUint64(nil, uint64(off)), uint32(len(p)))
	return Request{Type: TypeWrite, On: handle, Rest: rest, Data: p}
}

func ModeAttrs(mode fs.FileMode) []byte { return AppendUint32s(nil, HasMode, vfs.UnixMode(mode)) }

func OwnerAttrs(uid, gid int) []byte { return AppendUint32s(nil, HasOwner, uint32(uid), uint32(gid)) }

// TimesAttrs returns times that timeOr has accepted.
func TimesAttrs(atime, mtime time.Time) []byte {
	return AppendUint32s(nil, HasTimes, uint32(atime.Unix()), uint32(mtime.Unix()))
}

func SizeAttrs(size int64) []byte {
	return binary.BigEndian.AppendUint64(AppendUint32s(nil, HasSize), uint64(size))
}

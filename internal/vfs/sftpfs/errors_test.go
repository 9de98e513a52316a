package sftpfs

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"syscall"
	"testing"
	"time"

	"psync/internal/vfs"
)

// statvfs is the answer of a file system with so many blocks of 4096 bytes left.
func statvfs(id uint32, left, flag uint64) []byte {
	answer := cat([]byte{201}, u32(id))
	for _, n := range []uint64{4096, 4096, 1000, left, left, 1000, 500, 500, 1, flag, 255} {
		answer = binary.BigEndian.AppendUint64(answer, n)
	}
	return answer
}

// TestErrors uses a server that answers the last request of an operation with a status.
func TestErrors(t *testing.T) {
	const file, folder, link, nothing = 0o100644, 0o040755, 0o120777, 0
	now := time.Unix(1e9, 0)
	create := func(d vfs.Dir) error { return closed(d.OpenFile("f", vfs.Create, 0o644)) }
	mkdir := func(d vfs.Dir) error { return vfs.Mkdir(d, "f", 0o755) }
	symlink := func(d vfs.Dir) error { return vfs.Symlink(d, "target", "f") }
	rename := func(d vfs.Dir) error { return d.Rename("old", nil, "f", nil) }
	remove := func(d vfs.Dir) error { return d.Remove("f", nil) }
	rmdir := func(d vfs.Dir) error { return d.Rmdir("f") }
	chmod := func(d vfs.Dir) error { return vfs.Chmod(vfs.In(d, "f"), 0o600) }
	write := func(d vfs.Dir) error {
		f, err := d.OpenFile("f", vfs.ReadWrite, 0)
		if err == nil {
			_, err = f.WriteAt([]byte("data"), 0)
		}
		return err
	}
	for _, tt := range []struct {
		name    string
		do      func(vfs.Dir) error
		request byte
		code    uint32
		there   uint32 // the mode of f, or 0 if it is missing
		left    uint64 // blocks
		flag    uint64
		want    error
	}{
		{"create", create, 3, 4, file, 9, 0, fs.ErrExist},
		{"create, full", create, 3, 4, nothing, 0, 0, syscall.ENOSPC},
		{"create, read-only", create, 3, 4, nothing, 9, readOnly, syscall.EROFS},
		{"create, unknown", create, 3, 4, nothing, 9, 0, errFailure},
		{"create, permission", create, 3, 3, nothing, 9, 0, fs.ErrPermission},
		{"create, no directory", create, 3, 2, nothing, 9, 0, fs.ErrNotExist},
		{"create, later draft", create, 3, 11, nothing, 9, 0, fs.ErrExist},
		{"mkdir", mkdir, 14, 4, folder, 9, 0, fs.ErrExist},
		{"mkdir, full", mkdir, 14, 4, nothing, 0, 0, syscall.ENOSPC},
		{"symlink", symlink, 20, 4, link, 9, 0, fs.ErrExist},
		{"symlink, unsupported", symlink, 20, 8, nothing, 9, 0, errors.ErrUnsupported},
		{"rename onto a directory", rename, 200, 4, folder, 9, 0, syscall.EISDIR},
		{"rename, full", rename, 200, 4, nothing, 0, 0, syscall.ENOSPC},
		{"remove a directory", remove, 13, 4, folder, 9, 0, syscall.EISDIR},
		{"remove nothing", remove, 13, 0, nothing, 9, 0, fs.ErrNotExist},
		{"remove, read-only", remove, 13, 4, file, 9, readOnly, syscall.EROFS},
		{"remove a link that leads nowhere", remove, 13, 3, link, 9, 0, fs.ErrPermission},
		{"rmdir", rmdir, 15, 4, folder, 9, 0, syscall.ENOTEMPTY},
		{"rmdir a file", rmdir, 15, 0, file, 9, 0, syscall.ENOTDIR},
		{"rmdir, read-only", rmdir, 15, 4, folder, 9, readOnly, syscall.EROFS},
		{"chmod of another's", chmod, 9, 3, file, 9, 0, syscall.EPERM},
		{"chmod, invalid", chmod, 9, 5, file, 9, 0, syscall.EINVAL},
		{"write, full", write, 6, 4, file, 0, 0, syscall.ENOSPC},
		{"write, unknown", write, 6, 4, file, 9, 0, errFailure},
		{"write, quota", write, 6, 15, file, 9, 0, syscall.EDQUOT},
		{"times", func(d vfs.Dir) error { return vfs.Chtimes(vfs.In(d, "f"), now, time.Unix(-1, 0)) }, 9, 0, file, 9, 0, syscall.EOVERFLOW},
		{"times after 2106", func(d vfs.Dir) error { return vfs.Chtimes(vfs.In(d, "f"), now, time.Unix(1<<32, 0)) }, 9, 0, file, 9, 0, syscall.EOVERFLOW},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newHostile()
			s.answers[1] = func(uint32, []byte) []byte {
				return cat([]byte{2}, u32(3), str("posix-rename@openssh.com"), str("1"), str("statvfs@openssh.com"), str("2"))
			}
			s.answers[3] = func(id uint32, _ []byte) []byte { return cat([]byte{102}, u32(id), str("file")) }
			s.answers[10] = s.answers[4]
			s.answers[15] = func(id uint32, _ []byte) []byte { return status(id, 4, "not a directory") }
			s.answers[17] = func(id uint32, _ []byte) []byte {
				if tt.there == link {
					return status(id, 2, "")
				}
				return cat([]byte{105}, u32(id), attributes(tt.there, 4))
			}
			h := newHostileHost(t, s)
			d, err := h.Open("/home", vfs.OpenOptions{})
			must(t, err)
			s.answers[7] = func(id uint32, body []byte) []byte {
				mode := tt.there
				if body[len(body)-1] != 'f' {
					mode = file
				}
				if mode == nothing {
					return status(id, 2, "")
				}
				return cat([]byte{105}, u32(id), attributes(mode, 4))
			}
			s.answers[tt.request] = func(id uint32, _ []byte) []byte { return status(id, tt.code, "text") }
			other := s.answers[200]
			s.answers[200] = func(id uint32, body []byte) []byte {
				if string(body[4:][:7]) == "statvfs" {
					return statvfs(id, tt.left, tt.flag)
				}
				return other(id, body)
			}
			err = tt.do(d)
			if pe, ok := errors.AsType[*fs.PathError](err); !ok || !errors.Is(err, tt.want) || pe.Path != "f" && pe.Path != "old" {
				t.Errorf("error %v, want %v", err, tt.want)
			}
		})
	}
}

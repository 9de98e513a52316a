package localfs

import (
	"io"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// Stream returns f, a file of this package, as a file that is read or written from start to end, whatever offsets are
// given, like a pipe or terminal.
func Stream(f vfs.File) vfs.File {
	if l, ok := vfs.As[*file](f); ok {
		return &stream{f: l}
	}
	return f
}

// A stream offers no operation that would bypass ReadAt and WriteAt.
type stream struct {
	vfs.UnsupportedFile
	f *file
}

func (s *stream) Statx(w vfs.StatxWant) (vfs.Attr, error) { return s.f.Statx(w) }
func (s *stream) Truncate(size int64) error               { return s.f.Truncate(size) }
func (s *stream) Set(changes []vfs.Change) []error        { return s.f.Set(changes) }
func (s *stream) Close() error                            { return s.f.Close() }

func (s *stream) ReadAt(p []byte, _ int64) (int, error) {
	n, err := sys.IgnoringEINTR2(func() (int, error) { return unix.Read(s.f.fd, p) })
	if err == nil && n == 0 {
		return 0, io.EOF
	}
	return max(n, 0), vfs.PathError("read", s.f.name, err)
}

func (s *stream) WriteAt(p []byte, _ int64) (n int, err error) {
	for n < len(p) {
		m, err := sys.IgnoringEINTR2(func() (int, error) { return unix.Write(s.f.fd, p[n:]) })
		if err != nil {
			return n, vfs.PathError("write", s.f.name, err)
		}
		n += m
	}
	return n, nil
}

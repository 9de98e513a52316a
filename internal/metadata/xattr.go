package metadata

import (
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"

	"psync/internal/vfs"
)

// piece is how many bytes of a long attribute are held in memory at once.
const piece = 1 << 20

func readXattr(n vfs.Node, name string) (Xattr, error) {
	if size, err := vfs.XattrSize(n, name); err == nil && size > piece {
		digest := sha256.New()
		err := eachPiece(n, name, size, func(p []byte, _ int64) error {
			_, err := digest.Write(p)
			return err
		})
		return Xattr{Name: name, Value: digest.Sum(nil), Long: true}, err
	} else if errors.Is(err, fs.ErrNotExist) {
		return Xattr{}, err
	}
	value, err := n.Xattr(name)
	return Xattr{Name: name, Value: value}, err
}

// eachPiece yields a long attribute of size bytes piece by piece, or less if the attribute has shrunk. It
// does not read beyond the end, because copyfile(3) never does and volumes may not handle that well.
func eachPiece(of vfs.Node, name string, size int64, yield func(p []byte, off int64) error) error {
	buf := make([]byte, min(piece, size))
	for off := int64(0); off < size; {
		p := buf[:min(int64(len(buf)), size-off)]
		n, err := of.ReadXattrAt(name, p, off)
		if n > 0 {
			if err := yield(p[:n], off); err != nil {
				return err
			}
			off += int64(n)
		}
		if err == io.EOF || err == nil && n == 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// copyLongXattr copies an attribute that is too long to be held in memory. It first removes the old
// attribute, because writing would not shorten it.
func copyLongXattr(dst, src vfs.Node, name string) error {
	if src == nil {
		return errors.ErrUnsupported
	}
	size, err := vfs.XattrSize(src, name)
	if err != nil {
		return err
	}
	if err := vfs.RemoveXattr(dst, name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return eachPiece(src, name, size, func(p []byte, off int64) error { return vfs.WriteXattrAt(dst, name, p, off) })
}

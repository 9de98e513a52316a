package wire

import (
	"math"
	"time"

	"psync/internal/vfs"
)

// attr codes attributes. Numbers that are zero take one byte.
func (c *coder) attr(a *vfs.Attr) {
	c.mode(&a.Mode)
	c.uint32(&a.Flags)
	c.offset(&a.Size)
	c.offset(&a.Blocks)
	c.uint32(&a.UID)
	c.uint32(&a.GID)
	c.time(&a.Atime)
	c.time(&a.Mtime)
	c.int64((*int64)(&a.Ctime))
	c.uint64(&a.Dev)
	c.uint64(&a.Ino)
	c.uint64(&a.Nlink)
	c.uint64(&a.Rdev)
	c.time(&a.Btime)
}

// attrSize is how many bytes attributes take at least.
const attrSize = 14

func (c *coder) volume(v *vfs.Volume) {
	c.bools(&v.Network, &v.Folds, &v.KeepsAttrs, &v.OwnersIgnored, &v.SlowExclusive, &v.AppleDouble, &v.ServerACLs,
		&v.LacksACLs, &v.DOSFlags, &v.CopiesUp, &v.TimesStay)
	granularity := uint64(v.Granularity)
	unsigned(c, &granularity, math.MaxInt64, "granularity")
	v.Granularity = time.Duration(granularity)
	c.uint64(&v.RootIno)
}

// premise codes what an entry must be. Inode numbers are those of the server's system.
func premise(p *vfs.Premise, c *coder) {
	c.mode(&p.Type)
	c.uint64(&p.Ino)
	c.offset(&p.Size)
	c.time(&p.Mtime)
	c.int64((*int64)(&p.Ctime))
	c.uint64(&p.Nlink)
	c.bool(&p.Follow)
}

func (c *coder) user(u *vfs.User) {
	c.id(&u.UID)
	c.id(&u.GID)
	list(c, &u.Groups, 1, func(id *int, c *coder) { c.id(id) })
}

func (c *coder) caps(p *vfs.Caps) { unsigned(c, p, math.MaxUint32, "capabilities") }

func (c *coder) changes(changes *[]vfs.Change) { list(c, changes, changeSize, change) }

// changeSize is how many bytes a change takes at least.
const changeSize = 12

// change codes a change of an attribute of an entry.
func change(v *vfs.Change, c *coder) {
	unsigned(c, &v.Kind, vfs.XattrPiece, "kind of a change")
	c.bool(&v.OnlySetID)
	c.mode(&v.Mode)
	c.id(&v.UID)
	c.id(&v.GID)
	c.time(&v.Atime)
	c.time(&v.Mtime)
	c.time(&v.Btime)
	c.uint32(&v.Flags)
	c.uint32(&v.UserFlags)
	c.uint32(&v.DOSFlags)
	c.string(&v.Xattr, maxName)
	c.bytes(&v.Value, MaxData)
	c.offset(&v.Off)
}

package wire

import (
	"math"

	"psync/internal/vfs"
)

func (m *Hello) fields(c *coder) {
	c.uint32(&m.Major)
	c.uint32(&m.Minor)
	c.text(&m.Name)
	unsigned(c, &m.Compress, CompressNever, "compression")
	c.bool(&m.Resumes)
}

func (m *Welcome) fields(c *coder) {
	m.Hello.fields(c)
	c.text(&m.System)
	c.user(&m.User)
	c.text(&m.Kernel.Hostname)
	c.text(&m.Kernel.Machine)
	c.text(&m.Kernel.Boot)
	c.time(&m.Kernel.Booted)
	c.text(&m.Kernel.Processes)
	c.mode(&m.Umask)
	c.uint32(&m.Limit)
	c.path(&m.Socket)
	c.bytes(&m.Token, maxText)
}

func (c *coder) user(u *vfs.User) {
	c.id(&u.UID)
	c.id(&u.GID)
	list(c, &u.Groups, 1, func(id *int, c *coder) { c.id(id) })
}

func (m *Join) fields(c *coder) {
	c.bytes(&m.Token, maxText)
	c.uint32(&m.Channel)
}

func (m *Resume) fields(c *coder) {
	c.name(&m.Session)
	c.bytes(&m.Token, maxText)
	c.uint32(&m.Channel)
	c.received(&m.Received)
}

func (m *Resumed) fields(c *coder) { c.received(&m.Received) }

func (c *coder) received(p *[]Received) {
	list(c, p, 2, func(r *Received, c *coder) { r.fields(c) })
}

func (r *Received) fields(c *coder) {
	c.uint32(&r.Channel)
	c.uint64(&r.Frames)
}

func (m *Ack) fields(c *coder) { m.Received.fields(c) }

func (*Goodbye) fields(*coder) {}

func (*Ping) fields(*coder) {}

func (*Done) fields(*coder) {}

func (m *Prepare) fields(c *coder) { c.bools(&m.FetchDataless, &m.Xattrs, &m.ACLs, &m.Flags) }

func (*ClearUmask) fields(*coder) {}

func (m *Umask) fields(c *coder) { c.mode(&m.Mode) }

func (m *PathQuery) fields(c *coder) {
	unsigned(c, &m.Query, QueryRoutes, "query")
	c.path(&m.Path)
	c.path(&m.Outer)
}

// maxPaths is how many paths Paths has at most.
const maxPaths = 1 << 12

func (m *Paths) fields(c *coder) {
	c.atMost(maxPaths, len(m.Paths), "number of paths")
	list(c, &m.Paths, 1, func(path *string, c *coder) { c.path(path) })
}

func (m *Truth) fields(c *coder) { c.bool(&m.Is) }

func (m *Account) fields(c *coder) {
	c.bool(&m.Group)
	c.uint32(&m.ID)
	c.text(&m.Name)
}

func (m *OpenPath) fields(c *coder) {
	c.handle(&m.New)
	c.path(&m.Path)
	c.bools(&m.Noatime, &m.Trusted, &m.Options.Insecure, &m.Options.Mkdir, &m.Options.MkdirAll)
	c.mode(&m.Options.Perm)
}

func (e *Error) fields(c *coder) {
	c.text(&e.Name)
	c.text(&e.Text)
}

func (c *coder) caps(p *vfs.Caps) { unsigned(c, p, math.MaxUint32, "capabilities") }

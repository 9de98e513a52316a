package wire

import (
	"io/fs"

	"psync/internal/vfs"
)

// Hello is the first request, and an answer of the same form. The server refuses a different Major.
type Hello struct {
	Major    uint32
	Name     string      // version of the program, for messages
	Compress Compression // of what the server sends; 0 in its answer
}

func (m *Hello) fields(c *coder) {
	c.uint32(&m.Major)
	c.text(&m.Name)
	unsigned(c, &m.Compress, CompressNever, "compression")
}

// Compression says which frames are compressed.
type Compression uint8

// The values of Compression.
const (
	CompressAuto Compression = iota // those that shrink, while that has more of them arrive
	CompressAlways
	CompressNever
)

// Welcome answers Hello.
type Welcome struct {
	Hello
	Info   vfs.HostInfo
	Umask  fs.FileMode // of the server, until ClearUmask
	Limit  uint32      // requests that the server deals with at a time
	Socket string      // path of a socket of further channels, or ""
	Token  []byte      // that a further channel begins with
}

func (m *Welcome) fields(c *coder) {
	m.Hello.fields(c)
	c.text(&m.Info.System)
	c.user(&m.Info.User)
	c.text(&m.Info.BootID)
	c.mode(&m.Umask)
	c.uint32(&m.Limit)
	c.path(&m.Socket)
	c.bytes(&m.Token, maxText)
}

// Join is the first frame of a further channel. It is answered there by Done.
type Join struct{ Token []byte }

func (m *Join) fields(c *coder) { c.bytes(&m.Token, maxText) }

// Replace may be the first frame of a client, whose connection to another server was lost: that one is to end before this
// one does anything. It is also the first frame of the channel by which this server reaches the other one, which closes the
// channel when it has ended. It is not answered.
type Replace struct {
	Session string // the directory of the socket of Welcome, without the path to it
	Token   []byte
}

func (m *Replace) fields(c *coder) {
	c.name(&m.Session)
	c.bytes(&m.Token, maxText)
}

// Ack answers Probe.
type Ack struct{ Number uint64 }

func (m *Ack) fields(c *coder) { c.uint64(&m.Number) }

// Probe is answered by Ack at once, so that the side that sends it learns how long what it sends takes.
type Probe struct{ Number uint64 }

func (m *Probe) fields(c *coder) { c.uint64(&m.Number) }

// Ping is answered by Done.
type Ping struct{}

func (*Ping) fields(*coder) {}

// Done answers requests whose success says all.
type Done struct{}

func (*Done) fields(*coder) {}

// Prepare sets how files are read, and what comes with entries unasked, for all requests that follow on its channel.
type Prepare struct{ vfs.Preparation }

func (m *Prepare) fields(c *coder) { c.bools(&m.FetchDataless, &m.Xattrs, &m.ACLs, &m.Flags) }

// ClearUmask clears the umask for all requests that follow on the same channel.
type ClearUmask struct{}

func (*ClearUmask) fields(*coder) {}

// PathQuery asks about one or two paths of the host: see [vfs.Host].
type PathQuery struct {
	Query PathQueryKind
	Path  string
	Outer string // for QueryInside, where Path is the inner one
}

func (m *PathQuery) fields(c *coder) {
	unsigned(c, &m.Query, QueryInside, "query")
	c.path(&m.Path)
	c.path(&m.Outer)
}

// maxPaths is how many paths Paths has at most.
const maxPaths = 1 << 12

// A PathQueryKind says which method of vfs.Host a PathQuery asks for.
type PathQueryKind uint8

// The kinds: QueryStat and QueryLstat are answered by AttrAnswer, QueryResolve and QueryInside by Paths.
const (
	QueryStat PathQueryKind = iota
	QueryLstat
	QueryResolve
	QueryInside
)

// Paths answers a PathQuery.
type Paths struct {
	Paths  []string
	Inside bool // for QueryInside
}

func (m *Paths) fields(c *coder) {
	c.atMost(maxPaths, len(m.Paths), "number of paths")
	list(c, &m.Paths, 1, func(path *string, c *coder) { c.path(path) })
	c.bool(&m.Inside)
}

// Account asks for an account, as Host.Account does. Account answers it.
type Account struct{ vfs.Account }

func (m *Account) fields(c *coder) {
	c.bool((*bool)(&m.Kind))
	c.uint32(&m.ID)
	c.text(&m.Name)
}

// OpenPath opens a directory by path, as Host.Open does. It is answered by Opened.
type OpenPath struct {
	New     Handle
	Path    string
	Options vfs.OpenOptions
}

func (m *OpenPath) fields(c *coder) {
	c.opens(&m.New)
	c.path(&m.Path)
	o := &m.Options
	c.bools(&o.Noatime, &o.Trusted, &o.Insecure, &o.Strict, &o.Mkdir, &o.MkdirAll)
	c.mode(&o.Perm)
}

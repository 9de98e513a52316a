package vfs

import (
	"fmt"
	"io/fs"
	"slices"
)

// A Host is a computer whose files are accessed by path. Its system resolves paths: relative to a working directory,
// and through symbolic links. Errors are *fs.PathError. All methods are safe for concurrent use.
type Host interface {
	// Stat returns the attributes of what path leads to. With NoFollow, the last element may be a symbolic link itself.
	Stat(path string, how Resolve) (Attr, error)
	// Resolve returns the absolute path of what path leads to, without symbolic links and dots.
	Resolve(path string) (string, error)
	// Inside reports whether the directory inner is outer or lies below it, whatever paths are given for the two: they
	// may lead through symbolic links, or through a mount that shows a directory a second time. If so, routes are the
	// known relative paths on which a walk through outer may reach inner. Something else may be mounted on such a path,
	// which the caller must check.
	Inside(inner, outer string) (routes []string, inside bool, err error)
	// Open opens the directory that path leads to.
	Open(path string, o OpenOptions) (Dir, error)

	// Prepare sets how the process accesses files from now on. Reading does not change access times where the
	// system supports that.
	Prepare(p Preparation) error
	// ClearUmask clears the umask of the user, so that entries are created with their final permissions, and
	// returns the previous umask.
	ClearUmask() fs.FileMode
	// Account looks an account of the host up by its name or, if that is empty, by its number, and returns it with both.
	// The error matches fs.ErrNotExist if there is none, and errors.ErrUnsupported if the host cannot look it up.
	Account(a Account) (Account, error)
	// Info returns facts that do not change.
	Info() HostInfo
}

// A Preparation says how files of a host will be accessed.
type Preparation struct {
	// FetchDataless says that reading a file whose contents are in the cloud fetches them. Otherwise reading fails
	// rather than wait, possibly forever and uninterruptibly.
	FetchDataless bool
	// Xattrs, ACLs and Flags say what will be read of most entries. A remote host may then send it unasked.
	Xattrs, ACLs, Flags bool
}

// Questions are what a host will likely be asked first. A remote host is asked all of them at once, so that together
// they take one round trip. A question whose answer is not needed after all does no harm.
type Questions struct {
	Preparation          Preparation
	Stat, Lstat, Resolve []string // paths
	Opens                []OpenQuestion
}

// Add adds the questions of o, which has the same Preparation.
func (q *Questions) Add(o Questions) {
	q.Stat, q.Lstat, q.Resolve = slices.Concat(q.Stat, o.Stat), slices.Concat(q.Lstat, o.Lstat), slices.Concat(q.Resolve, o.Resolve)
	q.Opens = slices.Concat(q.Opens, o.Opens)
}

// An OpenQuestion is a call of Host.Open.
type OpenQuestion struct {
	Path    string
	Options OpenOptions
	List    bool // the directory will be listed next
}

// An Account is a user or a group.
type Account struct {
	Kind AccountKind
	ID   uint32
	Name string
}

// An AccountKind says whether an account belongs to a user or to a group.
type AccountKind bool

// The kinds of accounts.
const (
	UserAccount  AccountKind = false
	GroupAccount AccountKind = true
)

// OpenOptions say how Host.Open opens a directory. Those below Trusted are for it: without it,
// they may have no effect.
type OpenOptions struct {
	// Noatime says that reading the directory, and anything opened through it, leaves access times unchanged if the user
	// has permission for that.
	Noatime bool
	// Trusted says that Open returns an [UntrustedLinkError] rather than follow a symbolic link that another user may
	// have planted, and that OpenDir with Follow of the returned directory does the same.
	Trusted  bool
	Insecure bool        // follow every symbolic link nevertheless
	Strict   bool        // follow no link of another user but root, wherever it is
	Mkdir    bool        // make the last element of the path if it is missing
	MkdirAll bool        // make every element that is missing
	Perm     fs.FileMode // of the directories that are made, before the umask
}

// A HostInfo describes a host.
type HostInfo struct {
	System string // the operating system, as in GOOS
	User   User   // whose permissions apply
	BootID string // identifies the running system of another host until it boots again, or is empty if that is unknown
}

// A User is a user of a host.
type User struct {
	UID, GID int
	Groups   []int // supplementary groups
}

// Privileged reports whether the user is root, who can usually set any attribute.
func (u User) Privileged() bool { return u.UID == 0 }

// In reports whether the user is in a group, and so can give files to it.
func (u User) In(gid uint32) bool {
	return u.GID == int(gid) || slices.Contains(u.Groups, int(gid))
}

// An UntrustedLinkError says that a path leads through a symbolic link that another user may have planted.
type UntrustedLinkError struct {
	Owner  uint32 // of the link
	Strict bool   // links of others are not followed wherever they are
}

func (e *UntrustedLinkError) Error() string {
	where := " in a directory that others can write to"
	if e.Strict {
		where = ""
	}
	return fmt.Sprintf("not following a symbolic link of user %d%s (--insecure-links follows it)", e.Owner, where)
}

// HostDev returns the number by which a device of a host is known here. Host 0 is the one that psync runs on. The
// devices of each other host get numbers of their own, so that no two entries on different hosts have the same [ID].
// Implementations of Host return all device numbers in this form.
func HostDev(host uint8, dev uint64) uint64 {
	if host == 0 {
		return dev
	}
	return 1<<63 | uint64(host)<<systemDevBits | SystemDev(dev)
}

// systemDevBits is more than the bits of st_dev, apart from the sign extension of negative ones.
const systemDevBits = 48

// SystemDev returns the number by which a host itself knows a device, without bits that carry no information, given a
// number returned by [HostDev]. Two hosts that are the same running system have the same number for a device.
func SystemDev(dev uint64) uint64 { return dev & (1<<systemDevBits - 1) }

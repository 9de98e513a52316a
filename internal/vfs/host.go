package vfs

import (
	"fmt"
	"io/fs"
	"slices"
	"time"
)

// A Host is a computer whose files are accessed by path as its system resolves paths: relative to a
// working directory, and through symbolic links. Errors are *fs.PathError. All methods are safe for concurrent use.
type Host interface {
	// Stat returns the attributes of what path leads to, Lstat those of a symbolic link itself.
	Stat(path string) (Attr, error)
	Lstat(path string) (Attr, error)
	// Resolve returns the absolute path of what path leads to, without symbolic links and dots.
	Resolve(path string) (string, error)
	// Inside reports whether the directory inner is outer or lies below it, by whatever names the two
	// are called: through symbolic links, or through a mount that shows a directory a second time.
	Inside(inner, outer string) (bool, error)
	// Routes returns the relative paths on which a walk through the directory outer may reach the
	// directory inner. Something else may be mounted on such a path, which the caller must check.
	Routes(inner, outer string) ([]string, error)
	// Open opens the directory that path leads to. With noatime, reading it, and anything opened
	// through it, leaves access times unchanged where the user has permission for that.
	Open(path string, noatime bool) (Dir, error)
	// OpenTrusted opens the directory that path leads to, and makes it if o says so. Unless o says otherwise, it
	// returns an [UntrustedLinkError] rather than follow a symbolic link that another user may have
	// planted, and so does FollowDir of the directory that it returns.
	OpenTrusted(path string, o OpenOptions) (Dir, error)

	// Prepare sets how the process accesses files from now on. Reading does not change access times where the
	// system supports that.
	Prepare(p Preparation) error
	// ClearUmask clears the umask of the user, so that entries are created with their final permissions, and
	// returns the previous umask.
	ClearUmask() fs.FileMode
	// AccountName returns the name of a user or group of the host, and AccountID the number of one. If there is
	// none, the error matches fs.ErrNotExist; if the host cannot tell, errors.ErrUnsupported.
	AccountName(k AccountKind, id uint32) (string, error)
	AccountID(k AccountKind, name string) (uint32, error)
	// User returns the user whose permissions apply.
	User() User
	// System returns the name of the operating system, as in GOOS.
	System() string
	// Kernel identifies the running system.
	Kernel() Kernel
}

// A Preparation says how files of a host will be accessed.
type Preparation struct {
	// FetchDataless has files whose contents are in the cloud fetched; otherwise reading them fails rather
	// than wait, possibly for ever and uninterruptibly.
	FetchDataless bool
	// Xattrs, ACLs and Flags say what will be read of most entries, which a host far away may then send unasked.
	Xattrs, ACLs, Flags bool
}

// Questions are what a host will likely be asked first. One that is far away is asked all of them at once, so that they
// take one round trip together. A question that turns out to be in vain does no harm.
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

// An OpenQuestion is a call of Host.Open or, if Trusted is true, of Host.OpenTrusted.
type OpenQuestion struct {
	Path    string
	Noatime bool
	Trusted bool
	Options OpenOptions
	List    bool // the directory will be listed next
}

// An AccountKind says whether an account is one of a user or of a group.
type AccountKind bool

// The kinds.
const (
	UserAccount  AccountKind = false
	GroupAccount AccountKind = true
)

// OpenOptions say how Host.OpenTrusted opens a directory.
type OpenOptions struct {
	Insecure bool        // follow every symbolic link
	Mkdir    bool        // make the last element of the path if it is missing
	MkdirAll bool        // make every element that is missing
	Perm     fs.FileMode // of the directories that are made, before the umask
}

// A User is a user of a host.
type User struct {
	UID, GID int
	Groups   []int // supplementary ones
}

// Privileged reports whether the user is root, who may, as a rule, set any attribute.
func (u User) Privileged() bool { return u.UID == 0 }

// In reports whether the user is in a group, and so may give files to it.
func (u User) In(gid uint32) bool {
	return u.GID == int(gid) || slices.Contains(u.Groups, int(gid))
}

// A Kernel identifies a running system. Unknown fields are empty.
type Kernel struct {
	Hostname  string
	Machine   string    // an identifier that stays the same
	Boot      string    // an identifier that changes with every boot
	Booted    time.Time // when the system was booted
	Processes string    // the namespace of process numbers
}

// An UntrustedLinkError says that a path leads through a symbolic link that another
// user may have planted.
type UntrustedLinkError struct {
	Owner uint32 // of the link
}

func (e *UntrustedLinkError) Error() string {
	return fmt.Sprintf("not following a symbolic link of user %d in a directory that others can write to (--insecure-links follows it)", e.Owner)
}

// HostDev returns the number by which a device of a host is known here. Host 0 is the one that
// psync runs on; the devices of every other one are set apart, so that no entry has the [ID] of one on another
// host: an implementation of Host returns all device numbers in this form.
func HostDev(host uint8, dev uint64) uint64 {
	if host == 0 {
		return dev
	}
	return 1<<63 | uint64(host)<<systemDevBits | SystemDev(dev)
}

// systemDevBits are more than st_dev has, but for the sign of some, which are negative.
const systemDevBits = 48

// SystemDev returns the number by which a host itself knows a device, but for bits that tell nothing, from one that
// [HostDev] has returned. Two hosts that are the same running system
// have the same number for a device.
func SystemDev(dev uint64) uint64 { return dev & (1<<systemDevBits - 1) }

package vfs

// A Resolve says how [Dir].OpenDir resolves a name, and [Host].Stat the last element of a path, like the flags of
// openat2(2). Hosts send it to each other, so a value keeps its number.
type Resolve uint8

// The values of Resolve.
const (
	NoFollow Resolve = iota // the entry itself, which must not be a symbolic link
	Follow                  // what the entry leads to, inside the tree or not, if it is a symbolic link
	NoXDev                  // as NoFollow; for a mount point, also of the same file system, the error matches ErrMount
	// Parent is the parent of the directory; the name must be "..". If the directory has been moved, that is not the one
	// it was opened in; the caller must check that.
	Parent
)

// OpenDir opens a directory as the method of in does, for callers of [Descend].
func (how Resolve) OpenDir(in Dir, name string) (Dir, error) { return in.OpenDir(name, how) }

// An OpenMode says how [Dir].OpenFile opens a file, as the flags of open(2) do.
type OpenMode uint8

// The values of OpenMode.
const (
	ReadOnly   OpenMode = iota // an existing file
	ReadFollow                 // an existing file, to which a symbolic link may lead
	ReadWrite                  // an existing file, which is not changed by opening it
	Create                     // O_CREAT and O_EXCL, for writing: if the name exists, the error matches fs.ErrExist
	// OpenCreate is O_CREAT without O_EXCL, for writing. The caller must determine whether that made the file.
	OpenCreate
	// CreateAsync is Create that may return before it is known whether that succeeds. If it fails, Commit returns the error
	// at the latest, and nothing of the file is left: the caller must not remove the name, which may belong to another
	// entry. The file exists only after Commit.
	CreateAsync
)

// An Advice says how a file will be used. Where the system does not support it, it has no effect.
type Advice uint8

// The values of Advice.
const (
	Sequential Advice = iota // the file will be read once, in order
	NoReuse                  // data read and written from now on should not stay in the cache
	// DontNeed waits until what was written has been stored, and returns the error if that fails. If the system supports
	// it, it also removes the file from the cache, so that later reads come from the volume.
	DontNeed
)

// A FallocateMode says what [File].Fallocate does.
type FallocateMode string

// The values of FallocateMode.
const (
	// Preallocate allocates blocks for a new file; off is 0. Those beyond its length are freed when it is truncated.
	Preallocate FallocateMode = "preallocate"
	// PunchHole makes the bytes read as zeros and frees their blocks, except blocks shared with other bytes. After an
	// error, any of these bytes may be zero.
	PunchHole FallocateMode = "punchhole"
)

// Writes reports whether a file is opened for writing.
func (m OpenMode) Writes() bool { return m >= ReadWrite }

// Needs returns the caps that OpenFile needs.
func (m OpenMode) Needs() Caps {
	return [...]Caps{OpenCreate: CanOpenCreate, CreateAsync: CanCreateAsync}[m]
}

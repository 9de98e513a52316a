package delayfs

import (
	"syscall"

	"github.com/hanwen/go-fuse/v2/fuse"
)

// raw counts and delays the operations on the file system that it embeds. Its methods are in the order of
// [fuse.RawFileSystem].
type raw struct {
	fuse.RawFileSystem
	fs      *FS
	umask   uint32
	forgets bool
}

func (r *raw) begin(op string) {
	r.fs.count(op)
	if d := r.fs.delay.Load(); d > 0 {
		// time.Sleep may take a millisecond for a shorter delay.
		t := syscall.NsecToTimespec(d)
		for syscall.Nanosleep(&t, &t) == syscall.EINTR {
		}
	}
}

type done = <-chan struct{} // closed when an operation is interrupted

func (r *raw) Lookup(c done, in *fuse.InHeader, name string, out *fuse.EntryOut) fuse.Status {
	r.begin("LOOKUP")
	return r.RawFileSystem.Lookup(c, in, name, out)
}

func (r *raw) GetAttr(c done, in *fuse.GetAttrIn, out *fuse.AttrOut) fuse.Status {
	r.begin("GETATTR")
	return r.RawFileSystem.GetAttr(c, in, out)
}

func (r *raw) SetAttr(c done, in *fuse.SetAttrIn, out *fuse.AttrOut) fuse.Status {
	r.begin("SETATTR")
	if r.forgets {
		in.Valid &^= fuse.FATTR_MODE | fuse.FATTR_UID | fuse.FATTR_GID
	}
	return r.RawFileSystem.SetAttr(c, in, out)
}

func (r *raw) Mknod(c done, in *fuse.MknodIn, name string, out *fuse.EntryOut) fuse.Status {
	r.begin("MKNOD")
	return r.chmod(c, in.InHeader, in.Mode, out, r.RawFileSystem.Mknod(c, in, name, out))
}

func (r *raw) Mkdir(c done, in *fuse.MkdirIn, name string, out *fuse.EntryOut) fuse.Status {
	r.begin("MKDIR")
	return r.chmod(c, in.InHeader, in.Mode, out, r.RawFileSystem.Mkdir(c, in, name, out))
}

func (r *raw) Unlink(c done, in *fuse.InHeader, name string) fuse.Status {
	r.begin("UNLINK")
	return r.RawFileSystem.Unlink(c, in, name)
}

func (r *raw) Rmdir(c done, in *fuse.InHeader, name string) fuse.Status {
	r.begin("RMDIR")
	return r.RawFileSystem.Rmdir(c, in, name)
}

func (r *raw) Rename(c done, in *fuse.RenameIn, from, to string) fuse.Status {
	r.begin("RENAME")
	return r.RawFileSystem.Rename(c, in, from, to)
}

func (r *raw) Link(c done, in *fuse.LinkIn, name string, out *fuse.EntryOut) fuse.Status {
	r.begin("LINK")
	return r.RawFileSystem.Link(c, in, name, out)
}

func (r *raw) Symlink(c done, in *fuse.InHeader, target, name string, out *fuse.EntryOut) fuse.Status {
	r.begin("SYMLINK")
	return r.RawFileSystem.Symlink(c, in, target, name, out)
}

func (r *raw) Readlink(c done, in *fuse.InHeader) ([]byte, fuse.Status) {
	r.begin("READLINK")
	return r.RawFileSystem.Readlink(c, in)
}

func (r *raw) Access(c done, in *fuse.AccessIn) fuse.Status {
	r.begin("ACCESS")
	return r.RawFileSystem.Access(c, in)
}

func (r *raw) GetXAttr(c done, in *fuse.InHeader, name string, dest []byte) (uint32, fuse.Status) {
	r.begin("GETXATTR")
	return r.RawFileSystem.GetXAttr(c, in, name, dest)
}

func (r *raw) ListXAttr(c done, in *fuse.InHeader, dest []byte) (uint32, fuse.Status) {
	r.begin("LISTXATTR")
	return r.RawFileSystem.ListXAttr(c, in, dest)
}

func (r *raw) SetXAttr(c done, in *fuse.SetXAttrIn, name string, data []byte) fuse.Status {
	r.begin("SETXATTR")
	return r.RawFileSystem.SetXAttr(c, in, name, data)
}

func (r *raw) RemoveXAttr(c done, in *fuse.InHeader, name string) fuse.Status {
	r.begin("REMOVEXATTR")
	return r.RawFileSystem.RemoveXAttr(c, in, name)
}

func (r *raw) Create(c done, in *fuse.CreateIn, name string, out *fuse.CreateOut) fuse.Status {
	r.begin("CREATE")
	return r.chmod(c, in.InHeader, in.Mode, &out.EntryOut, r.RawFileSystem.Create(c, in, name, out))
}

func (r *raw) Tmpfile(c done, in *fuse.CreateIn, out *fuse.CreateOut) fuse.Status {
	r.begin("TMPFILE")
	return r.RawFileSystem.Tmpfile(c, in, out)
}

func (r *raw) Open(c done, in *fuse.OpenIn, out *fuse.OpenOut) fuse.Status {
	r.begin("OPEN")
	return r.RawFileSystem.Open(c, in, out)
}

func (r *raw) Read(c done, in *fuse.ReadIn, buf []byte) (fuse.ReadResult, fuse.Status) {
	r.begin("READ")
	return r.RawFileSystem.Read(c, in, buf)
}

func (r *raw) Lseek(c done, in *fuse.LseekIn, out *fuse.LseekOut) fuse.Status {
	r.begin("LSEEK")
	return r.RawFileSystem.Lseek(c, in, out)
}

func (r *raw) GetLk(c done, in *fuse.LkIn, out *fuse.LkOut) fuse.Status {
	r.begin("GETLK")
	return r.RawFileSystem.GetLk(c, in, out)
}

func (r *raw) SetLk(c done, in *fuse.LkIn) fuse.Status {
	r.begin("SETLK")
	return r.RawFileSystem.SetLk(c, in)
}

func (r *raw) SetLkw(c done, in *fuse.LkIn) fuse.Status {
	r.begin("SETLKW")
	return r.RawFileSystem.SetLkw(c, in)
}

func (r *raw) Release(c done, in *fuse.ReleaseIn) {
	r.begin("RELEASE")
	r.RawFileSystem.Release(c, in)
}

func (r *raw) Write(c done, in *fuse.WriteIn, data []byte) (uint32, fuse.Status) {
	r.begin("WRITE")
	return r.RawFileSystem.Write(c, in, data)
}

// Writev refuses, so that the server calls Write instead.
func (r *raw) Writev(done, *fuse.WriteIn, [][]byte) (uint32, fuse.Status) {
	return 0, fuse.ENOSYS
}

func (r *raw) CopyFileRange(c done, in *fuse.CopyFileRangeIn) (uint32, fuse.Status) {
	r.begin("COPY_FILE_RANGE")
	return r.RawFileSystem.CopyFileRange(c, in)
}

func (r *raw) Ioctl(c done, in *fuse.IoctlIn, data []byte, out *fuse.IoctlOut, dest []byte) fuse.Status {
	r.begin("IOCTL")
	return r.RawFileSystem.Ioctl(c, in, data, out, dest)
}

func (r *raw) Flush(c done, in *fuse.FlushIn) fuse.Status {
	r.begin("FLUSH")
	return r.RawFileSystem.Flush(c, in)
}

func (r *raw) Fsync(c done, in *fuse.FsyncIn) fuse.Status {
	r.begin("FSYNC")
	return r.RawFileSystem.Fsync(c, in)
}

func (r *raw) Fallocate(c done, in *fuse.FallocateIn) fuse.Status {
	r.begin("FALLOCATE")
	return r.RawFileSystem.Fallocate(c, in)
}

func (r *raw) OpenDir(c done, in *fuse.OpenIn, out *fuse.OpenOut) fuse.Status {
	r.begin("OPENDIR")
	return r.RawFileSystem.OpenDir(c, in, out)
}

func (r *raw) ReadDir(c done, in *fuse.ReadIn, out *fuse.DirEntryList) fuse.Status {
	r.begin("READDIR")
	return r.RawFileSystem.ReadDir(c, in, out)
}

func (r *raw) ReadDirPlus(c done, in *fuse.ReadIn, out *fuse.DirEntryList) fuse.Status {
	r.begin("READDIRPLUS")
	return r.RawFileSystem.ReadDirPlus(c, in, out)
}

func (r *raw) ReleaseDir(in *fuse.ReleaseIn) {
	r.begin("RELEASEDIR")
	r.RawFileSystem.ReleaseDir(in)
}

func (r *raw) FsyncDir(c done, in *fuse.FsyncIn) fuse.Status {
	r.begin("FSYNCDIR")
	return r.RawFileSystem.FsyncDir(c, in)
}

func (r *raw) StatFs(c done, in *fuse.InHeader, out *fuse.StatfsOut) fuse.Status {
	r.begin("STATFS")
	return r.RawFileSystem.StatFs(c, in, out)
}

// chmod gives a new entry the requested mode, from which the kernel has already removed the umask of the user.
// The umask of the serving process must not apply, but Options.Umask must.
func (r *raw) chmod(c done, in fuse.InHeader, mode uint32, out *fuse.EntryOut, made fuse.Status) fuse.Status {
	const bits = ^uint32(syscall.S_IFMT)
	mode &^= r.umask
	if !made.Ok() || out.Mode&bits == mode&bits {
		return made
	}
	in.NodeId = out.NodeId
	set := fuse.SetAttrIn{SetAttrInCommon: fuse.SetAttrInCommon{InHeader: in, Valid: fuse.FATTR_MODE, Mode: mode & bits}}
	var attr fuse.AttrOut
	status := r.RawFileSystem.SetAttr(c, &set, &attr)
	out.Attr = attr.Attr
	return status
}

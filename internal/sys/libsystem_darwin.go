package sys

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Functions of libSystem that x/sys lacks, called as x/sys calls the others: macOS
// guarantees a stable C library, but not stable system call numbers. None of
// them is variadic; variadic functions take their arguments on the stack on
// arm64, and can only be called through x/sys. All exist since macOS 10.13.

// Implemented in the runtime (runtime/sys_darwin.go).
//
//go:linkname syscall_syscall syscall.syscall
func syscall_syscall(fn, a1, a2, a3 uintptr) (r1, r2 uintptr, err syscall.Errno)

//go:linkname syscall_syscall6 syscall.syscall6
func syscall_syscall6(fn, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2 uintptr, err syscall.Errno)

// syscall_syscall6X is for 64-bit results.
//
//go:linkname syscall_syscall6X syscall.syscall6X
func syscall_syscall6X(fn, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2 uintptr, err syscall.Errno)

// syscall_syscallPtr is for pointer results, where nil means an error.
//
//go:linkname syscall_syscallPtr syscall.syscallPtr
func syscall_syscallPtr(fn, a1, a2, a3 uintptr) (r1, r2 uintptr, err syscall.Errno)

//go:cgo_import_dynamic libc_closedir closedir "/usr/lib/libSystem.B.dylib"
//go:cgo_import_dynamic libc_fdopendir fdopendir "/usr/lib/libSystem.B.dylib"
//go:cgo_import_dynamic libc_fgetattrlist fgetattrlist "/usr/lib/libSystem.B.dylib"
//go:cgo_import_dynamic libc_fgetxattr fgetxattr "/usr/lib/libSystem.B.dylib"
//go:cgo_import_dynamic libc_fsetattrlist fsetattrlist "/usr/lib/libSystem.B.dylib"
//go:cgo_import_dynamic libc_fsetxattr fsetxattr "/usr/lib/libSystem.B.dylib"
//go:cgo_import_dynamic libc_futimens futimens "/usr/lib/libSystem.B.dylib"
//go:cgo_import_dynamic libc_getattrlist getattrlist "/usr/lib/libSystem.B.dylib"
//go:cgo_import_dynamic libc_getattrlistat getattrlistat "/usr/lib/libSystem.B.dylib"
//go:cgo_import_dynamic libc_readdir_r readdir_r "/usr/lib/libSystem.B.dylib"
//go:cgo_import_dynamic libc_setattrlistat setattrlistat "/usr/lib/libSystem.B.dylib"
//go:cgo_import_dynamic libc_setiopolicy_np setiopolicy_np "/usr/lib/libSystem.B.dylib"

// On amd64 the linker appends $INODE64 to fdopendir and readdir_r, for the functions with the plain
// names fill in a struct dirent whose inode numbers have 32 bits.

// Set in libsystem_darwin.s.
var (
	closedirAddr      uintptr
	fdopendirAddr     uintptr
	fgetattrlistAddr  uintptr
	fgetxattrAddr     uintptr
	fsetattrlistAddr  uintptr
	fsetxattrAddr     uintptr
	futimensAddr      uintptr
	getattrlistAddr   uintptr
	getattrlistatAddr uintptr
	readdirRAddr      uintptr
	setattrlistatAddr uintptr
	setiopolicyAddr   uintptr
)

// result converts an errno to an error, and 0 to nil.
func result(errno syscall.Errno) error {
	if errno != 0 {
		return errno
	}
	return nil
}

func getattrlist(path string, list *unix.Attrlist, buf []byte) error {
	p, err := unix.BytePtrFromString(path)
	if err != nil {
		return err
	}
	return IgnoringEINTR(func() error {
		_, _, errno := syscall_syscall6(getattrlistAddr, uintptr(unsafe.Pointer(p)),
			uintptr(unsafe.Pointer(list)), uintptr(unsafe.Pointer(unsafe.SliceData(buf))), uintptr(len(buf)), 0, 0)
		return result(errno)
	})
}

// attrlistat calls getattrlistat or setattrlistat, whose address it takes, for an entry that may be a symbolic link.
func attrlistat(addr uintptr, dirfd int, name string, list *unix.Attrlist, buf []byte) error {
	p, err := unix.BytePtrFromString(name)
	if err != nil {
		return err
	}
	return IgnoringEINTR(func() error {
		_, _, errno := syscall_syscall6(addr, uintptr(dirfd), uintptr(unsafe.Pointer(p)),
			uintptr(unsafe.Pointer(list)), uintptr(unsafe.Pointer(unsafe.SliceData(buf))), uintptr(len(buf)), unix.FSOPT_NOFOLLOW)
		return result(errno)
	})
}

// fattrlist calls fgetattrlist or fsetattrlist, whose address it takes.
func fattrlist(addr uintptr, fd int, list *unix.Attrlist, buf []byte) error {
	return IgnoringEINTR(func() error {
		_, _, errno := syscall_syscall6(addr, uintptr(fd),
			uintptr(unsafe.Pointer(list)), uintptr(unsafe.Pointer(unsafe.SliceData(buf))), uintptr(len(buf)), 0, 0)
		return result(errno)
	})
}

// FgetxattrAt reads an extended attribute from a position on, which must be 0 except for
// com.apple.ResourceFork. With a nil p it returns the attribute's length in bytes.
func FgetxattrAt(fd int, name string, p []byte, position uint32) (n int, err error) {
	s, err := unix.BytePtrFromString(name)
	if err != nil {
		return 0, err
	}
	err = IgnoringEINTR(func() error {
		r, _, errno := syscall_syscall6X(fgetxattrAddr, uintptr(fd), uintptr(unsafe.Pointer(s)),
			uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)), uintptr(position), 0)
		n = int(r)
		return result(errno)
	})
	return max(n, 0), err
}

// FsetxattrAt writes all of p into an extended attribute from a position on, which must be 0 except for
// com.apple.ResourceFork. The rest of the attribute stays unchanged.
func FsetxattrAt(fd int, name string, p []byte, position uint32) error {
	s, err := unix.BytePtrFromString(name)
	if err != nil {
		return err
	}
	return IgnoringEINTR(func() error {
		_, _, errno := syscall_syscall6(fsetxattrAddr, uintptr(fd), uintptr(unsafe.Pointer(s)),
			uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)), uintptr(position), 0)
		return result(errno)
	})
}

// Futimens sets the access and modification time of an open file, with nanosecond resolution.
func Futimens(fd int, times *[2]unix.Timespec) error {
	return IgnoringEINTR(func() error {
		_, _, errno := syscall_syscall(futimensAddr, uintptr(fd), uintptr(unsafe.Pointer(times)), 0)
		return result(errno)
	})
}

func setiopolicy(kind, scope, policy int) error {
	_, _, errno := syscall_syscall(setiopolicyAddr, uintptr(kind), uintptr(scope), uintptr(policy))
	return result(errno)
}

package cli

import (
	"io"
	"os"

	"psync/internal/localfs"
	"psync/internal/operand"
	"psync/internal/vfs"
)

// thisHost is the host that psync runs on and that all operands are on. Another file system needs another
// implementation of vfs.Host, which operandHosts returns for the operands that name it.
func thisHost() vfs.Host { return localfs.Host{} }

func operandHosts() operand.Hosts { return operand.Hosts{Source: thisHost(), Dest: thisHost()} }

// openInput opens a file that a flag such as --files-from names, or standard input. Such a file is always on
// the user's own machine, and may be a pipe, so it is not opened through a [vfs.Host], as operands are.
func openInput(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(os.Stdin), nil
	}
	return os.Open(name)
}

// exists reports whether an argument is, or may be, the path of an entry.
func exists(arg string) bool { return operand.Exists(thisHost(), arg) }

// hasSELinux reports whether the system of a host controls access by security contexts.
func hasSELinux(host vfs.Host) bool {
	_, err := host.Stat("/sys/fs/selinux/enforce")
	return err == nil
}

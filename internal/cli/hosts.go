package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"psync/internal/localfs"
	"psync/internal/operand"
	"psync/internal/operand/location"
	"psync/internal/vfs"
)

var (
	errRemote       = errors.New("remote operand")
	errSeveralHosts = errors.New("the operands are on several hosts")
)

// thisHost is the host that psync runs on.
func thisHost() vfs.Host { return localfs.Host{} }

// locate parses operands and returns their paths, and the host that all of them are on.
func locate(args []string) (paths []string, on location.Remote, err error) {
	for i, arg := range args {
		if arg == "" {
			return nil, on, operand.ErrEmpty
		}
		l, err := location.Parse(arg)
		if err != nil {
			return nil, on, err
		}
		if !l.Remote.IsLocal() {
			return nil, on, fmt.Errorf("%w: %s", errRemote, arg)
		}
		if i > 0 && l.Remote != on {
			return nil, on, errSeveralHosts
		}
		paths, on = append(paths, l.Path), l.Remote
	}
	return paths, on, nil
}

// connect returns a host. Another file system needs another implementation of [vfs.Host], which connect returns
// for the operands that name it.
func connect(location.Remote) operand.Host { return operand.Host{Host: thisHost()} }

// operandHosts returns the paths of the operands SRC... DST, and the hosts that they are on.
func operandHosts(args []string) (paths []string, hosts operand.Hosts, err error) {
	last := len(args) - 1
	paths, source, err := locate(args[:last])
	if err != nil {
		return nil, hosts, err
	}
	dst, dest, err := locate(args[last:])
	if err != nil {
		return nil, hosts, err
	}
	hosts.Source, hosts.Dest = connect(source), connect(dest)
	return append(paths, dst...), hosts, nil
}

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

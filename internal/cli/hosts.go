package cli

import (
	"psync/internal/localfs"
	"psync/internal/operand"
	"psync/internal/vfs"
)

// thisHost is the host that psync runs on and that all operands are on. Another file system needs another
// implementation of vfs.Host, which operandHosts returns for the operands that name it.
func thisHost() vfs.Host { return localfs.Host{} }

func operandHosts() operand.Hosts { return operand.Hosts{Source: thisHost(), Dest: thisHost()} }

// exists reports whether an argument is, or may be, the path of an entry.
func exists(arg string) bool { return operand.Exists(thisHost(), arg) }

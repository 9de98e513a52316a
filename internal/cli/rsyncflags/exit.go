package rsyncflags

import (
	"errors"
	"io/fs"
	"os/exec"

	"psync/internal/sshconn/client"
	"psync/internal/sshconn/hosterror"
	"psync/internal/sshhost"
	"psync/internal/vfs"
)

// Exit codes of rsync for hosts.
const (
	exitIPC     = 14  // the command of -e could not be started
	exitTimeout = 30  // --timeout has run out
	exitConnect = 35  // --contimeout has run out
	exitSSH     = 255 // of ssh, for a host that cannot be reached or does not let the user in
)

// ExitCode returns the exit code of rsync for a run that has ended with err, where that of psync is code.
func (l Line) ExitCode(code int, err error) int {
	var lost *vfs.LostError
	var failed *hosterror.Error
	var start *fs.PathError
	var exit *client.ExitError
	var silent hosterror.TimeoutError
	switch {
	case errors.As(err, &lost):
		if errors.As(err, &silent) && l.Timeout {
			return exitTimeout
		}
	case !errors.As(err, &failed):
	case errors.As(err, &silent) && l.ConnectTimeout:
		return exitConnect
	case errors.As(err, &silent) && l.Timeout:
		return exitTimeout
	case errors.As(err, new(*exec.Error)), errors.As(err, &start) && start.Op == "fork/exec":
		return exitIPC
	case errors.As(err, &exit):
		if exit.Status == exitSSH {
			return exitSSH
		}
	case !sshhost.Reached(err):
		return exitSSH
	}
	return code
}

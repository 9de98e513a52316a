package cli

import (
	"context"
	"errors"
	"strconv"

	"github.com/spf13/cobra"

	"psync/internal/cli/flags"
	"psync/internal/engine"
	"psync/internal/engine/job"
	"psync/internal/operand/location"
	"psync/internal/report"
	"psync/internal/run"
	"psync/internal/sshconn/hosterror"
	"psync/internal/sshhost"
	"psync/internal/vfs"
)

// Exit codes, as in rsync.
const (
	ExitOK          = 0
	ExitUsage       = 1
	ExitProtocol    = 2  // the psync on another host is of another generation, and there is no SFTP
	ExitOperands    = 3  // a source is missing, source and destination overlap, ...
	ExitFatal       = 11 // the destination is full or read-only, SRC or DST was unmounted, or standard output was lost
	ExitConnection  = 12 // a host could not be reached, or the connection to it was lost; or a volume did not answer
	ExitInterrupted = 20
	ExitFailed      = 23 // some entries, or attributes asked for, could not be copied
	ExitVanished    = 24 // some source entries were gone when their turn came
	ExitMaxDelete   = 25 // nothing was removed, because there was more to remove than --max-delete allows
	ExitIncomplete  = 26 // the journal says that directories are not done
	ExitTimeOver    = 30 // --stop-after, --stop-at or --max-transfer ended the run
)

// usageExit is the annotation of a verb with a special exit code for a wrong command line.
const usageExit = "usage-exit"

// Exit codes of compare, as in cmp and diff.
const (
	ExitDiffers = 1
	ExitTrouble = 2
)

// exitCode returns the exit code of a run that was started.
func exitCode(t report.Totals, err error) int {
	switch {
	case errors.Is(err, run.ErrInterrupted) || errors.Is(err, context.Canceled):
		return ExitInterrupted
	case errors.As(err, new(*run.MemberError)):
		return ExitUsage
	case errors.As(err, new(*engine.FatalError)), errors.As(err, new(*engine.RootError)):
		return ExitFatal
	case isConnection(err):
		return ExitConnection
	case errors.As(err, new(*engine.StopError)):
		return ExitTimeOver
	case errors.As(err, new(*job.LimitError)):
		return ExitMaxDelete
	case errors.As(err, new(*run.IncompleteError)) && t[report.Failed] == 0 && t[report.Unkeeps] == 0:
		return ExitIncomplete
	case err != nil || t[report.Failed] > 0 || t[report.Unkeeps] > 0:
		return ExitFailed
	case t[report.Vanished] > 0:
		return ExitVanished
	}
	return ExitOK
}

// exitOf returns the exit code of a run that was started, by its files, too.
func exitOf(r run.Result) int {
	code := exitCode(r.Totals, r.Err)
	if r.Shared != nil {
		code = *r.Shared // what failed here may have been done elsewhere
	}
	for _, err := range r.Files {
		switch {
		case errors.Is(err, run.ErrInterrupted):
			return ExitInterrupted
		case code != ExitOK:
		case errors.As(err, new(*run.MHLError)):
			code = ExitFailed
		default:
			code = withoutOutput(code, false)
		}
	}
	return code
}

// compareExit returns the exit code of a comparison that would have exited with code as a copy.
func compareExit(code int, differences int64) int {
	switch {
	case code == ExitInterrupted:
		return ExitInterrupted
	case code != ExitOK:
		return ExitTrouble
	case differences > 0:
		return ExitDiffers
	}
	return ExitOK
}

// usageCode returns the exit code of a verb for a wrong command line.
func usageCode(c *cobra.Command) int {
	if code, err := strconv.Atoi(c.Annotations[usageExit]); err == nil {
		return code
	}
	return ExitUsage
}

// exitOfError returns the exit code of a run that could not take place because of err.
func (a *app) exitOfError(err error) int {
	switch {
	case errors.Is(err, run.ErrInterrupted):
		return ExitInterrupted
	case a.unstarted != 0:
		return a.unstarted
	case errors.As(err, new(*run.MemberError)), errors.As(err, new(*metricsError)), errors.As(err, new(*location.Error)), errors.As(err, new(*flags.AccountError)),
		errors.Is(err, run.ErrSeveralHosts), errors.Is(err, run.ErrNoHost):
		return ExitUsage
	case errors.As(err, new(*sshhost.ProtocolError)):
		return ExitProtocol
	case isConnection(err):
		return ExitConnection
	case errors.As(err, new(*engine.FatalError)):
		return ExitFatal
	case isUntrusted(err):
		return ExitFailed
	}
	return ExitOperands
}

// isUntrusted reports whether an error says that a link was not followed because another user may have planted it.
func isUntrusted(err error) bool { return errors.As(err, new(*vfs.UntrustedLinkError)) }

// isConnection reports whether an error says that a host cannot be reached any more, or could not be.
func isConnection(err error) bool {
	return errors.As(err, new(*vfs.LostError)) || errors.As(err, new(*hosterror.Error))
}

// withoutOutput returns the exit code of a program that has lost its output and would have exited with code
// otherwise. A comparison without its output has failed, whatever its result.
func withoutOutput(code int, comparison bool) int {
	switch {
	case comparison:
		return ExitTrouble
	case code == ExitOK:
		return ExitFatal
	}
	return code
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"psync/internal/cli/flags"
	"psync/internal/localfs"
	"psync/internal/operand"
	"psync/internal/operand/location"
	"psync/internal/report"
	"psync/internal/sshconn"
	"psync/internal/sshhost"
	"psync/internal/ui"
	"psync/internal/version"
	"psync/internal/vfs"
)

var (
	errSeveralHosts = errors.New("the operands are on several hosts")
	errNoHost       = errors.New("is how another host is reached, but every operand is on this one")
)

// locate parses operands and returns their paths, and the host that all of them are on.
func locate(args []string) (paths []string, on location.Account, err error) {
	for i, arg := range args {
		if arg == "" {
			return nil, on, operand.ErrEmpty
		}
		l, err := location.Parse(arg)
		switch {
		case err != nil:
			return nil, on, err
		case i > 0 && l.Account != on:
			return nil, on, errSeveralHosts
		case !l.Account.IsHere() && l.Path == "":
			l.Path = "." // the home directory
		}
		paths, on = append(paths, l.Path), l.Account
	}
	return paths, on, nil
}

// A questioner returns what hosts will be asked first about the paths SRC... DST, where those of this host are here.
type questioner func(paths []string, o operand.Options, here vfs.Host) (source, dest vfs.Questions)

// connectPair returns the paths of the operands SRC... DST, and connects to the hosts that they are on. Nothing is
// connected to before all operands have been parsed. What the hosts will be asked first is asked at once.
func (a *app) connectPair(ctx context.Context, o *flags.Options, args []string, ask questioner) (paths []string, hosts operand.Hosts, err error) {
	last := len(args) - 1
	src, from, err := locate(args[:last])
	if err != nil {
		return nil, hosts, err
	}
	dst, to, err := locate(args[last:])
	switch {
	case err != nil:
	case from.IsHere() && to.IsHere():
		err = lacksHost(o)
	default:
		err = checkSSHConfig(o)
	}
	if err != nil {
		return nil, hosts, err
	}
	paths = append(src, dst...)
	var here vfs.Host
	if from.IsHere() {
		here = localfs.Host{}
	}
	var source, dest vfs.Questions
	if !from.IsHere() || !to.IsHere() {
		source, dest = ask(paths, o.Operands, here)
	}
	if from == to {
		source.Add(dest)
	}
	if !from.IsHere() && !to.IsHere() && from != to {
		a.openDialer(o).Start(ctx, to)
	}
	if hosts.Source, err = a.connect(ctx, o, from, args[:last], &source, &o.Volumes.SourceCalls); err != nil {
		return nil, hosts, err
	}
	if hosts.Dest, err = a.connect(ctx, o, to, args[last:], &dest, &o.Volumes.DestCalls); err == nil {
		err = o.FindAccounts(hosts)
	}
	return paths, hosts, err
}

// connectOne returns the paths of operands that are all on one host, and connects to that.
func (a *app) connectOne(ctx context.Context, o *flags.Options, args []string) (paths []string, host operand.Host, err error) {
	paths, on, err := locate(args)
	switch {
	case err != nil:
	case on.IsHere():
		err = lacksHost(o)
	default:
		err = checkSSHConfig(o)
	}
	if err == nil {
		host, err = a.connect(ctx, o, on, args, nil, &o.Volumes.DestCalls)
	}
	return paths, host, err
}

// lacksHost refuses a --rsh where there is no other host to reach: behind a verb -times is -t -i -m -e s.
func lacksHost(o *flags.Options) error {
	if o.Remote.Command == "" {
		return nil
	}
	return fmt.Errorf("-e %s: %w", o.Remote.Command, errNoHost)
}

// connect returns the host that the operands args are on. Another file system needs another implementation of
// [vfs.Host], which connect returns for the operands that name it. The connection is closed when psync ends. The
// questions q may be nil. How long calls to volumes of the network and requests to a psync on another host take is
// added to durations.
func (a *app) connect(ctx context.Context, o *flags.Options, r location.Account, args []string, q *vfs.Questions, durations *report.Durations) (operand.Host, error) {
	if r.IsHere() {
		return operand.Host{Host: o.Volumes.Host(localfs.Host{}, durations)}, nil
	}
	h, err := a.openDialer(o).Open(ctx, r, q, durations)
	if err != nil {
		return operand.Host{}, fmt.Errorf("%w%s", err, localName(args))
	}
	a.roundTrip = max(a.roundTrip, h.RoundTrip())
	return operand.Host{Host: h, Prefix: r.String() + ":"}, nil
}

// openDialer returns what connects to hosts.
func (a *app) openDialer(o *flags.Options) *sshhost.Dialer {
	if a.dialer == nil {
		a.dialer = sshhost.NewDialer(a.dialing(o))
	}
	return a.dialer
}

// isSFTP reports whether a host is reached by SFTP, which cannot keep everything.
func isSFTP(h operand.Host) bool {
	remote, ok := h.Host.(*sshhost.Host)
	return ok && remote.IsSFTP()
}

// localName returns a remark on operands on another host that may be meant as names of this one, or "".
func localName(args []string) string {
	for _, arg := range args {
		if exists(arg) {
			return fmt.Sprintf(" (the %s that exists here is written ./%s)", arg, arg)
		}
	}
	return ""
}

// dialing returns how hosts are connected to. The user is asked at the terminal, if there is one, wherever the
// standard streams lead.
func (a *app) dialing(o *flags.Options) sshhost.Options {
	command, _ := o.Remote.Words() // it was checked when the command line was read
	d := sshconn.Options{
		ConfigFile: o.Remote.Config,
		Command:    command,
		AcceptNew:  o.Remote.AcceptNew,

		ConnectTimeout: o.Remote.ConnectTimeout,
		Notify:         func(text string) { a.warn(o, text) },
	}
	terminal, err := ui.OpenTerminal()
	if err == nil {
		d.Ask, d.AskSecret = terminal.Ask, terminal.AskSecret
	}
	if ask := sshconn.Askpass(os.Getenv, err == nil); ask != nil {
		d.Ask, d.AskSecret = ask, ask
	}
	return sshhost.Options{
		Options: d, Program: o.Remote.Program, Bootstrap: o.Remote.Bootstrap, Version: version.String(), Compress: o.Remote.Compress,
		Timeout: o.Remote.Timeout,
		Note:    func(text string) { a.note(o, text) },
	}
}

// disconnect closes all connections.
func (a *app) disconnect() {
	if a.metrics != nil {
		a.metrics.Close()
	}
	if a.dialer != nil {
		a.dialer.Close()
	}
}

// exists reports whether an argument is, or may be, the path of an entry.
func exists(arg string) bool { return operand.Exists(localfs.Host{}, arg) }

// hasSELinux reports whether the system of a host controls access by security contexts.
func hasSELinux(host vfs.Host) bool {
	_, err := host.Stat("/sys/fs/selinux/enforce")
	return err == nil
}

package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"psync/internal/engine"
	"psync/internal/localfs"
	"psync/internal/operand"
	"psync/internal/operand/glob"
	"psync/internal/operand/location"
	"psync/internal/report"
	"psync/internal/sshhost"
	"psync/internal/vfs"
)

var (
	// ErrSeveralHosts refuses operands that have to be on one host, and are not.
	ErrSeveralHosts = errors.New("the operands are on several hosts")
	// ErrNoHost refuses operands of this host, if [Connect.Command] is set.
	ErrNoHost = errors.New("is how another host is reached, but every operand is on this one")

	errNoDialer = errors.New("nothing connects to other hosts")
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
			return nil, on, ErrSeveralHosts
		case !l.Account.IsHere() && l.Path == "":
			l.Path = "." // the home directory
		}
		paths, on = append(paths, l.Path), l.Account
	}
	return paths, on, nil
}

// A questioner returns what hosts will be asked first about the paths SRC... DST, where those of this host are here.
type questioner func(paths []string, o operand.Options, here vfs.Host) (source, dest vfs.Questions)

// connectPair connects to the hosts of the sources and of the destination, which it sets in Operands, and returns the
// paths of the operands there. Nothing is connected to before all operands have been parsed. What the hosts will be asked
// first is asked at once.
func (o *Options) connectPair(ctx context.Context, ask questioner) (paths []string, err error) {
	src, from, err := locate(o.Sources)
	if err != nil {
		return nil, err
	}
	dst, to, err := locate([]string{o.Dest})
	if err != nil {
		return nil, err
	}
	dialer, err := o.dialer(from, to)
	if err != nil {
		return nil, err
	}
	paths = append(src, dst...)
	var here vfs.Host
	if from.IsHere() {
		here = localfs.Host{}
	}
	var source, dest vfs.Questions
	if dialer != nil {
		source, dest = ask(paths, o.Operands, here)
	}
	if from == to {
		source.Add(dest)
	}
	if !from.IsHere() && !to.IsHere() && from != to {
		dialer.Start(ctx, to)
	}
	hosts := &o.Operands.Hosts
	if hosts.Source, err = o.connect(ctx, dialer, from, o.Sources, &source, &o.Volumes.SourceCalls); err != nil {
		return nil, err
	}
	if hosts.Dest, err = o.connect(ctx, dialer, to, []string{o.Dest}, &dest, &o.Volumes.DestCalls); err != nil {
		return nil, err
	}
	if o.ExpandSources && !from.IsHere() {
		if src, err = o.expandSources(src); err != nil {
			return nil, err
		}
		paths = append(src, dst...)
	}
	if o.Binder != nil {
		err = o.Binder.FindAccounts(&o.Engine.Keep, *hosts)
	}
	return paths, err
}

// expandSources expands patterns in the paths of the sources on their host, and sets Sources to what they stand for.
func (o *Options) expandSources(paths []string) (expanded []string, err error) {
	h := o.Operands.Hosts.Source
	ahead := func(vfs.Questions) {}
	if remote, ok := h.Host.(*sshhost.Host); ok {
		ahead = func(q vfs.Questions) { remote.AskPaths(&q) }
	}
	for _, path := range paths {
		matches, err := glob.Expand(h, path, ahead)
		if err != nil {
			return nil, err
		}
		expanded = append(expanded, matches...)
	}
	ahead(vfs.Questions{Lstat: expanded})
	o.Sources = nil
	for _, path := range expanded {
		o.Sources = append(o.Sources, h.Called(path))
	}
	return expanded, nil
}

// connectOne returns the paths of operands that all are on one host, and connects to that.
func (o *Options) connectOne(ctx context.Context, args []string) (paths []string, host operand.Host, err error) {
	paths, on, err := locate(args)
	if err != nil {
		return nil, host, err
	}
	dialer, err := o.dialer(on)
	if err != nil {
		return nil, host, err
	}
	host, err = o.connect(ctx, dialer, on, args, nil, &o.Volumes.DestCalls)
	return paths, host, err
}

// dialer returns what connects to the hosts of accounts, or nil if all of them are on this one.
func (o *Options) dialer(accounts ...location.Account) (*sshhost.Dialer, error) {
	for _, a := range accounts {
		switch {
		case a.IsHere():
		case o.Connect.Dial == nil:
			return nil, errNoDialer
		default:
			return o.Connect.Dial()
		}
	}
	if command := o.Connect.Command; command != "" {
		return nil, fmt.Errorf("-e %s: %w", command, ErrNoHost)
	}
	return nil, nil
}

// connect returns the host that the operands args are on. Another file system needs another implementation of
// [vfs.Host], which connect returns for the operands that name it. The questions q may be nil. How long calls to volumes of
// the network and requests to a psync on another host take is added to durations.
func (o *Options) connect(ctx context.Context, d *sshhost.Dialer, r location.Account, args []string, q *vfs.Questions, durations *report.Durations) (operand.Host, error) {
	if r.IsHere() {
		return operand.Host{Host: o.Volumes.Host(localfs.Host{}, durations)}, nil
	}
	h, err := d.Open(ctx, r, q, durations)
	if err != nil {
		return operand.Host{}, fmt.Errorf("%w%s", err, localName(args))
	}
	h.Recover(ctx, o.Volumes, durations)
	return operand.Host{Host: h, Prefix: r.String() + ":"}, nil
}

// roundTrip returns how long the host takes to answer that takes longest, or 0 if all are this one.
func roundTrip(hosts ...operand.Host) (longest time.Duration) {
	for _, h := range hosts {
		if remote, ok := h.Host.(*sshhost.Host); ok {
			longest = max(longest, remote.RoundTrip())
		}
	}
	return longest
}

// isSFTP reports whether a host is reached by SFTP, which cannot keep everything.
func isSFTP(h operand.Host) bool {
	remote, ok := h.Host.(*sshhost.Host)
	return ok && remote.IsSFTP()
}

// warnOfSync says at the start that a host reached by SFTP cannot do all that Fsync asks for: the run fails at its end then.
func (o *Options) warnOfSync(e engine.Options, dest operand.Host) {
	if !e.Fsync || e.DryRun || !isSFTP(dest) {
		return
	}
	cannot := "cannot sync file systems"
	if !dest.Host.(*sshhost.Host).SyncsFiles() {
		cannot = "can sync neither files, for its server lacks fsync@openssh.com, nor file systems"
	}
	o.Messages.warn(fmt.Sprintf("%s SFTP %s, so --fsync will fail; a psync there can do it, and --bootstrap puts one there", dest.Prefix, cannot))
}

// localName returns a remark on operands on another host that may be meant as names of this one, or "".
func localName(args []string) string {
	for _, arg := range args {
		if operand.Exists(localfs.Host{}, arg) {
			return fmt.Sprintf(" (the %s that exists here is written ./%s)", arg, arg)
		}
	}
	return ""
}

// bind returns the options of the engine for a user on the host of the destination.
func (o *Options) bind(dest operand.Host, umask fs.FileMode) engine.Options {
	e := o.Engine
	e.User = dest.Info().User
	if o.Binder != nil {
		e = o.Binder.Bind(e, isSFTP(dest), umask)
	}
	return e
}

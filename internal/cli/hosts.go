package cli

import (
	"os"

	"psync/internal/cli/flags"
	"psync/internal/localfs"
	"psync/internal/operand"
	"psync/internal/run"
	"psync/internal/sshconn"
	"psync/internal/sshhost"
	"psync/internal/ui/terminal"
	"psync/internal/version"
	"psync/internal/vfs"
)

// options returns what a run of args does.
func (a *app) options(o *flags.Options, args []string) run.Options {
	last := len(args) - 1
	r := o.Options
	r.Sources, r.Dest = args[:last], args[last]
	r.Engine.AlwaysShare = a.AlwaysShare
	r.Output.Stdout = a.Stdout
	if !a.Confine {
		r.Confine = run.ConfineNever
	}
	r.Connect = run.Connect{Dial: func() (*sshhost.Dialer, error) { return a.openDialer(o) }, Command: o.Remote.Command} // behind a verb -times is -t -i -m -e s
	r.Command.Verb, r.Command.Args = o.Verb(), a.line
	r.Messages = run.Messages{
		Warn: func(text string) { a.warn(o, text) },
		Note: func(text string) { a.note(o, text) },
		Hint: hintFor,
	}
	if o.UI.Verbose {
		r.Messages.Detail = r.Messages.Note
	}
	r.Activity = &a.activity
	return r
}

// openDialer returns what connects to hosts.
func (a *app) openDialer(o *flags.Options) (*sshhost.Dialer, error) {
	if a.dialer == nil {
		if err := checkSSHConfig(o); err != nil {
			return nil, err
		}
		if a.Connecting != nil {
			a.Connecting()
		}
		a.dialer = sshhost.NewDialer(a.dialing(o))
	}
	return a.dialer, nil
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
	user, err := terminal.Open()
	if err == nil {
		d.Ask, d.AskSecret = user.Ask, user.AskSecret
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
	_, err := host.Stat("/sys/fs/selinux/enforce", vfs.Follow)
	return err == nil
}

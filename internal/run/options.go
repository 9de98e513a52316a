package run

import (
	"cmp"
	"io"
	"io/fs"

	"psync/internal/engine"
	"psync/internal/metadata"
	"psync/internal/operand"
	"psync/internal/report"
	"psync/internal/sshhost"
	"psync/internal/ui"
	"psync/internal/vfs"
	"psync/internal/vfs/retry"
)

// Options say what a run does. Only the operands have to be set.
type Options struct {
	// Sources and Dest are the operands: paths of this host, or HOST:PATH, as on a command line. A removal has sources only.
	Sources []string
	Dest    string
	// ExpandSources has patterns in the paths of sources on another host stand for what matches them there.
	ExpandSources bool

	Operands operand.Options    // how operands are opened, apart from what follows from Engine
	Aux      operand.AuxOptions // other directories that a copy uses
	Engine   engine.Options     // how to copy
	Binder   Binder             // completes Engine when hosts and user are known; may be nil
	Threads  Threads
	Volumes  *retry.Volumes // which volumes are waited for; nil: those of network file systems, for a minute

	Output Output
	Member Member // works on the copy with those of other hosts; nil: this process does it alone
	// MinSourceFiles is the number of regular files that the sources must hold; 0: any.
	MinSourceFiles int64
	// Confine says when the kernel forbids the process, for good, to change what the run has no business with.
	Confine Confinement

	Connect  Connect
	Command  Command
	Messages Messages
	Activity *report.Activity // knows what the workers have in hand; may be nil
}

// A Binder completes the options of the engine by what is known only once the hosts are connected.
type Binder interface {
	// FindAccounts looks up the users and groups that were given by name, and sets their numbers in k.
	FindAccounts(k *metadata.Keep, hosts operand.Hosts) error
	// Bind returns e, in which User is set, as it is for a user with a umask and for the host of the destination.
	Bind(e engine.Options, overSFTP bool, umask fs.FileMode) engine.Options
}

// Output names the files that a run writes in addition to DST: a copy all of them, a comparison and a removal the logs. Every
// name may be empty.
type Output struct {
	Journal string // records which directories are done
	Resume  bool   // the run goes on with the journal

	Failures    string                   // gets the paths of what failed
	FailuresNUL bool                     // they end in NUL
	InSource    func(path string) string // where in the source a path below the destination comes from

	Manifest string // gets the checksums of what was copied, or says what a comparison expects
	MHL      bool   // DST gets an ASC MHL history, or another generation of it

	JSON      string    // gets the log as JSON Lines; "-": Stdout does
	Stdout    io.Writer // for JSON
	Log       string    // gets the log for people
	LogFormat *ui.OutFormat
}

// Connect says how other hosts are reached.
type Connect struct {
	// Dial returns what connects to hosts, the same with each call. It is called if an operand is on another host.
	Dial func() (*sshhost.Dialer, error)
	// Command, unless it is "", is how hosts are to be reached by Dial, so that an operand has to be on one.
	Command string
}

// A Command is what logs and journals record of the command that a run stands for.
type Command struct {
	Verb string
	Args []string
	// Settings are those arguments that decide which entries are dealt with, and how. A run goes on with the journal of
	// one with the same settings.
	Settings []string
}

// Messages are where a run reports what is not about an entry. Each function may be nil.
type Messages struct {
	Warn   func(text string)
	Note   func(text string)      // information
	Detail func(text string)      // verbose information
	Hint   func(err error) string // what the log says can be done about an error, or ""
}

func (m *Messages) warn(text string) { say(m.Warn, text) }
func (m *Messages) note(text string) { say(m.Note, text) }

func say(to func(string), text string) {
	if to != nil {
		to(text)
	}
}

// complete sets the options that follow from others.
func (o *Options) complete() {
	if o.Volumes == nil {
		o.Volumes = retry.NewVolumes(retry.Options{VolumeTimeout: retry.DefaultVolumeTimeout, HostTimeout: retry.DefaultHostTimeout})
	}
	e, s, aux := &o.Engine, &o.Operands, &o.Aux
	s.Scope = operand.Scope{OneFileSystem: e.OneFileSystem, Rules: e.Rules, Files: e.Files}
	s.DryRun, s.IgnoreMissing, s.KeepDirlinks = e.DryRun, e.IgnoreMissing, e.Links.KeepDirlinks
	s.FollowLinks, s.FollowUnsafe = e.Links.Copy || e.Links.CopyDirlinks, e.Links.CopyUnsafe
	s.Delete, s.RemoveSource = e.Delete.On, e.RemoveSource
	s.Preparation = vfs.Preparation{FetchDataless: e.FetchDataless, Xattrs: e.Keep.Xattrs, ACLs: e.Keep.ACLs, Flags: e.Keep.Flags}
	s.Noatime = s.Noatime || e.Keep.Atime // otherwise reading would change the access times to keep
	s.SideFiles = o.sideFiles()
	e.Auto = o.Threads.Auto
	aux.Backup = aux.Backup || aux.BackupDir != ""
	e.BacksUp = aux.Backup
	if aux.Backup && aux.BackupDir == "" {
		aux.Suffix = cmp.Or(aux.Suffix, "~")
		s.BackupSuffix = aux.Suffix
	}
}

// sideFiles returns the files that the run writes to in addition to DST.
func (o *Options) sideFiles() (files []operand.SideFile) {
	for _, f := range []operand.SideFile{
		{Flag: "failures", Path: o.Output.Failures},
		{Flag: "manifest", Path: o.Output.Manifest},
		{Flag: "json", Path: o.Output.JSON},
		{Flag: "log-file", Path: o.Output.Log},
		{Flag: "journal", Path: o.Output.Journal},
	} {
		if f.Path != "" && f.Path != "-" {
			files = append(files, f)
		}
	}
	return files
}

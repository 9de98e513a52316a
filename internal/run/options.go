package run

import (
	"io"
	"io/fs"

	"psync/internal/engine"
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

	Operands operand.Options    // how operands are opened, but for Hosts, which the run sets
	Aux      operand.AuxOptions // other directories that a copy uses
	Engine   engine.Options     // how to copy
	Binder   Binder             // replaces Engine when hosts and user are known; nil: Engine stands as it is
	Threads  Threads
	Volumes  *retry.Volumes // which volumes are waited for; nil: those of network file systems, for a minute

	Output Output
	// MinSourceFiles is the number of regular files that the sources must hold; 0: any.
	MinSourceFiles int64
	// Confine has the kernel forbid the process, for good, to change what the run has no business with.
	Confine bool

	Connect  Connect
	Command  Command
	Messages Messages
	Activity *report.Activity // knows what the workers have in hand; may be nil
}

// A Binder completes the options of the engine by what is known only once the hosts are connected.
type Binder interface {
	// FindAccounts looks up the users and groups that were given by name.
	FindAccounts(operand.Hosts) error
	// Bind returns the options for a user with a umask on the host of the destination.
	Bind(user vfs.User, overSFTP bool, umask fs.FileMode) engine.Options
}

// Output names the files that a run writes in addition to DST. Every name may be empty.
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
	// Required says that an operand has to be on another host.
	Required bool
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
	Note   func(text string)      // of what is no reason to worry
	Detail func(text string)      // of what few want to know
	Hint   func(err error) string // what the log says can be done about an error, or ""
}

func (m *Messages) warn(text string) { say(m.Warn, text) }
func (m *Messages) note(text string) { say(m.Note, text) }

func say(to func(string), text string) {
	if to != nil {
		to(text)
	}
}

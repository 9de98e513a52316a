package operand

import "psync/internal/vfs"

// Options say how [Open] opens the operands of a copy.
type Options struct {
	Scope
	Hosts         Hosts
	MakeDest      bool // a missing DST is made
	MakeParents   bool // and so are the directories above it
	DryRun        bool // nothing is made
	Delete        bool // the run removes what SRC lacks
	Noatime       bool // reading SRC leaves its access times alone
	FetchDataless bool // as in vfs.Host.Prepare
	InsecureLinks bool // as in [vfs.OpenOptions]
}

// Hosts are those that paths are on.
type Hosts struct{ Source, Dest vfs.Host }

// trust returns how the directories are opened that a run writes to or takes files from.
func (o Options) trust() vfs.OpenOptions { return vfs.OpenOptions{Insecure: o.InsecureLinks} }

// prepare prepares both hosts.
func (o Options) prepare() error {
	if o.Hosts.Source != o.Hosts.Dest {
		if err := o.Hosts.Source.Prepare(o.FetchDataless); err != nil {
			return err
		}
	}
	return o.Hosts.Dest.Prepare(o.FetchDataless)
}

func (o Options) openSource(path string) (vfs.Dir, error) {
	return o.Hosts.Source.Open(path, o.Noatime)
}

func (o Options) openDest(path string) (vfs.Dir, error) { return o.Hosts.Dest.Open(path, o.Noatime) }

package operand

import (
	"psync/internal/filesfrom"
	"psync/internal/vfs"
)

// Options say how [OpenRoots] opens the operands of a copy.
type Options struct {
	Scope
	Hosts         Hosts
	Parts         []filesfrom.Part // what Files takes from which directories of the only source
	MakeDest      bool             // a missing DST is made
	MakeParents   bool             // and so are the directories above it
	DryRun        bool             // nothing is made
	Relative      bool             // each SRC keeps its path, or what of it comes after /./, below DST
	IgnoreMissing bool             // a SRC that does not exist is left out
	RenameFile    bool             // a single SRC that is no directory is copied to the name DST, unless that is a directory
	Delete        bool             // the run removes what SRC lacks
	RemoveSource  bool             // the run removes files of SRC
	Require       string           // the name of a file that each SRC must hold; "": none
	Noatime       bool             // reading SRC leaves its access times alone
	Preparation   vfs.Preparation
	InsecureLinks bool // as in [vfs.OpenOptions]
	SideFiles     []SideFile
	KeepDirlinks  bool   // links of DST that lead to directories stand for these
	BackupSuffix  string // of backups that lie beside what they are of; "": there are none
}

// Hosts are those that paths are on.
type Hosts struct{ Source, Dest Host }

// A Host is a host together with what it is called in messages.
type Host struct {
	vfs.Host
	Prefix string // of paths in messages: "" for this host, otherwise such as "user@host:"
}

// IsRemote reports whether h is another host than this one.
func (h Host) IsRemote() bool { return h.Prefix != "" }

// called returns what a path of the host is called in messages.
func (h Host) called(path string) string { return h.Prefix + path }

// same reports whether o is the same host.
func (h Host) same(o Host) bool { return h.Host == o.Host || !h.IsRemote() && !o.IsRemote() }

// trust returns how the directories are opened that a run writes to or takes files from.
func (o Options) trust() vfs.OpenOptions { return vfs.OpenOptions{Insecure: o.InsecureLinks} }

// prepare prepares both hosts.
func (o Options) prepare() error {
	if !o.Hosts.Source.same(o.Hosts.Dest) {
		if err := o.Hosts.Source.Prepare(o.Preparation); err != nil {
			return err
		}
	}
	return o.Hosts.Dest.Prepare(o.Preparation)
}

func (o Options) openSource(path string) (vfs.Dir, error) {
	return o.Hosts.Source.Open(path, o.Noatime)
}

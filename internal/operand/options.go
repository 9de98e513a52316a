package operand

import (
	"psync/internal/filesfrom"
	"psync/internal/vfs"
)

// Options are the options of [OpenRoots].
type Options struct {
	Scope
	Hosts         Hosts
	Parts         []filesfrom.Part   // what Files takes from which directories of the only source
	MakeDest      bool               // make a missing DST
	MakeParents   bool               // also make missing directories above it
	DryRun        bool               // make nothing
	Relative      bool               // each SRC keeps its path, or the part after /./, below DST
	IgnoreMissing bool               // skip a SRC that does not exist
	SlashDecides  bool               // SRC is copied to DST/NAME, and its contents into DST if it ends in a slash; one that is missing fails alone
	SkipDir       func(string)       // unless nil, takes rsync's name of each SRC that is a directory, which is then left out
	HideOperand   func(string, bool) // unless nil, takes the name of each SRC that a rule leaves out here, and whether it is a directory
	FollowLinks   bool               // a link to a directory counts as one there
	FollowUnsafe  bool               // only if it leads out of SRC
	RenameFile    bool               // a single SRC that is not a directory is copied to the name DST, unless that is a directory
	Delete        bool               // the run removes entries that SRC lacks
	RemoveSource  bool               // the run removes files of SRC
	Require       string             // the name of a file that each SRC must hold; "": none
	Noatime       bool               // reading SRC does not change its access times
	Preparation   vfs.Preparation
	InsecureLinks bool // as in [vfs.OpenOptions]
	StrictLinks   bool // likewise, for what is not an operand
	SideFiles     []SideFile
	KeepDirlinks  bool   // links to directories in DST are treated as directories
	BackupSuffix  string // of backups in the same directory; "": there are none
}

// Hosts are the hosts of both sides.
type Hosts struct{ Source, Dest Host }

// A Host is a host together with its name in messages.
type Host struct {
	vfs.Host
	Prefix string // of paths in messages: "" for this host, otherwise such as "user@host:"
}

// IsRemote reports whether h is another host than this one.
func (h Host) IsRemote() bool { return h.Prefix != "" }

// Called returns a path of the host as it is shown in messages.
func (h Host) Called(path string) string { return h.Prefix + path }

// same reports whether o is the same host.
func (h Host) same(o Host) bool { return h.Host == o.Host || !h.IsRemote() && !o.IsRemote() }

// trust returns the options for opening directories that a run writes to or takes files from.
func (o Options) trust() vfs.OpenOptions {
	return vfs.OpenOptions{Trusted: true, Insecure: o.InsecureLinks}
}

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
	return o.Hosts.Source.Open(path, vfs.OpenOptions{Noatime: o.Noatime})
}

// trustNamed is trust for directories that flags name.
func (o Options) trustNamed() vfs.OpenOptions {
	options := o.trust()
	options.Strict = o.StrictLinks
	return options
}

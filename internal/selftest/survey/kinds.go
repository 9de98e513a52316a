package survey

// texts holds for each kind its name, what psync copy -aHAX does with it, and what can be done. psync reports each
// failure by name, and its exit status is 23.
var texts = [kinds]struct{ what, happens, remedy string }{
	Unread: {
		"cannot be read", "fails, and so does everything below such a directory",
		"run psync as root, or as who may read it",
	},
	Name: {
		"names that are refused", "fails, and so does everything below such a directory",
		"rename in SRC; --exclude spares the failure",
	},
	Collision: {
		"names that become one", "only one of them is copied, the others fail",
		"rename in SRC, or take a DST that distinguishes them",
	},
	Symlink: {
		"symbolic links", "is not made; an error",
		"-L copies what they lead to; or a file system with links in an image",
	},
	Target: {
		"targets of symbolic links", "fails",
		"make another link in SRC",
	},
	Special: {
		"fifos and sockets", "is not made; an error for root",
		"--no-specials leaves them out",
	},
	Device: {
		"devices", "is not made; an error for root",
		"run psync as root; --no-devices leaves them out",
	},
	FileSize: {
		"files that are too large", "fails",
		"split them, or take another file system",
	},
	HardLink: {
		"hard links", "each name becomes a file of its own, and takes its own room; an error",
		"without -H it is no error",
	},
	Spelling: {
		"names in another spelling", "is copied, and listed under the other spelling",
		"compare by contents what programs find by name",
	},
	Time: {
		"times out of range", "gets another time; an error for root",
		"--size-only, or -c, for later passes",
	},
	Rounded: {
		"times finer than DST's", "is rounded; later passes of psync take it for equal",
		"none needed",
	},
	Owner: {
		"owners", "belongs to someone else; an error for root",
		"run psync as root; --usermap, --chown; on NFS no_root_squash",
	},
	Group: {
		"groups", "belongs to another group; an error for root",
		"run psync as root; --groupmap, --chown; on NFS no_root_squash",
	},
	Mode: {
		"modes", "has another mode; an error for root",
		"--no-perms, and mount options such as umask",
	},
	SetID: {
		"set-id bits", "loses them",
		"run psync as root, and where owners are kept",
	},
	ACL: {
		"ACLs", "loses them; an error",
		"without -A it is no error; getfacl -R keeps a list",
	},
	Xattr: {
		"extended attributes", "loses them; an error",
		"without -X it is no error; getfattr -Rd keeps a list",
	},
	Flags: {
		"flags", "loses some",
		"--no-fileflags",
	},
	Hole: {
		"sparse files", "has its holes filled with zeros, and takes its whole size",
		"none but room",
	},
}

// String returns the name of a kind.
func (k Kind) String() string { return texts[k].what }

package main

// headersOf are the headers that the assertions of TestHeadersOfMacOSAndFreeBSD want, in this order.
var headersOf = map[string]string{
	"darwin": `sys/types.h sys/param.h sys/acl.h sys/attr.h sys/clonefile.h sys/file.h sys/kauth.h sys/mount.h sys/resource.h
		sys/stat.h sys/stdio.h sys/sysctl.h dirent.h errno.h fcntl.h limits.h signal.h unistd.h`,
	"freebsd": `sys/types.h sys/param.h sys/acl.h sys/extattr.h sys/file.h sys/mount.h sys/resource.h sys/stat.h sys/syscall.h
		dirent.h errno.h fcntl.h limits.h signal.h unistd.h`,
}

// A structure is one of C. The name of a field is that of Go in lower case, after a prefix, or in fields.
type structure struct {
	c, prefix string
	fields    map[string]string
}

// structures are those of x/sys/unix and syscall that psync uses.
var structures = map[string]structure{
	"Attrlist":   {c: "struct attrlist"},
	"Dirent":     {c: "struct dirent", prefix: "d_"},
	"ExternProc": {c: "struct extern_proc"},
	"Fstore_t":   {c: "struct fstore", prefix: "fst_"},
	"KinfoProc":  {c: "struct kinfo_proc", prefix: "kp_"},
	"Rlimit":     {c: "struct rlimit", prefix: "rlim_"},
	"Rusage":     {c: "struct rusage", prefix: "ru_"},
	"Stat_t": {c: "struct stat", prefix: "st_", fields: map[string]string{
		"Atim": "st_atimespec", "Mtim": "st_mtimespec", "Ctim": "st_ctimespec", "Btim": "st_birthtimespec",
	}},
	"Statfs_t": {c: "struct statfs", prefix: "f_"},
	"Timespec": {c: "struct timespec", prefix: "tv_"},
	"Timeval":  {c: "struct timeval", prefix: "tv_"},
}

// describing are the files, below internal, that are built for all systems, but describe macOS and FreeBSD. All
// constants in them, and in files that are not for Linux, have a row in a table below.
var describing = []string{
	"metadata/filesec.go", "metadata/nfs4.go", "metadata/posixacl.go", "selftest/acl/mac.go", "selftest/facts/flags.go",
	"sys/attrlist.go", "sys/extattr.go",
}

// constantsOf has the constants of psync and the flags of its profiles in C. Those for "any" are of both systems, or
// constants of x/sys/unix and syscall that have another name in C.
var constantsOf = map[string]map[string]string{
	"any": {
		"unix.SYS_OPENAT":    "SYS_openat", // of which psync uses only the function
		"unix.PathMax":       "PATH_MAX",
		"unix.FADV_DONTNEED": "POSIX_FADV_DONTNEED",
		"unix.FADV_NOREUSE":  "POSIX_FADV_NOREUSE",

		"localfs.errNoXattr": "ENOATTR",
		"localfs.setID":      "S_ISUID|S_ISGID",
		"sys.OSearch":        "O_RDONLY",
		"sys.RemoteIO":       "EIO",
		"sys.UtimeOmit":      "UTIME_OMIT",
		"facts.nodump":       "UF_NODUMP",
		"facts.archived":     "SF_ARCHIVED",
	},
	"darwin": {
		"darwin.OwnerFlags": "UF_NODUMP|UF_IMMUTABLE|UF_APPEND|UF_OPAQUE|UF_HIDDEN",
		"darwin.RootFlags":  "SF_IMMUTABLE|SF_APPEND",
		"darwin.DOSFlags":   "UF_IMMUTABLE|UF_HIDDEN",
		"darwin.LockFlags":  "UF_IMMUTABLE|UF_APPEND|SF_IMMUTABLE|SF_APPEND",
		"darwin.RootLocks":  "SF_IMMUTABLE|SF_APPEND|SF_NOUNLINK",
		"darwin.Dataless":   "SF_DATALESS",
		"localfs.lockFlags": "UF_IMMUTABLE|UF_APPEND|SF_IMMUTABLE|SF_APPEND|SF_NOUNLINK",
		"localfs.nodeFlags": "O_SYMLINK",
		"facts.flag":        "UF_COMPRESSED",

		"sys.barrier":             "F_BARRIERFSYNC",
		"sys.pcCaseSensitive":     "_PC_CASE_SENSITIVE",
		"sys.scopeProcess":        "IOPOL_SCOPE_PROCESS",
		"sys.atimeUpdates":        "IOPOL_TYPE_VFS_ATIME_UPDATES",
		"sys.atimeOff":            "IOPOL_ATIME_UPDATES_OFF",
		"sys.materializeDataless": "IOPOL_TYPE_VFS_MATERIALIZE_DATALESS_FILES",
		"sys.datalessOff":         "IOPOL_MATERIALIZE_DATALESS_FILES_OFF",
		"sys.datalessOn":          "IOPOL_MATERIALIZE_DATALESS_FILES_ON",

		"sys.attrCmnExtendedSecurity": "ATTR_CMN_EXTENDED_SECURITY",
		"sys.volCapIntExtendedAttr":   "VOL_CAP_INT_EXTENDED_ATTR",
		"sys.replyCommon":             "sizeof(u_int32_t) + __builtin_offsetof(attribute_set_t, commonattr)",
		"sys.replyReference":          "sizeof(u_int32_t) + sizeof(attribute_set_t)",
		"sys.replyMinimum":            "sizeof(u_int32_t) + sizeof(attribute_set_t) + sizeof(attrreference_t)",
		"sys.capabilitiesReply":       "sizeof(u_int32_t) + sizeof(vol_capabilities_attr_t)",
		"sys.interfaces":              "__builtin_offsetof(vol_capabilities_attr_t, capabilities[VOL_CAPABILITIES_INTERFACES])",
		"sys.valid":                   "__builtin_offsetof(vol_capabilities_attr_t, valid)",

		"sys.filesecMagic":       "KAUTH_FILESEC_MAGIC",
		"sys.filesecHeader":      "__builtin_offsetof(struct kauth_filesec, fsec_acl.acl_ace)",
		"sys.filesecOwner":       "__builtin_offsetof(struct kauth_filesec, fsec_owner)",
		"sys.filesecCount":       "__builtin_offsetof(struct kauth_filesec, fsec_acl.acl_entrycount)",
		"sys.filesecEntry":       "sizeof(struct kauth_ace)",
		"sys.filesecEntries":     "KAUTH_ACL_MAX_ENTRIES",
		"sys.filesecNone":        "KAUTH_FILESEC_NOACL",
		"metadata.filesecMagic":  "KAUTH_FILESEC_MAGIC",
		"metadata.filesecHeader": "__builtin_offsetof(struct kauth_filesec, fsec_acl.acl_ace)",
		"metadata.filesecCount":  "__builtin_offsetof(struct kauth_filesec, fsec_acl.acl_entrycount)",
		"metadata.filesecFlags":  "__builtin_offsetof(struct kauth_filesec, fsec_acl.acl_flags)",
		"metadata.filesecEntry":  "sizeof(struct kauth_ace)",
		"metadata.filesecMax":    "KAUTH_ACL_MAX_ENTRIES",
		"metadata.filesecNone":   "KAUTH_FILESEC_NOACL",
		"metadata.volumeFlags":   "KAUTH_ACL_FLAGS_PRIVATE",
		"metadata.aceFlags":      "__builtin_offsetof(struct kauth_ace, ace_flags)",
		"metadata.aceRights":     "__builtin_offsetof(struct kauth_ace, ace_rights)",
		"metadata.kinds":         "KAUTH_ACE_KINDMASK",
		"metadata.deny":          "KAUTH_ACE_DENY",
		"metadata.synchronize":   "KAUTH_VNODE_SYNCHRONIZE",

		"acl.filesecMagic":  "KAUTH_FILESEC_MAGIC",
		"acl.filesecHeader": "__builtin_offsetof(struct kauth_filesec, fsec_acl.acl_ace)",
		"acl.filesecCount":  "__builtin_offsetof(struct kauth_filesec, fsec_acl.acl_entrycount)",
		"acl.permits":       "KAUTH_ACE_PERMIT",
		"acl.denies":        "KAUTH_ACE_DENY",
		"acl.inherited":     "KAUTH_ACE_INHERITED",
		"acl.fileInherit":   "KAUTH_ACE_FILE_INHERIT",
		"acl.dirInherit":    "KAUTH_ACE_DIRECTORY_INHERIT",
		"acl.Read":          "KAUTH_VNODE_READ_DATA",
		"acl.Delete":        "KAUTH_VNODE_DELETE",
		"acl.DeleteChild":   "KAUTH_VNODE_DELETE_CHILD",
		"acl.WriteAttr":     "KAUTH_VNODE_WRITE_ATTRIBUTES",
		"acl.WriteXattr":    "KAUTH_VNODE_WRITE_EXTATTRIBUTES",
		"acl.Everything":    "KAUTH_VNODE_GENERIC_ALL_BITS|KAUTH_VNODE_TAKE_OWNERSHIP",
	},
	"freebsd": {
		"freebsd.OwnerFlags": "UF_NODUMP|UF_IMMUTABLE|UF_APPEND|UF_OPAQUE|UF_NOUNLINK|UF_SYSTEM|UF_ARCHIVE|UF_READONLY|UF_HIDDEN",
		"freebsd.RootFlags":  "SF_ARCHIVED|SF_IMMUTABLE|SF_APPEND|SF_NOUNLINK",
		"freebsd.LockFlags":  "UF_IMMUTABLE|UF_APPEND|UF_NOUNLINK|SF_IMMUTABLE|SF_APPEND|SF_NOUNLINK",

		"localfs.nodeFlags": "O_NOFOLLOW",
		"sys.typeAccess":    "ACL_TYPE_ACCESS",
		"sys.typeDefault":   "ACL_TYPE_DEFAULT",
		"sys.typeNFS4":      "ACL_TYPE_NFS4",
		"sys.pcACLExtended": "_PC_ACL_EXTENDED",
		"sys.pcACLNFS4":     "_PC_ACL_NFS4",

		"sys.sysCopyFileRange":   "SYS_copy_file_range",
		"sys.direntIno":          "__builtin_offsetof(struct dirent, d_fileno)",
		"sys.direntReclen":       "__builtin_offsetof(struct dirent, d_reclen)",
		"sys.direntType":         "__builtin_offsetof(struct dirent, d_type)",
		"sys.direntName":         "__builtin_offsetof(struct dirent, d_name)",
		"sys.aclMax":             "ACL_MAX_ENTRIES",
		"sys.aclSize":            "sizeof(struct acl)",
		"sys.aclHeader":          "__builtin_offsetof(struct acl, acl_entry)",
		"sys.aclEntry":           "sizeof(struct acl_entry)",
		"sys.aclCount":           "__builtin_offsetof(struct acl, acl_cnt)",
		"sys.aclSpare":           "__builtin_offsetof(struct acl, acl_spare)",
		"sys.owner":              "ACL_USER_OBJ",
		"sys.group":              "ACL_GROUP_OBJ",
		"sys.others":             "ACL_OTHER",
		"sys.undefined":          "ACL_UNDEFINED_ID",
		"metadata.tagUserObj":    "ACL_USER_OBJ",
		"metadata.tagUser":       "ACL_USER",
		"metadata.tagGroupObj":   "ACL_GROUP_OBJ",
		"metadata.tagGroup":      "ACL_GROUP",
		"metadata.tagMask":       "ACL_MASK",
		"metadata.tagOther":      "ACL_OTHER",
		"metadata.bsdMaxEntries": "ACL_MAX_ENTRIES",
		"metadata.bsdHeader":     "__builtin_offsetof(struct acl, acl_entry)",
		"metadata.bsdCount":      "__builtin_offsetof(struct acl, acl_cnt)",
		"metadata.bsdEntry":      "sizeof(struct acl_entry)",
		"metadata.bsdID":         "__builtin_offsetof(struct acl_entry, ae_id)",
		"metadata.bsdPerm":       "__builtin_offsetof(struct acl_entry, ae_perm)",
		"metadata.bsdType":       "__builtin_offsetof(struct acl_entry, ae_entry_type)",
		"metadata.bsdFlags":      "__builtin_offsetof(struct acl_entry, ae_flags)",
		"metadata.bsdUserObj":    "ACL_USER_OBJ",
		"metadata.bsdGroupObj":   "ACL_GROUP_OBJ",
		"metadata.bsdEveryone":   "ACL_EVERYONE",
		"metadata.bsdAllow":      "ACL_ENTRY_TYPE_ALLOW",
		"metadata.bsdDeny":       "ACL_ENTRY_TYPE_DENY",
		"metadata.bsdWriteACL":   "ACL_WRITE_ACL",
		"metadata.bsdWriteOwn":   "ACL_WRITE_OWNER",
	},
}

// notInHeaders are constants that no header has, and why.
var notInHeaders = map[string]string{
	"localfs.caps":           "of package vfs",
	"localfs.nodeTypes":      "of package io/fs",
	"metadata.nfs4Allow":     "of RFC 7530, for Linux",
	"metadata.nfs4Deny":      "of RFC 7530, for Linux",
	"metadata.nfs4Group":     "of RFC 7530, for Linux",
	"metadata.nfs4MostNamed": "a limit of psync",
	"metadata.nfs4WriteACL":  "of RFC 7530, for Linux",
	"metadata.nfs4WriteOwn":  "of RFC 7530, for Linux",
	"metadata.posixVersion":  "of Linux",
	"sys.ONoatime":           "no flag",
	"sys.securityBuffer":     "a sum of others",
}

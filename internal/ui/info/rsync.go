package info

// Info returns the flag --info of rsync 3.5.
func Info() *Flag {
	return &Flag{"info", []kind{
		{"BACKUP", "Mention files backed up"},
		{"COPY", "Mention files copied locally on the receiving side"},
		{"DEL", "Mention deletions on the receiving side"},
		{"FLIST", "Mention file-list receiving/sending (levels 1-2)"},
		{"MISC", "Mention miscellaneous information (levels 1-2)"},
		{"MOUNT", "Mention mounts that were found or skipped"},
		{"NAME", "Mention 1) updated file/dir names, 2) unchanged names"},
		{"NONREG", "Mention skipped non-regular files (default 1, 0 disables)"},
		{"PROGRESS", "Mention 1) per-file progress or 2) total transfer progress"},
		{"REMOVE", "Mention files removed on the sending side"},
		{"SKIP", "Mention files skipped due to transfer overrides (levels 1-2)"},
		{"STATS", "Mention statistics at end of run (levels 1-3)"},
		{"SYMSAFE", "Mention symlinks that are unsafe"},
	}, []string{
		"NONREG",
		"COPY,DEL,FLIST,MISC,NAME,STATS,SYMSAFE",
		"BACKUP,MISC2,MOUNT,NAME2,REMOVE,SKIP",
	}}
}

// Debug returns the flag --debug of rsync 3.5.
func Debug() *Flag {
	return &Flag{"debug", []kind{
		{"ACL", "Debug extra ACL info"},
		{"BACKUP", "Debug backup actions (levels 1-2)"},
		{"BIND", "Debug socket bind actions"},
		{"CHDIR", "Debug when the current directory changes"},
		{"CONNECT", "Debug connection events (levels 1-2)"},
		{"CMD", "Debug commands+options that are issued (levels 1-2)"},
		{"DEL", "Debug delete actions (levels 1-3)"},
		{"DELTASUM", "Debug delta-transfer checksumming (levels 1-4)"},
		{"DUP", "Debug weeding of duplicate names"},
		{"EXIT", "Debug exit events (levels 1-3)"},
		{"FILTER", "Debug filter actions (levels 1-3)"},
		{"FLIST", "Debug file-list operations (levels 1-4)"},
		{"FUZZY", "Debug fuzzy scoring (levels 1-2)"},
		{"GENR", "Debug generator functions"},
		{"HASH", "Debug hashtable code"},
		{"HLINK", "Debug hard-link actions (levels 1-3)"},
		{"ICONV", "Debug iconv character conversions (levels 1-2)"},
		{"IO", "Debug I/O routines (levels 1-4)"},
		{"NSTR", "Debug negotiation strings"},
		{"OWN", "Debug ownership changes in users & groups (levels 1-2)"},
		{"PROTO", "Debug protocol information"},
		{"RECV", "Debug receiver functions"},
		{"SEND", "Debug sender functions"},
		{"TIME", "Debug setting of modified times (levels 1-2)"},
	}, []string{
		"",
		"",
		"BIND,CONNECT,CMD,DEL,DELTASUM,DUP,FILTER,FLIST,ICONV",
		"ACL,BACKUP,CONNECT2,DEL2,DELTASUM2,EXIT,FILTER2,FLIST2,FUZZY,GENR,OWN,RECV,SEND,TIME",
		"CMD2,DEL3,DELTASUM3,EXIT2,FLIST3,ICONV2,OWN2,PROTO,TIME2",
		"CHDIR,DELTASUM4,FLIST4,FUZZY2,HASH,HLINK",
	}}
}

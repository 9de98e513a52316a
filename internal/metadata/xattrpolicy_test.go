package metadata

import "testing"

func TestXattrPolicy(t *testing.T) {
	const (
		whole = Copies | Deletes
		root  = Copies | Deletes | Late | RootOnly
	)
	tests := []struct {
		profile *Profile
		name    string
		want    Fate
	}{
		{Linux, "user.comment", whole},
		{Linux, "user.DOSATTRIB", whole},
		{Linux, "system.posix_acl_access", whole | IsACL},
		{Linux, "system.posix_acl_default", whole | IsACL},
		{Linux, "system.nfs4_acl", Copies | IsACL},
		{Linux, "system.nfs4_dacl", 0},
		{Linux, "system.cifs_acl", 0},
		{Linux, "system.ntfs_attrib", 0},
		{Linux, "security.capability", root},
		{Linux, "security.NTACL", root},
		{Linux, "security.ima", Copies | Late | RootOnly | Quiet},
		{Linux, "security.evm", 0},
		{Linux, "security.selinux", 0},
		{Linux, "security.sehash", 0},
		{Linux, "security.apparmor", 0},
		{Linux, "security.SMACK64", 0},
		{Linux, "security.SMACK64TRANSMUTE", 0},
		{Linux, "trusted.overlay.opaque", root},
		{Linux, "trusted.md5sum", root},
		{Linux, "trusted.lov", 0},
		{Linux, "trusted.SGI_ACL_FILE", 0},
		{Linux, "btrfs.compression", 0},
		{Linux, "lustre.lov", 0},
		{Linux, "user", whole},
		{Linux, "", 0},

		{Darwin, "com.apple.system.Security", whole | IsACL},
		{Darwin, "com.apple.system.fs.flags", 0},
		{Darwin, "com.apple.provenance", 0},
		{Darwin, "com.apple.macl", 0},
		{Darwin, "com.apple.rootless", 0},
		{Darwin, "com.apple.decmpfs", 0},
		{Darwin, "com.apple.quarantine", Copies | Quiet},
		{Darwin, "com.apple.root.installed", whole | RootOnly | Quiet},
		{Darwin, "com.apple.security.something", whole | Quiet},
		{Darwin, "com.apple.FinderInfo", whole},
		{Darwin, "com.apple.ResourceFork", whole},
		{Darwin, "com.apple.TextEncoding", whole},
		{Darwin, "com.apple.metadata:_kMDItemUserTags", whole},
		{Darwin, "com.apple.metadata:kMDItemOwnerName", whole},
		{Darwin, "com.apple.lastuseddate#PS", whole},
		{Darwin, "org.example.cache#N", 0},
		{Darwin, "org.example.cache#PNS", 0},
		{Darwin, "org.example.cache#Nn", whole},
		{Darwin, "org.example.cache#nN", 0},
		{Darwin, "org.example.cache#B", whole},
		{Darwin, "org.example.cache#X", whole},
		{Darwin, "org.example#N#S", whole},
		{Darwin, "org.example.Name", whole},
		{Darwin, "N", whole},
		{Darwin, "user.comment", whole},

		{FreeBSD, "user.comment", whole},
		{FreeBSD, "system.posix1e.acl_access", whole | IsACL},
		{FreeBSD, "system.posix1e.acl_default", whole | IsACL},
		{FreeBSD, "system.nfs4.acl", Copies | IsACL},
		{FreeBSD, "system.backup", root},
		{FreeBSD, "system.mac_biba", 0},
		{FreeBSD, "trusted.comment", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.profile.Xattr(tt.name); got != tt.want {
				t.Errorf("%06b, want %06b", got, tt.want)
			}
		})
	}
}

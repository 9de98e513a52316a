package metadata

import (
	"testing"

	"psync/internal/report"
)

// xattrRules are names of attributes that take no part; "" stands for all names.
type xattrRules struct{ hides, protects string }

func (r xattrRules) HidesXattr(name string) bool    { return r.hides == "" || r.hides == name }
func (r xattrRules) ProtectsXattr(name string) bool { return r.protects == "" || r.protects == name }

func TestPlanOfXattrs(t *testing.T) {
	a1, a2, a3 := Xattr{Name: "user.a", Value: []byte("1")}, Xattr{Name: "user.a", Value: []byte("2")}, Xattr{Name: "user.a", Unread: true}
	long := Xattr{Name: "user.a", Value: []byte("1"), Long: true}
	mode := Xattr{Name: posixAccess, Value: posix(modeACL(0o644)...), Trivial: true}
	more := Xattr{Name: posixAccess, Value: posix(withUser(0o644)...)}
	wide := Xattr{Name: posixAccess, Value: posix(withUser(0o777)...)}
	nfsMode := Xattr{Name: nfs4ACL, Value: []byte("mode"), Trivial: true}
	nfsMore := Xattr{Name: nfs4ACL, Value: []byte("more")}
	s := func(xattrs ...Xattr) State { return wornBy(root, 0o644, xattrs...) }
	unknown := s()
	unknown.Unknown = report.Xattrs
	locked := s(a1)
	locked.Unknown = report.Flags
	keep := Keep{Xattrs: true, ACLs: true, Flags: true}
	ruled := Xattr{Name: "user.rule", Value: []byte("1")}
	byRule, hidden, everyRule := keep, keep, keep
	byRule.XattrRules = xattrRules{"user.rule", "user.rule"}
	hidden.XattrRules = xattrRules{"user.rule", "none"}
	everyRule.XattrRules = xattrRules{"", ""}
	tests := []struct {
		name     string
		keep     Keep
		src, dst State
		want     string
	}{
		{"equal", keep, s(a1), s(a1), ""},
		{"missing", keep, s(a1), s(), "+user.a, rename"},
		{"another value", keep, s(a1), s(a2), "+user.a, rename"},
		{"extraneous", keep, s(), s(a1), "-user.a, rename"},
		{"not kept", Keep{ACLs: true}, s(a1), s(a2), ""},
		{"long and short", keep, s(a1), s(long), "+user.a, rename"},
		{"unread here: left alone", keep, s(a3), s(a2), ""},
		{"unread there", keep, s(a1), s(a3), "+user.a, rename"},
		{"unread there, extraneous", keep, s(), s(a3), "-user.a, rename"},
		{"unknown here: left alone", keep, unknown, s(a2), ""},
		{"unknown there", keep, s(a1), unknown, "+user.a, rename"},
		{"ACLs not kept", Keep{Xattrs: true}, s(more), s(), ""},
		{"an ACL", keep, s(more), s(), "+system.posix_acl_access, rename"},
		{"an ACL that is the mode", keep, s(mode), s(), ""},
		{"an ACL that is the mode, extraneous", keep, s(), s(mode), ""},
		{"an ACL in place of the mode", keep, s(more), s(mode), "+system.posix_acl_access, rename"},
		{"the mode in place of an ACL", keep, s(mode), s(more), "+system.posix_acl_access, rename"},
		{"no ACL in place of one", keep, s(), s(more), "-system.posix_acl_access, rename"},
		{"an ACL of another mode", keep, s(wide), s(more), ""},
		{"an ACL that cannot be removed", keep, s(), s(nfsMore), ""},
		{"an ACL that is made that of the mode", keep, s(nfsMode), s(nfsMore), "+system.nfs4_acl, rename"},
		{"two servers make up ACLs", keep, s(nfsMode), s(Xattr{Name: nfs4ACL, Value: []byte("Mode"), Trivial: true}), ""},
		{"protected", keep, s(Xattr{Name: "security.selinux"}), s(Xattr{Name: "system.cifs_acl"}), ""},
		{"hidden and protected by a rule", byRule, s(a1, ruled), s(), "+user.a, rename"},
		{"hidden and protected, another value", byRule, s(ruled), s(Xattr{Name: "user.rule", Value: []byte("2")}), ""},
		{"protected by a rule, extraneous", byRule, s(), s(a1, ruled), "-user.a, rename"},
		{"hidden by a rule only", hidden, s(ruled), s(ruled), "-user.rule, rename"},
		{"rules are not for ACLs", everyRule, s(more, a1), s(), "+system.posix_acl_access, rename"},
		{"quiet", keep, s(Xattr{Name: "security.ima"}), s(), "+security.ima, rename"},
		{"made by the kernel", keep, s(), s(Xattr{Name: "security.ima"}), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := describe(Linux.Plan(nil, tt.keep, PlanContext{}, &tt.src, &tt.dst)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestPlanWhereRemovedACLsStay uses a share that reports the removal of an ACL as a success, and still shows
// the ACL.
func TestPlanWhereRemovedACLsStay(t *testing.T) {
	served := Xattr{Name: securityName, Value: filesec{Entries: []filesecACE{{everyone, deny, mayDelete}}}.encode()}
	other := Xattr{Name: securityName, Value: filesec{Entries: []filesecACE{{everyone, deny, 2}}}.encode()}
	keep := Keep{ACLs: true, Mtime: true}
	for _, tt := range []struct {
		name     string
		src, dst State
		want     string
		lost     report.Attr
	}{
		{"removing it", wornBy(alice, 0o644), wornBy(alice, 0o644, served), "(-" + securityName + ")", report.ACLs},
		{"replacing it", wornBy(alice, 0o644, other), wornBy(alice, 0o644, served), "rename, +" + securityName, 0},
		{"nothing to remove", wornBy(alice, 0o644), wornBy(alice, 0o644), "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ops := Darwin.Plan(nil, keep, PlanContext{User: alice, Ignored: report.ACLs}, &tt.src, &tt.dst)
			if got := describe(ops); got != tt.want || lost(ops) != tt.lost {
				t.Errorf("got %q, lost %v; want %q, %v", got, lost(ops), tt.want, tt.lost)
			}
		})
	}
}

// TestPlanOfForeignXattrs plans for attributes that another system has.
func TestPlanOfForeignXattrs(t *testing.T) {
	tests := []struct {
		from, to *Profile
		xattr    string
		want     string
		lost     report.Attr
	}{
		{Darwin, Linux, "com.apple.FinderInfo", "(+)", report.Xattrs},
		{Darwin, Linux, "org.example.label", "(+)", report.Xattrs},
		{Darwin, Linux, "user.label", "+user.label, rename", 0},
		{Darwin, Linux, securityName, "(+)", report.ACLs},
		{Darwin, Linux, "com.apple.quarantine", "", 0},
		{Linux, Darwin, posixAccess, "(+)", report.ACLs},
		{Linux, Darwin, "user.label", "+user.label, rename", 0},
		{Linux, Linux, "user.label", "+user.label, rename", 0},
	}
	for _, tt := range tests {
		src := wornBy(root, 0o644, Xattr{Name: tt.xattr, Value: []byte("value"), Fate: tt.from.Xattr(tt.xattr)})
		dst := wornBy(root, 0o644)
		ops := tt.to.Plan(nil, Keep{Xattrs: true, ACLs: true}, PlanContext{}, &src, &dst)
		var lost report.Attr
		for _, op := range ops {
			lost |= op.Lost
		}
		if got := describe(ops); got != tt.want || lost != tt.lost {
			t.Errorf("%s: got %q, and loses %v; want %q and %v", tt.xattr, got, lost, tt.want, tt.lost)
		}
	}
}

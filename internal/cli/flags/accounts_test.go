package flags

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"psync/internal/operand"
	"psync/internal/vfs"
	"psync/internal/vfs/memfs"
)

// accountHost has one user and one group.
func accountHost(number uint8, uid, gid uint32) operand.Host {
	h := memfs.NewHost(number, memfs.New())
	h.Users, h.Groups = map[string]uint32{"ann": uid}, map[string]uint32{"staff": gid}
	return operand.Host{Host: h, Prefix: "box:"}
}

// complete returns the options of a command line whose accounts are not looked up yet.
func complete(t *testing.T, v Verbs, args string) *Options {
	t.Helper()
	c := new(cobra.Command)
	o := Define(c, v)
	if err := c.ParseFlags(strings.Fields(args)); err != nil {
		t.Fatal(err)
	}
	if err := o.Complete(c.Flags(), nil); err != nil {
		t.Fatal(err)
	}
	return o
}

func TestAccountsOfTwoHosts(t *testing.T) {
	from, to := accountHost(1, 1000, 50), accountHost(2, 2000, 60)
	oneSystem := func(a, b operand.Host) operand.Hosts {
		for _, h := range []operand.Host{a, b} {
			h.Host.(*memfs.Host).Boot = "now"
		}
		return operand.Hosts{Source: a, Dest: b}
	}
	for _, tt := range []struct {
		name     string
		hosts    operand.Hosts
		verb     Verbs
		args     string
		uid, gid uint32 // of 1000 and 50
	}{
		{"by name", operand.Hosts{Source: from, Dest: to}, Copy, "-a", 2000, 60},
		{"compared", operand.Hosts{Source: from, Dest: to}, Compare, "-a", 2000, 60},
		{"for ACLs", operand.Hosts{Source: from, Dest: to}, Copy, "-A", 2000, 60},
		{"not kept", operand.Hosts{Source: from, Dest: to}, Copy, "", 1000, 50},
		{"by number", operand.Hosts{Source: from, Dest: to}, Copy, "-a --numeric-ids", 1000, 50},
		{"compared by number", operand.Hosts{Source: from, Dest: to}, Compare, "-a --numeric-ids", 1000, 50},
		{"by name after all", operand.Hosts{Source: from, Dest: to}, Copy, "-a --numeric-ids --no-numeric-ids", 2000, 60},
		{"one host", operand.Hosts{Source: to, Dest: to}, Copy, "-a", 1000, 50},
		{"one system", oneSystem(accountHost(1, 1000, 50), accountHost(2, 2000, 60)), Copy, "-a", 1000, 50},
		{"to others", operand.Hosts{Source: from, Dest: to}, Copy, "-a --chown=ann:staff", 2000, 60},
		{"to others within one host", operand.Hosts{Source: to, Dest: to}, Copy, "--chown=ann:staff", 2000, 60},
		{"to others by number", operand.Hosts{Source: from, Dest: to}, Copy, "-a --chown=ann --chown=7", 7, 60},
		{"to others by name", operand.Hosts{Source: from, Dest: to}, Copy, "-a --chown=7 --chown=ann", 2000, 60},
		{"by rules", operand.Hosts{Source: from, Dest: to}, Copy, "--usermap=1-9:5,ann:7 --groupmap=x:1,st*:8", 7, 8},
		{"by rules for users", operand.Hosts{Source: from, Dest: to}, Copy, "-a --usermap=1000:8", 8, 60},
		{"by rules to names", operand.Hosts{Source: to, Dest: from}, Copy, "--usermap=1000:ann --groupmap=50:staff", 1000, 50},
		{"by rules within one host", operand.Hosts{Source: to, Dest: to}, Copy, "-a --usermap=*:ann --groupmap=:staff", 2000, 60},
		{"names are not asked for", operand.Hosts{Source: from, Dest: to}, Copy, "-a --numeric-ids --usermap=ann:7,:8", 8, 50},
		{"by rules that are taken back", operand.Hosts{Source: from, Dest: to}, Copy, "--usermap=*:7 --no-o", 1000, 50},
	} {
		o := complete(t, tt.verb, tt.args)
		if err := o.FindAccounts(&o.Engine.Keep, tt.hosts); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		attr := vfs.Attr{UID: 1000, GID: 50}
		k := o.Bind(o.Engine, false, 0).Keep
		if k.Adjust(&attr); attr.UID != tt.uid || attr.GID != tt.gid {
			t.Errorf("%s: %d:%d, want %d:%d", tt.name, attr.UID, attr.GID, tt.uid, tt.gid)
		}
	}
}

func TestUnknownAccountsOfAnotherHost(t *testing.T) {
	to := accountHost(2, 2000, 60)
	unable := operand.Host{Host: memfs.NewHost(3, memfs.New()), Prefix: "box:"}
	for _, tt := range []struct {
		on         operand.Host
		args, want string
	}{
		{to, "--chown=bob", `there is no user "bob" on box;`},
		{to, "--chown=ann:bob", `there is no group "bob" on box;`},
		{unable, "--chown=ann", `--chown: the number of the user "ann" on box cannot be looked up;`},
		{to, "--usermap=ann:1,*:bob", `--usermap: there is no user "bob" on box;`},
		{to, "--groupmap=*:bob", `--groupmap: there is no group "bob" on box;`},
		{unable, "--usermap=*:ann", `--usermap: the number of the user "ann" on box cannot be looked up;`},
	} {
		err := findAccounts(t, tt.args, operand.Hosts{Source: to, Dest: tt.on})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %s", tt.args, err, tt.want)
		}
	}
}

func TestNamesThatTheSourceCannotLookUp(t *testing.T) {
	h := memfs.NewHost(3, memfs.New())
	unable, to := operand.Host{Host: h, Prefix: "box:"}, accountHost(2, 2000, 60)
	for _, args := range []string{"--usermap=ann:7", "--usermap=1:2,:7", "--usermap=a*:7"} {
		err := findAccounts(t, args, operand.Hosts{Source: unable, Dest: to})
		if err == nil || !strings.Contains(err.Error(), "--usermap: the names of users on box cannot be looked up; write numbers") {
			t.Errorf("%s: error %v", args, err)
		}
	}
	if err := findAccounts(t, "--usermap=1-9:7,*:8", operand.Hosts{Source: unable, Dest: to}); err != nil {
		t.Error(err)
	}
}

func TestAccountMapsAreRefused(t *testing.T) {
	for _, tt := range []struct{ args, err string }{
		{"--usermap=", `"" is not a pair FROM:TO`},
		{"--usermap=ann", `"ann" is not a pair FROM:TO`},
		{"--usermap=ann:", `"ann:" is not a pair FROM:TO`},
		{"--usermap=ann:1,", `"" is not a pair FROM:TO`},
		{"--groupmap=1-:7", `"1-" is neither a number`},
		{"--groupmap=9-1:7", `"9-1" is neither a number`},
		{"--groupmap=1x:7", `"1x" is neither a number`},
		{"--groupmap=1-4294967295:7", "is neither a number"},
		{"--groupmap=*:4294967295", "is not a number"},
		{"--usermap=[a:7", `"[a" is not a pattern`},
		{"--usermap=*:7 --usermap=1:2", "is given twice"},
		{"--usermap=*:7 --chown=1", "--usermap and the user of --chown exclude each other"},
		{"--chown=:1 --groupmap=*:7", "--groupmap and the group of --chown exclude each other"},
	} {
		if _, err := parse(Copy, strings.Fields(tt.args)...); err == nil || !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: error %v, want one about %q", tt.args, err, tt.err)
		}
	}
	if _, err := parse(Copy, "--chown=:1", "--usermap=*:7"); err != nil {
		t.Error(err)
	}
}

// findAccounts looks up the accounts that flags of a copy name.
func findAccounts(t *testing.T, args string, hosts operand.Hosts) error {
	t.Helper()
	o := complete(t, Copy, args)
	return o.FindAccounts(&o.Engine.Keep, hosts)
}

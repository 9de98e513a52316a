package engine

import (
	"sync"
	"testing"

	"psync/internal/engine/accounts"
	"psync/internal/metadata"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// askedHost counts the lookups it receives.
type askedHost struct {
	*memfs.Host
	mu    sync.Mutex // guards asked
	asked map[any]int
}

func newAskedHost(users, groups map[string]uint32) *askedHost {
	h := memfs.NewHost(1, memfs.New())
	h.Users, h.Groups = users, groups
	return &askedHost{Host: h, asked: make(map[any]int)}
}

func (h *askedHost) count(what any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.asked[what]++
}

func (h *askedHost) Account(a vfs.Account) (vfs.Account, error) {
	if a.Name != "" {
		h.count(a.Name)
	} else {
		h.count(a.ID)
	}
	return h.Host.Account(a)
}

// accountHosts returns hosts whose accounts have the same names but different numbers.
func accountHosts() (source, dest *askedHost) {
	source = newAskedHost(map[string]uint32{"root": 0, "ann": 1000, "bob": 1001, "gone": 1002}, map[string]uint32{"staff": 50, "wheel": 0})
	dest = newAskedHost(map[string]uint32{"toor": 0, "ann": 1001, "bob": 2001}, map[string]uint32{"staff": 20, "wheel": 10})
	return source, dest
}

func TestAccountsByName(t *testing.T) {
	source, dest := accountHosts()
	unable := newAskedHost(nil, nil)
	for _, tt := range []struct {
		name     string
		from, to *askedHost
		kind     vfs.AccountKind
		id, want uint32
	}{
		{"a user", source, dest, vfs.UserAccount, 1000, 1001},
		{"another", source, dest, vfs.UserAccount, 1001, 2001},
		{"unknown in the destination", source, dest, vfs.UserAccount, 1002, 1002},
		{"unknown in the source", source, dest, vfs.UserAccount, 1003, 1003},
		{"root", source, dest, vfs.UserAccount, 0, 0},
		{"a group", source, dest, vfs.GroupAccount, 50, 20},
		{"a group with the number of a user", source, dest, vfs.GroupAccount, 1000, 1000},
		{"the group of root", source, dest, vfs.GroupAccount, 0, 0},
		{"a source that knows no names", unable, dest, vfs.UserAccount, 1000, 1000},
		{"a destination that knows no names", source, unable, vfs.UserAccount, 1000, 1000},
	} {
		accounts := accounts.Map{Source: tt.from, Dest: tt.to}.Accounts()
		if got := accounts(tt.kind, tt.id); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestAccountsByRules(t *testing.T) {
	source, dest := accountHosts()
	m := accounts.Map{
		Source: source, Dest: dest,
		Users: []metadata.AccountRule{
			{ByName: true, Pattern: "ann", To: 7},
			{Low: 1000, High: 1001, To: 8},
			{ByName: true, To: 9},
			{ByName: true, Pattern: "r*", To: 10},
		},
	}
	numbers := m
	numbers.Source, numbers.Dest = nil, nil
	oneSystem := m
	oneSystem.Dest = nil
	for _, tt := range []struct {
		name     string
		m        accounts.Map
		kind     vfs.AccountKind
		id, want uint32
	}{
		{"the first that matches", m, vfs.UserAccount, 1000, 7},
		{"a range", m, vfs.UserAccount, 1001, 8},
		{"without a rule", m, vfs.UserAccount, 1002, 1002},
		{"without a name", m, vfs.UserAccount, 1003, 9},
		{"root", m, vfs.UserAccount, 0, 10},
		{"a group", m, vfs.GroupAccount, 50, 20},
		{"a range where names are not asked for", numbers, vfs.UserAccount, 1000, 8},
		{"no user has a name where they are not asked for", numbers, vfs.UserAccount, 1002, 9},
		{"without a rule within one system", oneSystem, vfs.UserAccount, 1002, 1002},
		{"a group within one system", oneSystem, vfs.GroupAccount, 50, 50},
	} {
		if got := tt.m.Accounts()(tt.kind, tt.id); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestAccountsAreLookedUpOnce(t *testing.T) {
	source, dest := accountHosts()
	accounts := accounts.Map{Source: source, Dest: dest}.Accounts()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for id := range uint32(4) {
				accounts(vfs.UserAccount, 1000+id)
			}
		})
	}
	wg.Wait()
	for what, n := range source.asked {
		if n != 1 {
			t.Errorf("the source was asked %d times about %v", n, what)
		}
	}
	if len(source.asked) != 4 || len(dest.asked) != 3 || dest.asked["ann"] != 1 {
		t.Errorf("asked were %v and %v", source.asked, dest.asked)
	}
}

// TestOwnersGoByName copies between hosts with different accounts, finds nothing to do in a second run, and compares.
func TestOwnersGoByName(t *testing.T) {
	source, dest := accountHosts()
	b := newSync(t, "f 644 @owner=1000:50 text\nd/ 755 @owner=1001:0\nd/l @owner=1002:50 -> x\nold 644 @owner=1000:50 text", "old 644 text")
	b.job.Keep.Owner, b.job.Keep.Group = true, true
	b.job.Keep.Accounts = accounts.Map{Source: source, Dest: dest}.Accounts()
	b.mustRun(t)
	const want = "d/ 755 @owner=2001:0\nd/l @owner=1002:20 -> x\nf 644 @owner=1001:20 text\nold 644 @owner=1001:20 text\n"
	b.wantTree(t, want, fstest.WithOwners)
	b.job.Compare, b.job.DryRun = true, true
	b.mustRun(t)
	if len(b.record.events) != 0 {
		t.Errorf("there remains %v", b.record.events)
	}
	b.job.Compare, b.job.DryRun = false, false
	b.job.Keep.Chown = metadata.Chown{SetUID: true, UID: 7}
	b.mustRun(t)
	b.wantTree(t, "d/ 755 @owner=7:0\nd/l @owner=7:20 -> x\nf 644 @owner=7:20 text\nold 644 @owner=7:20 text\n", fstest.WithOwners)

	b.job.Keep.Chown, b.job.Keep.Accounts = metadata.Chown{}, nil
	b.mustRun(t)
	b.wantTree(t, "d/ 755 @owner=1001:0\nd/l @owner=1002:50 -> x\nf 644 @owner=1000:50 text\nold 644 @owner=1000:50 text\n", fstest.WithOwners)
}

// TestACLsGoByName copies an ACL of Linux that names a user and a group.
func TestACLsGoByName(t *testing.T) {
	source, dest := accountHosts()
	const (
		acl  = `"\x02\x00\x00\x00\x01\x00\a\x00\xff\xff\xff\xff\x02\x00\a\x00\xe8\x03\x00\x00\x04\x00\x05\x00\xff\xff\xff\xff\b\x00\x04\x002\x00\x00\x00\x10\x00\x05\x00\xff\xff\xff\xff \x00\x04\x00\xff\xff\xff\xff"`
		want = `"\x02\x00\x00\x00\x01\x00\a\x00\xff\xff\xff\xff\x02\x00\a\x00\xe9\x03\x00\x00\x04\x00\x05\x00\xff\xff\xff\xff\b\x00\x04\x00\x14\x00\x00\x00\x10\x00\x05\x00\xff\xff\xff\xff \x00\x04\x00\xff\xff\xff\xff"`
	)
	b := newSync(t, "f 754 @system.posix_acl_access="+acl+" text\nd/ 755 @system.posix_acl_default="+acl, "")
	b.job.SourceProfile, b.job.DestProfile = metadata.Linux, metadata.Linux
	b.job.Keep.Perms, b.job.Keep.ACLs = true, true
	b.job.Keep.Accounts = accounts.Map{Source: source, Dest: dest}.Accounts()
	for range 2 {
		b.mustRun(t)
		b.wantTree(t, "d/ 755 @system.posix_acl_default="+want+"\nf 754 @system.posix_acl_access="+want+" text\n", fstest.WithXattrs)
	}
	if len(b.record.events) != 0 {
		t.Errorf("the second run did %v", b.record.events)
	}
}

// Package accounts finds the accounts of a destination that those of a source stand for.
package accounts

import (
	"sync"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

// A Map says which account of the destination each account of the source maps to.
type Map struct {
	Source        vfs.Host               // knows the names of accounts; nil: no account has a name
	Dest          vfs.Host               // finds accounts of the same names; nil: accounts without a rule keep their numbers
	Users, Groups []metadata.AccountRule // the first that matches applies
}

// Accounts returns a function that looks accounts up in m. An account without a rule keeps its number unless both
// hosts know its name; root and its group also keep theirs. Each host is asked once for each account. The function is
// safe for concurrent use.
func (m Map) Accounts() metadata.Accounts {
	type account struct {
		kind vfs.AccountKind
		id   uint32
	}
	var known sync.Map // of account to func() uint32
	return func(k vfs.AccountKind, id uint32) uint32 {
		if id == 0 && len(m.rules(k)) == 0 {
			return 0
		}
		found, ok := known.Load(account{k, id})
		if !ok {
			found, _ = known.LoadOrStore(account{k, id}, sync.OnceValue(func() uint32 { return m.find(k, id) }))
		}
		return found.(func() uint32)()
	}
}

func (m Map) rules(k vfs.AccountKind) []metadata.AccountRule {
	if k == vfs.GroupAccount {
		return m.Groups
	}
	return m.Users
}

// find returns the account of the destination that an account of the source maps to. A failed lookup counts as a
// missing account: a lost host ends the run anyway.
func (m Map) find(k vfs.AccountKind, id uint32) uint32 {
	name := ""
	if m.Source != nil {
		if found, err := m.Source.Account(vfs.Account{Kind: k, ID: id}); err == nil {
			name = found.Name
		}
	}
	for _, r := range m.rules(k) {
		if r.Matches(id, name) {
			return r.To
		}
	}
	if m.Dest == nil || name == "" || id == 0 {
		return id
	}
	if there, err := m.Dest.Account(vfs.Account{Kind: k, Name: name}); err == nil {
		return there.ID
	}
	return id
}

package engine

import (
	"sync"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

// AccountsByName returns the accounts of dest that have the names of those of source. An account whose name is
// not known on both hosts keeps its number, and so do root and its group. Each host is asked once for each account.
// The result is safe for concurrent use.
func AccountsByName(source, dest vfs.Host) metadata.Accounts {
	type account struct {
		kind vfs.AccountKind
		id   uint32
	}
	var known sync.Map // of account to func() uint32
	return func(k vfs.AccountKind, id uint32) uint32 {
		if id == 0 {
			return 0
		}
		found, ok := known.Load(account{k, id})
		if !ok {
			found, _ = known.LoadOrStore(account{k, id}, sync.OnceValue(func() uint32 { return sameName(source, dest, k, id) }))
		}
		return found.(func() uint32)()
	}
}

// sameName returns the account of dest that has the name of an account of source, or id. After any other error than
// that there is none, the run goes on as well: a host that is lost ends it anyway.
func sameName(source, dest vfs.Host, k vfs.AccountKind, id uint32) uint32 {
	name, err := source.AccountName(k, id)
	if err != nil || name == "" {
		return id
	}
	if there, err := dest.AccountID(k, name); err == nil {
		return there
	}
	return id
}

package flags

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"psync/internal/engine/accounts"
	"psync/internal/metadata"
	"psync/internal/operand"
	"psync/internal/vfs"
)

// FindAccounts implements [run.Binder]. It looks up the names that --chown, --usermap and --groupmap give, on the host of the
// destination, and has owners and groups go by name between hosts that have accounts of their own.
func (o *Options) FindAccounts(k *metadata.Keep, hosts operand.Hosts) (err error) {
	if o.keep.chownUser != "" {
		if k.Chown.UID, err = findAccount(hosts.Dest, vfs.UserAccount, "--chown", o.keep.chownUser); err != nil {
			return err
		}
	}
	if o.keep.chownGroup != "" {
		if k.Chown.GID, err = findAccount(hosts.Dest, vfs.GroupAccount, "--chown", o.keep.chownGroup); err != nil {
			return err
		}
	}
	var m accounts.Map
	if !o.keep.numericIDs {
		m.Source = hosts.Source
		if (k.Owner || k.Group || k.Perms || k.ACLs) && !hosts.AreOneSystem() {
			m.Dest = hosts.Dest
		}
	}
	if k.Owner {
		if m.Users, err = o.keep.users.find(hosts, vfs.UserAccount, "--usermap"); err != nil {
			return err
		}
	}
	if k.Group {
		if m.Groups, err = o.keep.groups.find(hosts, vfs.GroupAccount, "--groupmap"); err != nil {
			return err
		}
	}
	if m.Dest != nil || m.Users != nil || m.Groups != nil {
		k.Accounts = m.Accounts()
	}
	return nil
}

// find returns the rules of m with the numbers of the accounts that they lead to.
func (m *accountMap) find(hosts operand.Hosts, k vfs.AccountKind, flag string) (_ []metadata.AccountRule, err error) {
	if m.goesByName() {
		if _, err := hosts.Source.Account(vfs.Account{Kind: k}); errors.Is(err, errors.ErrUnsupported) {
			return nil, &AccountError{Flag: flag, Kind: accountKindName(k), Where: where(hosts.Source), Err: err}
		}
	}
	for i, name := range m.names {
		if name == "" {
			continue
		}
		if m.rules[i].To, err = findAccount(hosts.Dest, k, flag, name); err != nil {
			return nil, err
		}
	}
	return m.rules, nil
}

// An AccountError says that a name given by a flag is not that of an account.
type AccountError struct {
	Flag       string
	Kind, Name string // "user" or "group"; without a Name, the host provides none
	Where      string // "here", or "on" a host
	Err        error  // matches fs.ErrNotExist, or errors.ErrUnsupported where the host cannot look it up
}

func (e *AccountError) Error() string {
	switch {
	case e.Name == "":
		return fmt.Sprintf("%s: the names of %ss %s cannot be looked up; write numbers instead", e.Flag, e.Kind, e.Where)
	case errors.Is(e.Err, errors.ErrUnsupported):
		return fmt.Sprintf("%s: the number of the %s %q %s cannot be looked up; write it instead", e.Flag, e.Kind, e.Name, e.Where)
	}
	return fmt.Sprintf("%s: there is no %s %q %s; a number will do, too", e.Flag, e.Kind, e.Name, e.Where)
}

func (e *AccountError) Unwrap() error { return e.Err }

func findAccount(on operand.Host, k vfs.AccountKind, flag, name string) (uint32, error) {
	a, err := on.Account(vfs.Account{Kind: k, Name: name})
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errors.ErrUnsupported) {
		err = &AccountError{flag, accountKindName(k), name, where(on), err}
	}
	return a.ID, err
}

func where(h operand.Host) string {
	if h.IsRemote() {
		return "on " + strings.TrimSuffix(h.Prefix, ":")
	}
	return "here"
}

func accountKindName(k vfs.AccountKind) string {
	if k == vfs.GroupAccount {
		return "group"
	}
	return "user"
}

package flags

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"psync/internal/engine"
	"psync/internal/operand"
	"psync/internal/vfs"
)

// FindAccounts looks up the names that --chown gives, on the host of the destination, and has owners and groups go
// by name between hosts that have accounts of their own.
func (o *Options) FindAccounts(hosts operand.Hosts) (err error) {
	k := &o.engine.Keep
	if o.keep.chownUser != "" {
		if k.Chown.UID, err = findAccount(hosts.Dest, vfs.UserAccount, "user", o.keep.chownUser); err != nil {
			return err
		}
	}
	if o.keep.chownGroup != "" {
		if k.Chown.GID, err = findAccount(hosts.Dest, vfs.GroupAccount, "group", o.keep.chownGroup); err != nil {
			return err
		}
	}
	if !o.keep.numericIDs && (k.Owner || k.Group || k.Perms || k.ACLs) && !hosts.AreOneSystem() {
		k.Accounts = engine.AccountsByName(hosts.Source, hosts.Dest)
	}
	return nil
}

// An AccountError says that a name given by --chown stands for nobody.
type AccountError struct {
	Kind, Name string
	Where      string // "here", or "on" a host
	Err        error  // matches fs.ErrNotExist, or errors.ErrUnsupported where the host cannot tell
}

func (e *AccountError) Error() string {
	if errors.Is(e.Err, errors.ErrUnsupported) {
		return fmt.Sprintf("--chown: nothing tells the number of the %s %q %s; write it instead", e.Kind, e.Name, e.Where)
	}
	return fmt.Sprintf("--chown: there is no %s %q %s; a number will do, too", e.Kind, e.Name, e.Where)
}

func (e *AccountError) Unwrap() error { return e.Err }

func findAccount(on operand.Host, k vfs.AccountKind, kind, name string) (uint32, error) {
	id, err := on.AccountID(k, name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errors.ErrUnsupported) {
		where := "here"
		if on.IsRemote() {
			where = "on " + strings.TrimSuffix(on.Prefix, ":")
		}
		err = &AccountError{kind, name, where, err}
	}
	return id, err
}

package cli

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/user"
	"strconv"
	"strings"

	"psync/internal/metadata"
)

// ownership is whom --chown gives everything to.
type ownership struct {
	metadata.Chown
	settings *[]setting // of the flags that it implies
}

func (o *ownership) Type() string   { return "USER:GROUP" }
func (o *ownership) String() string { return "" }

// Set takes what rsync does: what is left out stays as it is.
func (o *ownership) Set(text string) error {
	owner, group, _ := strings.Cut(text, ":")
	if owner == "" && group == "" {
		return errors.New("neither a user nor a group; write USER, USER:GROUP or :GROUP")
	}
	implied := setting{on: true, asked: true}
	if owner != "" {
		id, err := ownerID(owner, findUser)
		if err != nil {
			return err
		}
		o.SetUID, o.UID = true, id
		implied.sets |= keepOwner
	}
	if group != "" {
		id, err := ownerID(group, findGroup)
		if err != nil {
			return err
		}
		o.SetGID, o.GID = true, id
		implied.sets |= keepGroup
	}
	*o.settings = append(*o.settings, implied)
	return nil
}

// ownerID returns the number that text is, or that find finds for it.
func ownerID(text string, find func(name string) (id string, err error)) (uint32, error) {
	number := text
	if strings.Trim(text, "0123456789") != "" {
		var err error
		if number, err = find(text); err != nil {
			return 0, err
		}
	}
	id, err := strconv.ParseUint(number, 10, 32)
	if err != nil || id == math.MaxUint32 { // which says to chown(2) that nothing changes
		return 0, fmt.Errorf("%s is no number of a user or group", number)
	}
	return uint32(id), nil
}

func findUser(name string) (string, error) {
	u, err := user.Lookup(name)
	if errors.As(err, new(user.UnknownUserError)) {
		return "", fmt.Errorf("there is no user %q here; a number will do, too", name)
	}
	if err != nil {
		return "", err
	}
	return u.Uid, nil
}

func findGroup(name string) (string, error) {
	g, err := user.LookupGroup(name)
	if errors.As(err, new(user.UnknownGroupError)) {
		return "", fmt.Errorf("there is no group %q here; a number will do, too", name)
	}
	if err != nil {
		return "", err
	}
	return g.Gid, nil
}

// thisUser returns who runs psync. If the groups cannot be found out, there are none: files
// then are not given to them, which is told.
func thisUser() metadata.User {
	groups, err := os.Getgroups()
	if err != nil {
		groups = nil
	}
	return metadata.User{UID: os.Geteuid(), GID: os.Getegid(), Groups: groups}
}

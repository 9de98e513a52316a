package flags

import (
	"errors"
	"fmt"
	"math"
	"os/user"
	"strconv"
	"strings"

	"psync/internal/metadata"
)

// A chown says whom --chown gives everything to.
type chown struct {
	*metadata.Chown
	settings *[]setting // of the flags that it implies
}

func (c *chown) Type() string   { return "USER:GROUP" }
func (c *chown) String() string { return "" }

// Set takes what rsync does: what is left out stays as it is.
func (c *chown) Set(text string) error {
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
		c.SetUID, c.UID = true, id
		implied.sets |= keepOwner
	}
	if group != "" {
		id, err := ownerID(group, findGroup)
		if err != nil {
			return err
		}
		c.SetGID, c.GID = true, id
		implied.sets |= keepGroup
	}
	*c.settings = append(*c.settings, implied)
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

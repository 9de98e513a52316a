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

// A chown holds the owner and group that --chown sets.
type chown struct {
	*metadata.Chown
	settings *[]setting // of the flags that it implies
}

func (c *chown) Type() string   { return "USER:GROUP" }
func (c *chown) String() string { return "" }

// Set accepts the same values as rsync: a part that is left out stays unchanged.
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

// ownerID returns text as a number, or the number that find returns for text.
func ownerID(text string, find func(name string) (id string, err error)) (uint32, error) {
	number := text
	if strings.Trim(text, "0123456789") != "" {
		var err error
		if number, err = find(text); err != nil {
			return 0, err
		}
	}
	id, err := strconv.ParseUint(number, 10, 32)
	if err != nil || id == math.MaxUint32 { // for chown(2), this number means no change
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

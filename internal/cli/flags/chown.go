package flags

import (
	"errors"
	"fmt"
	"strings"

	"psync/internal/metadata"
)

// setChown parses the owner and group that --chown sets. It accepts the same values as rsync: a part that is left out stays
// unchanged.
func (k *keepOptions) setChown(c *metadata.Chown, text string) (err error) {
	owner, group, _ := strings.Cut(text, ":")
	if owner == "" && group == "" {
		return errors.New("neither a user nor a group; write USER, USER:GROUP or :GROUP")
	}
	implied := setting{on: true, asked: true}
	if owner != "" {
		c.SetUID = true
		if c.UID, k.chownUser, err = accountID(owner); err != nil {
			return err
		}
		implied.sets |= keepOwner
	}
	if group != "" {
		c.SetGID = true
		if c.GID, k.chownGroup, err = accountID(group); err != nil {
			return err
		}
		implied.sets |= keepGroup
	}
	k.settings = append(k.settings, implied)
	return nil
}

// accountID returns text as a number, or as a name if it is none.
func accountID(text string) (id uint32, name string, err error) {
	if strings.Trim(text, "0123456789") != "" {
		return 0, text, nil
	}
	if id, err = parseID(text); err != nil {
		return 0, "", fmt.Errorf("%s is not a number of a user or group", text)
	}
	return id, "", nil
}

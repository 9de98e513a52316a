package flags

import (
	"errors"
	"fmt"
	"strings"

	"psync/internal/metadata"
)

// A chown holds the owner and group that --chown sets.
type chown struct {
	*metadata.Chown
	owner, group *string    // names that are yet to be looked up
	settings     *[]setting // of the flags that it implies
}

func (c *chown) Type() string   { return "USER:GROUP" }
func (c *chown) String() string { return "" }

// Set accepts the same values as rsync: a part that is left out stays unchanged.
func (c *chown) Set(text string) (err error) {
	owner, group, _ := strings.Cut(text, ":")
	if owner == "" && group == "" {
		return errors.New("neither a user nor a group; write USER, USER:GROUP or :GROUP")
	}
	implied := setting{on: true, asked: true}
	if owner != "" {
		c.SetUID = true
		if c.UID, *c.owner, err = accountID(owner); err != nil {
			return err
		}
		implied.sets |= keepOwner
	}
	if group != "" {
		c.SetGID = true
		if c.GID, *c.group, err = accountID(group); err != nil {
			return err
		}
		implied.sets |= keepGroup
	}
	*c.settings = append(*c.settings, implied)
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

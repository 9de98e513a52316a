package cli

import (
	"os"
	"slices"
	"testing"
)

func TestThisUser(t *testing.T) {
	u := thisUser()
	groups, err := os.Getgroups()
	if err != nil {
		t.Skip(err)
	}
	if u.UID != os.Geteuid() || u.GID != os.Getegid() || !slices.Equal(u.Groups, groups) {
		t.Errorf("user %+v", u)
	}
}

package flags

import (
	"strings"
	"testing"

	"psync/internal/metadata"
	"psync/internal/report"
)

func TestChown(t *testing.T) {
	type chown = metadata.Chown
	const both = report.Owner | report.Group
	tests := []struct {
		args string
		want metadata.Keep
	}{
		{"--chown=1:2", metadata.Keep{Owner: true, Group: true, Chown: chown{SetUID: true, SetGID: true, UID: 1, GID: 2}, Asked: both}},
		{"--chown 1:2", metadata.Keep{Owner: true, Group: true, Chown: chown{SetUID: true, SetGID: true, UID: 1, GID: 2}, Asked: both}},
		{"--chown=1", metadata.Keep{Owner: true, Chown: chown{SetUID: true, UID: 1}, Asked: report.Owner}},
		{"--chown=1:", metadata.Keep{Owner: true, Chown: chown{SetUID: true, UID: 1}, Asked: report.Owner}},
		{"--chown=:2", metadata.Keep{Group: true, Chown: chown{SetGID: true, GID: 2}, Asked: report.Group}},
		{"--chown=root", metadata.Keep{Owner: true, Chown: chown{SetUID: true}, Asked: report.Owner}},
		{"--chown=0:0", metadata.Keep{Owner: true, Group: true, Chown: chown{SetUID: true, SetGID: true}, Asked: both}},
		{"--chown=4294967294", metadata.Keep{Owner: true, Chown: chown{SetUID: true, UID: 4294967294}, Asked: report.Owner}},
		{"--chown=1:2 --chown=3", metadata.Keep{Owner: true, Group: true, Chown: chown{SetUID: true, SetGID: true, UID: 3, GID: 2}, Asked: both}},
		{"--no-o --chown=1:2", metadata.Keep{Owner: true, Group: true, Chown: chown{SetUID: true, SetGID: true, UID: 1, GID: 2}, Asked: both}},
		{"--chown=1:2 --no-o", metadata.Keep{Group: true, Chown: chown{SetGID: true, UID: 1, GID: 2}, Asked: report.Group}},
		{"--chown=1:2 --no-o --no-g -a", with(archived, func(k *metadata.Keep) { k.Chown = chown{SetUID: true, SetGID: true, UID: 1, GID: 2} })},
		{"-o --chown=:2", metadata.Keep{Owner: true, Group: true, Chown: chown{SetGID: true, GID: 2}, Asked: both}},
	}
	for _, tt := range tests {
		check(t, metadata.Linux, "linux", Bare, tt.args, tt.want)
	}
	for _, tt := range []struct{ args, err string }{
		{"--chown=", "neither a user nor a group"},
		{"--chown=:", "neither a user nor a group"},
		{"--chown=no such user", `there is no user "no such user" here`},
		{"--chown=:no such group", `there is no group "no such group" here`},
		{"--chown=1:2:3", `there is no group "2:3" here`},
		{"--chown=-1", `there is no user "-1" here`},
		{"--chown=4294967295", "is not a number"},
		{"--chown=:99999999999", "is not a number"},
	} {
		if _, err := parse(Copy, tt.args); err == nil || !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: error %v, want one about %q", tt.args, err, tt.err)
		}
	}
}

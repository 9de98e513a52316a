package location

import (
	"errors"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	h := Account{Host: "h"}
	for _, tt := range []struct {
		operand string
		want    Location
		err     error
	}{
		{"dir", Location{Path: "dir"}, nil},
		{"/a:b", Location{Path: "/a:b"}, nil},
		{"./a:b", Location{Path: "./a:b"}, nil},
		{"a/b:c", Location{Path: "a/b:c"}, nil},
		{"~/a", Location{Path: "~/a"}, nil},
		{"-", Location{Path: "-"}, nil},
		{"http/x", Location{Path: "http/x"}, nil},

		{"h:", Location{h, ""}, nil},
		{"h:a/b", Location{h, "a/b"}, nil},
		{"h:/a b", Location{h, "/a b"}, nil},
		{"h:~", Location{h, ""}, nil},
		{"h:~/", Location{h, ""}, nil},
		{"h:~/a", Location{h, "a"}, nil},
		{"h:~//a", Location{h, "a"}, nil},
		{"h:~/:a", Location{h, ":a"}, nil},
		{"h:~u/a", Location{}, ErrOtherHome},
		{"h:a%20b", Location{h, "a%20b"}, nil},
		{"h:a:b", Location{h, "a:b"}, nil},
		{"h:a@b", Location{h, "a@b"}, nil},
		{"u@h:a", Location{Account{User: "u", Host: "h"}, "a"}, nil},
		{"u@d@h:a", Location{Account{User: "u@d", Host: "h"}, "a"}, nil},
		{"[::1]:a", Location{Account{Host: "::1"}, "a"}, nil},
		{"u@[fe80::1%eth0]:/a", Location{Account{User: "u", Host: "fe80::1%eth0"}, "/a"}, nil},
		{"[a:b", Location{}, ErrBadHost},
		{"[1.2.3.4]:a", Location{}, ErrBadHost},
		{"10.0.0.1:a", Location{Account{Host: "10.0.0.1"}, "a"}, nil},
		{"::1:a", Location{}, ErrRsync},
		{"h::module/a", Location{}, ErrRsync},
		{"rsync://h/a", Location{}, ErrRsync},
		{":a", Location{}, ErrNoHost},
		{"u@:a", Location{}, ErrNoHost},
		{"@h:a", Location{}, ErrBadUser},
		{"-h:a", Location{}, ErrBadHost},
		{"-oProxyCommand=x:a", Location{}, ErrBadHost},
		{"-l@h:a", Location{}, ErrBadUser},
		{"h h:a", Location{}, ErrBadHost},
		{"h\n:a", Location{}, ErrBadHost},
		{"u u@h:a", Location{}, ErrBadUser},
		{"h;x:a", Location{}, ErrBadHost},
		{"http://h/a", Location{}, ErrScheme},
		{"smb://h/a", Location{}, ErrScheme},
		{"a/b://c", Location{Path: "a/b://c"}, nil},

		{"ssh://h", Location{h, ""}, nil},
		{"ssh://h/", Location{h, "/"}, nil},
		{"ssh://h//", Location{h, "/"}, nil},
		{"ssh://h///a//b", Location{h, "/a//b"}, nil},
		{"ssh://h/a/b", Location{h, "/a/b"}, nil},
		{"ssh://h/~", Location{h, ""}, nil},
		{"ssh://h/~/", Location{h, ""}, nil},
		{"ssh://h/~/a/", Location{h, "a/"}, nil},
		{"ssh://h/~u/a", Location{}, ErrOtherHome},
		{"ssh://h/a/~", Location{h, "/a/~"}, nil},
		{"ssh://h/a%20b%2Fc", Location{h, "/a b/c"}, nil},
		{"ssh://h/a%", Location{}, ErrEscape},
		{"ssh://h/a%00", Location{}, ErrEscape},
		{"ssh://h/a?b", Location{}, ErrExtra},
		{"ssh://h/a#b", Location{}, ErrExtra},
		{"ssh://h/a%3Fb", Location{h, "/a?b"}, nil},
		{"ssh://u@h:22/a", Location{Account{User: "u", Host: "h", Port: 22}, "/a"}, nil},
		{"ssh://u%40d@h/a", Location{Account{User: "u@d", Host: "h"}, "/a"}, nil},
		{"ssh://u:p@h/a", Location{}, ErrPassword},
		{"ssh://:p@h/a", Location{}, ErrPassword},
		{"ssh://@h/a", Location{}, ErrBadUser},
		{"ssh://-u@h/a", Location{}, ErrBadUser},
		{"ssh:///a", Location{}, ErrNoHost},
		{"ssh://", Location{}, ErrNoHost},
		{"ssh://u@/a", Location{}, ErrNoHost},
		{"ssh://-h/a", Location{}, ErrBadHost},
		{"ssh://h h/a", Location{}, ErrBadHost},
		{"h\u0085h:a", Location{}, ErrBadHost},
		{"u\u00a0u@h:a", Location{}, ErrBadUser},
		{"ssh://h:/a", Location{}, ErrBadPort},
		{"ssh://h:0/a", Location{}, ErrBadPort},
		{"ssh://h:65536/a", Location{}, ErrBadPort},
		{"ssh://h:ssh/a", Location{}, ErrBadPort},
		{"ssh://h:+1/a", Location{}, ErrBadPort},
		{"ssh://[::1]:2222/a", Location{Account{Host: "::1", Port: 2222}, "/a"}, nil},
		{"ssh://[fe80::1%25eth0]/a", Location{Account{Host: "fe80::1%eth0"}, "/a"}, nil},
		{"ssh://[::1/a", Location{}, ErrBadHost},
		{"ssh://[::1]x/a", Location{}, ErrBadHost},
		{"ssh://[h]/a", Location{}, ErrBadHost},
		{"ssh://::1/a", Location{}, ErrBadHost},
		{"sftp://h/a", Location{Account{Host: "h", SFTP: true}, "/a"}, nil},
		{"SSH://h/a", Location{h, "/a"}, nil},
	} {
		got, err := Parse(tt.operand)
		if got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%q: %+v, %v; want %+v, %v", tt.operand, got, err, tt.want, tt.err)
		}
		if err != nil && !strings.HasPrefix(err.Error(), masked(tt.operand)+": ") {
			t.Errorf("%q: %v", tt.operand, err)
		}
	}
}

func TestPasswordsAreNotShown(t *testing.T) {
	for operand, want := range map[string]string{
		"ssh://u:secret@h/a":       "ssh://u:***@h/a",
		"ssh://u:se:cr@et@h:22/a":  "ssh://u:***@h:22/a",
		"ssh://:secret@h":          "ssh://:***@h",
		"rsync://u:secret@h/a":     "rsync://u:***@h/a",
		"https://u:secret@h/a?q":   "https://u:***@h/a?q",
		"ssh://h:0/a@b":            "ssh://h:0/a@b",
		"h::module":                "h::module",
		"ssh://u:secret@h/%zz?x=y": "ssh://u:***@h/%zz?x=y",
	} {
		_, err := Parse(operand)
		if err == nil || !strings.HasPrefix(err.Error(), want+": ") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", operand, err)
		}
	}
}

// FuzzParse has what String returns, with the path, lead to the same place.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"a", "u@h:b", "ssh://u@[::1]:22/~/a%20", "[fe80::1%x]:b", "rsync://h/", "h::m", "sftp://u%40@h", "ssh://h//", "h:~/:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, operand string) {
		if here, err := Parse("./" + operand); err != nil || here != (Location{Path: "./" + operand}) {
			t.Errorf("%q: %+v, %v, though ./ makes every name local", "./"+operand, here, err)
		}
		l, err := Parse(operand)
		if err != nil {
			return
		}
		r := l.Account
		if r.IsHere() {
			if l != (Location{Path: operand}) {
				t.Errorf("%q: %+v", operand, l)
			}
			return
		}
		if strings.HasPrefix(r.Host, "-") || strings.HasPrefix(r.User, "-") || strings.ContainsAny(r.Host+r.User, " \n\x00") {
			t.Errorf("%q: %+v", operand, l)
		}
		path := l.Path
		if !strings.HasPrefix(path, "/") {
			path = "~/" + path // or else a colon at its beginning would be one of rsync
		}
		l.Account.Port, l.Account.SFTP = 0, false
		again, err := Parse(l.Account.String() + ":" + path)
		if err != nil || again != l {
			t.Errorf("%q: %+v, then %+v, %v", operand, l, again, err)
		}
	})
}

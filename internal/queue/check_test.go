package queue

import (
	"errors"
	"path"
	"strings"
	"testing"
)

func TestCheckPath(t *testing.T) {
	long := strings.Repeat("x", 255)
	for _, tt := range []struct {
		path string
		want error
	}{
		{".", nil},
		{"a", nil},
		{"a/b/c", nil},
		{"...", nil},
		{"..a/b..", nil},
		{"-rf", nil},
		{"a b\n\\", nil},
		{"\xff\xfe", nil}, // names are bytes
		{long + "/" + long, nil},
		{strings.Repeat(long+"/", 200) + long, nil},
		{"", ErrPath},
		{"/", ErrPath},
		{"/etc", ErrPath},
		{"a/", ErrPath},
		{"a//b", ErrPath},
		{"..", ErrPath},
		{"../a", ErrPath},
		{"a/..", ErrPath},
		{"a/../../b", ErrPath},
		{"./a", ErrPath},
		{"a/.", ErrPath},
		{"a\x00b", ErrPath},
		{"\x00", ErrPath},
		{strings.Repeat(long, 5), ErrTooLarge},
		{strings.Repeat(long+"/", 300) + long, ErrTooLarge},
	} {
		if err := CheckPath(tt.path); !errors.Is(err, tt.want) {
			t.Errorf("%.80q: %v, want %v", tt.path, err, tt.want)
		}
	}
}

// FuzzCheckPath wants paths that pass to stay below the root whatever is joined with them.
func FuzzCheckPath(f *testing.F) {
	for _, seed := range []string{".", "a", "a/b", "a/../..", "/a", "", "a//b", "a/./b", "a\x00", "...", "a/.."} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, p string) {
		err := CheckPath(p)
		clean := p != "" && path.Clean(p) == p && !path.IsAbs(p) && !strings.HasPrefix(p+"/", "../") && !strings.Contains(p, "\x00")
		switch {
		case errors.Is(err, ErrTooLarge):
		case (err == nil) != clean:
			t.Errorf("%q: %v", p, err)
		case err != nil && !errors.Is(err, ErrPath):
			t.Errorf("%q: %v", p, err)
		case err == nil && !strings.HasPrefix(path.Join("/root", p)+"/", "/root/"):
			t.Errorf("%q leaves the root", p)
		}
	})
}

func TestCheckBundle(t *testing.T) {
	many := make([]Dir, MaxDirs+1)
	large := make([]Dir, MaxDirs)
	for i := range many {
		many[i].Path = "a"
	}
	for i := range large {
		large[i].Path = strings.Repeat("abc/", 1100) + "d"
	}
	if err := (Bundle{Dirs: many[:1], Attempt: -1}).Check(); !errors.Is(err, ErrTooLarge) {
		t.Errorf("attempt -1: %v", err)
	}
	for _, tt := range []struct {
		name string
		dirs []Dir
		want error
	}{
		{"one", []Dir{{0, "a"}}, nil},
		{"roots", []Dir{{0, "."}, {7, "."}}, nil},
		{"as many as there may be", many[1:], nil},
		{"too many", many, ErrTooLarge},
		{"long paths", large, ErrTooLarge},
		{"none", nil, ErrPath},
		{"no root", []Dir{{-1, "a"}}, ErrPath},
		{"the last one is wrong", []Dir{{0, "a"}, {0, "../b"}}, ErrPath},
	} {
		if err := (Bundle{Dirs: tt.dirs}).Check(); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

func TestContains(t *testing.T) {
	for _, tt := range []struct {
		dir, other Dir
		want       bool
	}{
		{Dir{0, "."}, Dir{0, "a"}, true},
		{Dir{0, "."}, Dir{0, "."}, true},
		{Dir{0, "a"}, Dir{0, "."}, false},
		{Dir{0, "a"}, Dir{0, "a"}, true},
		{Dir{0, "a"}, Dir{0, "a/b"}, true},
		{Dir{0, "a"}, Dir{0, "ab"}, false},
		{Dir{0, "a/b"}, Dir{0, "a"}, false},
		{Dir{0, "."}, Dir{1, "a"}, false},
		{Dir{0, "a"}, Dir{1, "a"}, false},
	} {
		if got := tt.dir.Contains(tt.other); got != tt.want {
			t.Errorf("%v contains %v: %v", tt.dir, tt.other, got)
		}
	}
}

// TestIdentifiersOfBundles wants those of different bundles to differ, and those of the same one to be the same.
func TestIdentifiersOfBundles(t *testing.T) {
	r := Round{N: 1}
	first, second := Claim{Revision: 1}, Claim{Revision: 2}
	seen := make(map[ID]int)
	for i, b := range []Bundle{
		NewBundle(Claim{}, r, []Dir{{0, "a"}}), NewBundle(Claim{}, Round{N: 2}, []Dir{{0, "a"}}),
		NewBundle(first, r, []Dir{{0, "a"}}),
		NewBundle(second, r, []Dir{{0, "a"}}), NewBundle(first, r, []Dir{{1, "a"}}), NewBundle(first, r, []Dir{{0, "a"}, {0, "b"}}),
		NewBundle(first, r, []Dir{{0, "ab"}}), NewBundle(Claim{Bundle: Bundle{ID: ID{1}}, Revision: 1}, r, []Dir{{0, "a"}}),
	} {
		if other, is := seen[b.ID]; is {
			t.Errorf("bundles %d and %d have the same identifier", other, i)
		}
		seen[b.ID] = i
	}
	if again := NewBundle(first, r, []Dir{{0, "a"}}); seen[again.ID] != 2 {
		t.Error("the identifier of a repeated bundle is another")
	}
}

func TestFacts(t *testing.T) {
	job := Facts{{"umask", "0022"}, {"flag", "--delete"}}
	for _, tt := range []struct {
		name  string
		facts Facts
		want  string
	}{
		{"the same", Facts{{"umask", "0022"}, {"flag", "--delete"}}, ""},
		{"in another order", Facts{{"flag", "--delete"}, {"umask", "0022"}}, ""},
		{"another value", Facts{{"umask", "0002"}, {"flag", "--delete"}}, "this host has umask 0002, and the job has 0022"},
		{"one more", append(Facts{{"ACLs", "-A"}}, job...), "this host has ACLs -A, and the job has none"},
		{"one less", job[:1], "the job has flag --delete, and this host has none"},
		{"none", nil, "the job has umask 0022, and this host has none"},
	} {
		err := tt.facts.Compare(job)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestCheckBundles(t *testing.T) {
	long := Bundle{}
	for range MaxDirs {
		long.Dirs = append(long.Dirs, Dir{Path: strings.Repeat(strings.Repeat("x", 255)+"/", MaxBundle/MaxDirs/256-1) + strings.Repeat("x", 255)})
	}
	short := Bundle{Dirs: []Dir{{Path: "a"}}}
	for _, tt := range []struct {
		name    string
		bundles []Bundle
		want    error
	}{
		{"none", nil, nil},
		{"one", []Bundle{long}, nil},
		{"many", []Bundle{short, short, short}, nil},
		{"two that are too long together", []Bundle{long, long}, ErrTooLarge},
		{"one of two", []Bundle{short, {Dirs: []Dir{{Path: ".."}}}}, ErrPath},
	} {
		if err := CheckBundles(tt.bundles); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

func TestCheckJob(t *testing.T) {
	for name, want := range map[string]bool{
		"home": true, "Home-2_x": true, "": false, "a.b": false, "*": false, ">": false, "a b": false, "a/b": false, "..": false,
		strings.Repeat("x", 64): true, strings.Repeat("x", 65): false, "ä": false, "a\n": false,
	} {
		if err := CheckJob(name); (err == nil) != want {
			t.Errorf("%q: %v", name, err)
		}
	}
}

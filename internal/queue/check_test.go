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

func TestCheckPart(t *testing.T) {
	link, last := Round{N: 3, Phase: Link}, Round{N: 4, Phase: Last}
	dirs := []Dir{{0, "a"}}
	for _, tt := range []struct {
		name string
		b    Bundle
		want error
	}{
		{"links", NewPart(link, Part{N: 1, Of: 2, List: 5}), nil},
		{"attributes", NewPart(last, Part{N: 0, Of: MaxParts}), nil},
		{"of a copy", NewPart(Round{N: 1}, Part{N: 0, Of: 1}), ErrRound},
		{"removals", NewPart(Round{N: 5, Phase: Remove}, Part{N: 0, Of: 1}), nil},
		{"of too many", NewPart(link, Part{N: 0, Of: MaxParts + 1}), ErrTooLarge},
		{"behind the last", NewPart(link, Part{N: 2, Of: 2}), ErrTooLarge},
		{"before the first", NewPart(link, Part{N: -1, Of: 2}), ErrTooLarge},
		{"of none", NewPart(link, Part{N: 1}), ErrTooLarge},
		{"a list without a part", NewPart(link, Part{List: 1}), ErrTooLarge},
		{"with directories", Bundle{Round: link, Dirs: dirs, Part: Part{N: 1, Of: 2}}, ErrPath},
		{"directories to link in", Bundle{Round: link, Dirs: dirs}, nil},
	} {
		if err := tt.b.Check(); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

// TestIdentifiersOfParts wants those of different parts to differ, wherever their list begins.
func TestIdentifiersOfParts(t *testing.T) {
	link, later := Round{N: 3, Phase: Link}, Round{N: 7, Phase: Link}
	first := NewPart(link, Part{N: 1, Of: 3, List: 5})
	if again := NewPart(link, Part{N: 1, Of: 3, List: 9}); again.ID != first.ID {
		t.Error("the beginning of the list matters")
	}
	for _, other := range []Bundle{NewPart(link, Part{N: 2, Of: 3}), NewPart(link, Part{N: 1, Of: 4}), NewPart(later, Part{N: 1, Of: 3})} {
		if other.ID == first.ID {
			t.Errorf("%+v and %+v have the same identifier", first, other)
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
	of := func(host string, facts ...Fact) Facts { return append(Facts{{HostFact, host}}, facts...) }
	umask, deletes, suffix := Fact{"the umask", "0022"}, Fact{"--delete", Given}, Fact{"--suffix", "~"}
	job := of("mover1", umask, deletes)
	for _, tt := range []struct {
		name       string
		facts, job Facts
		want       string
	}{
		{"the same", of("mover2", umask, deletes), job, ""},
		{"in another order", of("mover2", deletes, umask), job, ""},
		{"another value", of("mover2", Fact{"the umask", "0002"}, deletes), job, "mover2: the umask is 0002 here, and 0022 at mover1, which began the job"},
		{"one more", of("mover2", umask, Fact{"the ACL", "x"}, deletes), job, "mover2: the ACL is x here, not at mover1, which began the job"},
		{"one less", of("mover2", deletes), job, "mover2: the umask is 0022 at mover1, which began the job, not here"},
		{"a flag more", of("mover2", umask, deletes), of("mover1", umask), "mover2: --delete is given here, not at mover1, which began the job"},
		{"a flag less", of("mover2", umask), job, "mover2: --delete is given at mover1, which began the job, not here"},
		{"a flag with a value more", of("mover2", umask, deletes, suffix), job, "mover2: --suffix=~ is given here, not at mover1, which began the job"},
		{"another value of a flag", of("mover2", suffix), of("mover1", Fact{"--suffix", ".bak"}), "mover2: --suffix is ~ here, and .bak at mover1, which began the job"},
		{"the first of several counts", of("mover2", suffix, Fact{"the umask", "0002"}), job, "mover2: --suffix=~ is given here, not at mover1, which began the job"},
		{"what is missing counts first", of("mover2", Fact{"the umask", "0002"}), job, "mover2: --delete is given at mover1, which began the job, not here"},
		{"none", nil, job, "the umask is 0022 at mover1, which began the job, not here"},
		{"hosts without names", Facts{umask}, Facts{deletes}, "the umask is 0022 here, not at the host that began the job"},
	} {
		got := ""
		if err := tt.facts.Compare(tt.job); err != nil {
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

package survey_test

import (
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"psync/internal/metadata"
	"psync/internal/selftest/survey"
	"psync/internal/vfs"
	"psync/internal/vfs/memfs"
)

// A strict is a directory that refuses some names, as FAT does on Linux, and counts how many files it was asked for.
type strict struct {
	vfs.Dir
	creates *int
}

func (s strict) Unwrap() vfs.Dir { return s.Dir }

func (s strict) OpenDir(name string, how vfs.Resolve) (vfs.Dir, error) {
	d, err := s.Dir.OpenDir(name, how)
	return strict{d, s.creates}, err
}

func (s strict) OpenFile(name string, mode vfs.OpenMode, perm fs.FileMode) (vfs.File, error) {
	if mode != vfs.Create {
		return s.Dir.OpenFile(name, mode, perm)
	}
	*s.creates++
	base, _, _ := strings.Cut(name, ".")
	var err error
	switch {
	case !utf8.ValidString(name):
		err = syscall.EILSEQ
	case strings.ContainsAny(name, `:?*"<>|\`), strings.HasSuffix(name, "."), strings.ToLower(base) == "con":
		err = syscall.EINVAL
	case len(utf16.Encode([]rune(name))) > 200:
		err = syscall.ENAMETOOLONG
	default:
		return s.Dir.OpenFile(name, vfs.Create, perm)
	}
	return nil, &fs.PathError{Op: "create", Path: name, Err: err}
}

func TestRefusedNames(t *testing.T) {
	for _, c := range []struct {
		name   string
		detail string // "" if the name is taken
	}{
		{"plain-name_1.txt", ""},
		{"sp ace", ""},
		{".hidden", ""},
		{"\u65e5\u672c\u8a9e", ""},
		{"caf\u00e9", ""},
		{"confer", ""},
		{"file.con", ""},
		{strings.Repeat("n", 200), ""},
		{strings.Repeat("\u65e5", 85), ""},
		{"a:b", ":"},
		{"what?", "?"},
		{"end.", ". at the end"},
		{"CON", "a reserved name"},
		{"con.txt", "a reserved name"},
		{"latin\xe9", "bytes that are not UTF-8"},
		{"\xed\xa0\x80", "bytes that are not UTF-8"},
		{strings.Repeat("n", 201), "too long"},
	} {
		src := memfs.New().TestRoot(t)
		f, err := src.OpenFile(c.name, vfs.Create, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		r, _ := predict(t, metadata.Linux, src, strict{memfs.New().TestRoot(t), new(int)})
		switch {
		case c.detail == "" && len(r.Findings) > 0:
			t.Errorf("%q: found %+v", c.name, r.Findings)
		case c.detail != "" && (len(r.Findings) != 1 || r.Findings[0].Kind != survey.Name || !slices.Equal(r.Findings[0].Details, []string{c.detail})):
			t.Errorf("%q: found %+v, want %q", c.name, r.Findings, c.detail)
		}
	}
}

// TestBelowRefusedNames counts what is in a directory that cannot be made.
func TestBelowRefusedNames(t *testing.T) {
	src := memfs.New().TestRoot(t)
	if err := vfs.Mkdir(src, "what?", 0o755); err != nil {
		t.Fatal(err)
	}
	sub, err := src.OpenDir("what?", vfs.NoFollow)
	if err != nil {
		t.Fatal(err)
	}
	if err := vfs.Symlink(sub, "target", "in"); err != nil {
		t.Fatal(err)
	}
	if err := sub.Close(); err != nil {
		t.Fatal(err)
	}
	dst := strictMkdir{strict{memfs.New().TestRoot(t), new(int)}}
	_, found := predict(t, metadata.Linux, src, dst)
	if want := []string{"names that are refused: 2, what? what?/in"}; !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
}

// A strictMkdir refuses names of directories, too.
type strictMkdir struct{ strict }

func (s strictMkdir) Make(name string, spec vfs.Spec) error {
	if strings.Contains(name, "?") {
		return &fs.PathError{Op: spec.Op(), Path: name, Err: syscall.EINVAL}
	}
	return s.Dir.Make(name, spec)
}

// TestNamesThatAreAlikeAreTriedOnce wants few trials for many names.
func TestNamesThatAreAlikeAreTriedOnce(t *testing.T) {
	src := memfs.New().TestRoot(t)
	for i := range 200 {
		for _, name := range []string{"a:b", "sp ace", "\u65e5\u672c\u8a9e"} {
			f, err := src.OpenFile(name+strings.Repeat("x", i%50)+string(rune('a'+i/50)), vfs.Create, 0o644)
			if err != nil {
				t.Fatal(err)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	creates := new(int)
	r, _ := predict(t, metadata.Linux, src, strict{memfs.New().TestRoot(t), creates})
	if len(r.Findings) != 1 || r.Findings[0].Entries != 200 {
		t.Errorf("found %+v", r.Findings)
	}
	if *creates > 40 {
		t.Errorf("%d files were made to try 600 names", *creates)
	}
}

// TestSpelling finds names that HFS+ decomposes.
func TestSpelling(t *testing.T) {
	src := memfs.New().TestRoot(t)
	for _, name := range []string{"caf\u00e9", "plain"} {
		if err := vfs.Symlink(src, "target", name); err != nil {
			t.Fatal(err)
		}
	}
	_, found := predict(t, metadata.Darwin, src, memfs.NewMac(memfs.Mac{Decomposes: true, Tick: time.Second}).TestRoot(t))
	if want := "names in another spelling: 1, caf\u00e9"; !slices.Contains(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
}

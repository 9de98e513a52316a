package fstest

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"psync/internal/vfs"
)

// An effect returns the lines of a tree after an operation was called with a name.
type effect func(lines []string, name string) []string

// isOf reports whether a line describes an entry or something below it.
func isOf(line, name string) bool {
	return strings.HasPrefix(line, name+" ") || strings.HasPrefix(line, name+"/")
}

// removed is the effect of removing an entry and everything below it.
func removed(lines []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return isOf(line, name) })
}

// added is the effect of making a missing entry. rest follows its name in the line.
func added(rest string) effect {
	return func(lines []string, name string) []string {
		if len(removed(lines, name)) < len(lines) {
			return lines
		}
		return append(lines, name+rest)
	}
}

// chmodded is the effect of changing the mode.
func chmodded(mode string) effect {
	return func(lines []string, name string) []string {
		for i, line := range lines {
			if path, rest, _ := strings.Cut(line, " "); strings.TrimSuffix(path, "/") == name {
				lines[i] = path + mode + rest[len(mode)-1:]
			}
		}
		return lines
	}
}

// linked is the effect of giving an entry a second name, replacing any entry that has it. An empty string stands for
// the name that the operation is called with.
func linked(from, to string) effect {
	return func(lines []string, name string) []string {
		from, to := cmp.Or(from, name), cmp.Or(to, name)
		all := removed(lines, to)
		for _, line := range lines {
			if isOf(line, from) {
				all = append(all, to+line[len(from):])
			}
		}
		return all
	}
}

// renamed is the effect of linked and of removing the first name.
func renamed(from, to string) effect {
	return func(lines []string, name string) []string {
		return removed(linked(from, to)(lines, name), cmp.Or(from, name))
	}
}

// test calls the operation with each of the kinds and checks the resulting tree.
func (o operation) test(t *testing.T, d vfs.Dir) {
	var in vfs.Dir // a eachKind, until something changes
	var before string
	for i, name := range kinds {
		want := o.want[i]
		if name == "." && want == '?' {
			continue
		}
		if in == nil {
			in = mkdir(t, d, "eachKind for "+name)
			Fill(t, in, eachKind)
			wantTree(t, in, eachKind)
			before = Tree(t, in, WithRoot, WithMtimes)
		}
		err := o.do(in, name)
		o.wantOutcome(t, err, name, want)
		after, changes := Tree(t, in, WithRoot, WithMtimes), err == nil && o.then != nil
		if after == before && (want != '.' || !changes) {
			continue
		}
		lines := strings.Split(eachKind, "\n")
		if changes {
			lines = o.then(lines, name)
		}
		got := strings.Split(Tree(t, in), "\n")
		slices.Sort(got)
		slices.Sort(lines)
		if !changes || !slices.Equal(got, lines) {
			t.Errorf("with %q, the tree was:\n%sbecomes:\n%swant:\n%q", name, before, after, lines)
		}
		in = nil
	}
}

// wantOutcome checks the error of calling the operation with a name.
func (o operation) wantOutcome(t *testing.T, err error, name string, want byte) {
	t.Helper()
	about := cmp.Or(o.about, name)
	switch {
	case want == '?':
	case want == '.' && o.needs != 0 && (errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission)):
		wantError(t, err, about)
	case want == '.':
		if err != nil {
			t.Errorf("with %q: %v", name, err)
		}
	case name == ".":
		_ = wantPathError(t, err, name)
	default:
		wantError(t, err, about, outcomes[want]...)
	}
}

// improper are strings that are not names.
var improper = []string{
	"", "..", "/", "empty/", "full/f", "full/new", "../b", "../c", "../new", "./file", "//", "file\x00b", "new\x00", "\x00",
}

// refuse calls the operation with strings that are not names.
func (o operation) refuse(t *testing.T, d vfs.Dir) {
	Fill(t, d, "b 644 precious\nc/\nsub/")
	sub := openDir(t, d, "sub")
	Fill(t, sub, eachKind)
	before := Tree(t, d, WithRoot, WithMtimes)
	for _, name := range improper {
		_ = wantPathError(t, o.do(sub, name), name)
	}
	wantTree(t, d, before, WithRoot, WithMtimes)
}

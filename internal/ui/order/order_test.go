package order

import (
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A recorder collects what is printed.
type recorder struct{ strings.Builder }

func (r *recorder) print(text []byte) { r.Write(text) }

// add adds a line that has the path of its entry.
func add(l *Lines, dir, name string, isDir bool, c Class) {
	l.Add(Line{Dir: dir, Name: name, IsDir: isDir, Class: c, Text: []byte(path.Join(dir, name) + "\n")})
}

// remove adds a line about an entry that is removed; it begins with a minus sign.
func remove(l *Lines, dir, name string, isDir bool) {
	text := "-" + path.Join(dir, name)
	if isDir {
		text += "/"
	}
	l.Add(Line{Dir: dir, Name: name, IsDir: isDir, Removal: true, Class: Item, Text: []byte(text + "\n")})
}

func words(text string) string { return strings.Join(strings.Fields(text), " ") }

func TestFilesComeBeforeDirectoriesAndTheseBeforeWhatIsInThem(t *testing.T) {
	var got recorder
	l := New(Config{Print: got.print})
	l.Expect("")
	add(l, "", "b", true, Item)
	l.Expect("b")
	add(l, "", "b-a", true, Item) // sorts before b/
	l.Expect("b-a")
	add(l, "b", "z", false, Item)
	add(l, "", "z", false, Item)
	add(l, "b", "c", true, Item)
	l.Expect("b/c")
	add(l, "b/c", "d", false, Item)
	l.Done("b/c")
	add(l, "b-a", "x", false, Item)
	l.Done("b-a")
	add(l, "", "a", false, Item)
	add(l, "b", "a", false, Item)
	l.Done("b")
	add(l, "", "", true, Item)
	l.Done("")
	l.batch.flush()
	if got, want := words(got.String()), "a z b-a b-a/x b b/a b/z b/c b/c/d"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestRemovals(t *testing.T) {
	for _, test := range []struct {
		when Phase
		want string
	}{
		{During, "top -e/f/ -e/ -c -b d -d/y -d/x d/z"},
		{Before, "-e/f/ -e/ -c -b -d/y -d/x top d d/z"},
		{After, "top d d/z -e/f/ -e/ -c -b -d/y -d/x"},
	} {
		var got recorder
		l := New(Config{Print: got.print, Removes: test.when})
		l.Expect("")
		l.Expect("d")
		l.Add(Line{IsDir: true, Class: Item, Text: []byte("top\n")})
		add(l, "", "d", true, Item)
		remove(l, "d", "x", false)
		add(l, "d", "z", false, Item)
		remove(l, "d", "y", false)
		remove(l, "", "b", false)
		remove(l, "e", "f", true) // which is in no directory of the source
		remove(l, "", "e", true)
		l.Done("d")
		remove(l, "", "c", false)
		l.Done("")
		l.Flush()
		if got := words(got.String()); got != test.want {
			t.Errorf("%d: got %s, want %s", test.when, got, test.want)
		}
	}
}

// TestRulesComeBeforeRemovals has rules about entries that stay, at the top and below a directory that goes, and about one that
// the source has, too.
func TestRulesComeBeforeRemovals(t *testing.T) {
	var got recorder
	l := New(Config{Print: got.print, Removes: During})
	l.Expect("")
	add(l, "", "b", false, Item)
	add(l, "", "", true, Item)
	remove(l, "", "c", false)
	remove(l, "a", "x", false)
	for _, dir := range []string{"", "a"} {
		l.Add(Line{Dir: dir, Name: "b", Rule: true, Class: Item, Text: []byte("rule:" + path.Join(dir, "b") + "\n")})
	}
	l.Add(Line{Name: "a", IsDir: true, Rule: true, Class: Item, Text: []byte("rule:a\n")})
	l.Done("")
	l.Flush()
	if got, want := words(got.String()), "rule:a/b rule:a -a/x -c rule:b b"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestWhatMakesRoomComesBeforeItsEntry(t *testing.T) {
	for _, when := range []Phase{During, Before, After} {
		var got recorder
		l := New(Config{Print: got.print, Removes: when})
		l.Expect("")
		add(l, "", "b", false, Item)
		add(l, "", "a", false, Item)
		remove(l, "b/c", "d", false)
		remove(l, "b", "c", true)
		remove(l, "", "b", true)
		l.Done("")
		l.Flush()
		if got, want := words(got.String()), "a -b/c/d -b/c/ -b/ b"; got != want {
			t.Errorf("%d: got %s, want %s", when, got, want)
		}
	}
}

func TestClassesOfABatch(t *testing.T) {
	var got recorder
	l := New(Config{Print: got.print})
	l.Expect("")
	add(l, "", "a", false, Item)
	add(l, "", "b", false, Generator)
	add(l, "", "c", false, Sender)
	l.Expect("d")
	add(l, "d", "e", false, Sender)
	add(l, "d", "f", false, Item)
	add(l, "d", "g", false, Generator)
	l.Done("d")
	l.Done("")
	l.Flush()
	if got, want := words(got.String()), "c d/e b d/g a d/f"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestLinesOverTheLimitArePrintedAtOnce(t *testing.T) {
	var got recorder
	l := New(Config{Print: got.print, Limit: 1000})
	l.Expect("")
	l.Expect("b")
	l.Expect("a")
	add(l, "b", "y", false, Item)
	add(l, "b", "x", false, Item)
	add(l, "a", "z", false, Item)
	if got.Len() > 0 {
		t.Errorf("printed too early: %s", got.String())
	}
	for i := range 10 {
		add(l, "a", fmt.Sprint(9-i), false, Item)
	}
	l.Done("b")
	l.Flush()
	if got, want := words(got.String()), "a/5 a/6 a/7 a/8 a/9 a/z b/x b/y a/4 a/3 a/2 a/1 a/0"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestLinesOfWhatIsDoneComeLast(t *testing.T) {
	var got recorder
	l := New(Config{Print: got.print})
	l.Expect("")
	l.Expect("d")
	l.Done("d")
	l.Done("")
	add(l, "d", "late", false, Generator)
	add(l, "", "e", true, Item)
	l.Flush()
	add(l, "d", "later", false, Item)
	if got, want := words(got.String()), "d/late e d/later"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestRandomTrees has the directories of a random tree reported in a random order, and compares with one that is sorted.
func TestRandomTrees(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 0))
		var got recorder
		l := New(Config{Print: got.print})
		open := []string{""}
		l.Expect("")
		sub := make(map[string][]string) // subdirectories
		files := make(map[string][]string)
		for n := 0; len(open) > 0; n++ {
			i := r.IntN(len(open))
			at := open[i]
			switch k := r.IntN(5); {
			case k < 2 && n < 100:
				name := fmt.Sprintf("d%d", 100-n)
				sub[at] = append(sub[at], name)
				l.Expect(join(at, name))
				if r.IntN(2) == 0 {
					add(l, at, name, true, Item)
				}
				open = append(open, join(at, name))
			case k < 4:
				name := fmt.Sprintf("f%d", 200-n%100)
				files[at] = append(files[at], name)
				add(l, at, name, false, Item)
			default:
				l.Done(at)
				open = append(open[:i], open[i+1:]...)
			}
		}
		if len(l.dirs) > 0 || l.kept != 0 {
			t.Fatalf("seed %d: %d directories and %d bytes are kept in the end", seed, len(l.dirs), l.kept)
		}
		l.Flush()
		before := ""
		lines := strings.Fields(got.String())
		for _, line := range lines {
			isDir := strings.HasPrefix(path.Base(line), "d")
			if k := key(line, isDir); k < before {
				t.Fatalf("seed %d: %s is out of order in %v", seed, line, lines)
			} else {
				before = k
			}
		}
		n := 0
		for _, names := range files {
			n += len(names)
		}
		if strings.Count(got.String(), "f") != n {
			t.Errorf("seed %d: %d files, want %d", seed, strings.Count(got.String(), "f"), n)
		}
	}
}

// TestManyWorkers has a goroutine for each directory.
func TestManyWorkers(t *testing.T) {
	var got recorder
	l := New(Config{Print: got.print})
	var all sync.WaitGroup
	var work func(at string, depth int)
	work = func(at string, depth int) {
		for i := range 5 {
			add(l, at, fmt.Sprintf("f%d", 9-i), false, Item)
			if name := fmt.Sprintf("d%d", i); depth < 4 {
				add(l, at, name, true, Item)
				l.Expect(join(at, name))
				all.Go(func() { work(join(at, name), depth+1) })
			}
		}
		l.Done(at)
	}
	l.Expect("")
	all.Go(func() { work("", 0) })
	all.Wait()
	if l.kept != 0 {
		t.Errorf("%d bytes are kept", l.kept)
	}
	l.Flush()
	lines := strings.Fields(got.String())
	if !slices.IsSortedFunc(lines, func(a, b string) int {
		return strings.Compare(key(a, path.Base(a)[0] == 'd'), key(b, path.Base(b)[0] == 'd'))
	}) {
		t.Error("lines are out of order")
	}
	if want := 5*(1+5+25+125+625) + 5 + 25 + 125 + 625; len(lines) != want {
		t.Errorf("%d lines, want %d", len(lines), want)
	}
}

func TestQuietDirectoriesAreForgotten(t *testing.T) {
	l := New(Config{Print: func([]byte) {}})
	l.Expect("")
	l.Expect("slow")
	l.Expect("quiet")
	for i := range 1000 {
		l.Expect(fmt.Sprint("quiet/", i))
	}
	for i := range 1000 {
		l.Done(fmt.Sprint("quiet/", i))
	}
	if n := len(l.dirs["quiet"].subdirs); n > 0 {
		t.Errorf("%d quiet directories are kept", n)
	}
	l.Done("quiet")
	if n := len(l.dirs[""].subdirs); n != 1 {
		t.Errorf("%d directories are kept, want that which is not done", n)
	}
}
